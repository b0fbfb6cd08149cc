import type { App } from '../../../app/app.ts'
import { ApiError } from '../../../domain/api-error.ts'
import type { FoundContent } from '../../../ports/media.ts'
import { MEDIA_REPLIES, RANGE_HEADER, sendMedia } from '../../media/send-media.ts'
import type { Operation } from '../../operation.ts'

const ID = /^[\w-]{1,64}$/

function contentOperation({
  of,
  find,
  ...row
}: Pick<Operation, 'id' | 'path' | 'summary'> & {
  of: string
  find(app: App, id: string): Promise<FoundContent>
}): Operation {
  return {
    ...row,
    method: 'GET',
    area: 'admin',
    access: 'admin',
    role: 'viewer',
    description:
      'As the vendor has it, through the gateway: with a fresh link, in ranges, and without any header of the vendor but type, length and range.',
    headers: RANGE_HEADER,
    replies: {
      ...MEDIA_REPLIES,
      404: { description: `There is no such ${of}, or \`admin endpoints disabled\`.` },
    },
    handle:
      ({ app }) =>
      async (request, reply) => {
        const { id = '' }: { id?: string } = Object(request.params)
        if (!ID.test(id)) throw new ApiError('not_found')
        return sendMedia(await find(app, id), request, reply)
      },
  }
}

export const content: readonly Operation[] = [
  contentOperation({
    id: 'adminGetTaskContent',
    path: '/admin/v1/tasks/:id/content',
    summary: 'Watch the video of a task',
    of: 'task',
    find: ({ findContent }, id) => findContent.ofTask(id),
  }),
  contentOperation({
    id: 'adminGetAssetContent',
    path: '/admin/v1/assets/:id/content',
    summary: 'See or hear an asset',
    of: 'asset',
    find: ({ findContent }, id) => findContent.ofAsset(id),
  }),
]

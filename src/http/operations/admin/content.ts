import type { App } from '../../../app/app.ts'
import { ApiError } from '../../../domain/api-error.ts'
import type { FoundContent } from '../../../ports/media.ts'
import { MEDIA_REPLIES, RANGE_HEADER, sendMedia } from '../../media/send-media.ts'
import { type Operation, operatorOperation } from '../../operation.ts'

const ID = /^[\w-]{1,64}$/

function contentOperation(
  id: string,
  kind: 'task' | 'asset',
  { summary, find }: { summary: string; find(app: App, id: string): Promise<FoundContent> },
): Operation {
  return operatorOperation(id, `GET /admin/v1/${kind}s/:id/content`, {
    summary,
    role: 'viewer',
    description:
      'Streams the file of the vendor by a fresh link. Ranges are supported. Of the headers of the vendor only type, length and range are sent.',
    headers: RANGE_HEADER,
    replies: {
      ...MEDIA_REPLIES,
      404: { description: `There is no such ${kind}, or \`admin endpoints disabled\`.` },
    },
    async serve({ app }, request, reply) {
      const { id = '' }: { id?: string } = Object(request.params)
      if (!ID.test(id)) throw new ApiError('not_found')
      return sendMedia(await find(app, id), request, reply)
    },
  })
}

export const content: readonly Operation[] = [
  contentOperation('adminGetTaskContent', 'task', {
    summary: 'Watch the video of a task',
    find: ({ findContent }, id) => findContent.ofTask(id),
  }),
  contentOperation('adminGetAssetContent', 'asset', {
    summary: 'See or hear an asset',
    find: ({ findContent }, id) => findContent.ofAsset(id),
  }),
]

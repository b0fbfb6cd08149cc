import type { App } from '../../../app/app.ts'
import { ApiError } from '../../../domain/api-error.ts'
import type { Operation } from '../../operation.ts'
import { json } from '../../schema/json-schema.ts'

/** One range; several, or none that can be read, are answered with everything, as HTTP allows. */
const RANGE = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/

const ID = /^[\w-]{1,64}$/

function contentOperation({
  of,
  open,
  ...row
}: Pick<Operation, 'id' | 'path' | 'summary'> & {
  of: string
  open(
    app: App,
    question: { id: string; range: string | undefined },
  ): ReturnType<App['openContent']['ofTask']>
}): Operation {
  return {
    ...row,
    method: 'GET',
    area: 'admin',
    access: 'admin',
    role: 'viewer',
    description:
      'As the vendor has it, through the gateway: with a fresh link, in ranges, and without any header of the vendor but type, length and range.',
    headers: {
      Range: { schema: json.string(), description: 'One range of bytes, such as `bytes=0-1023`.' },
    },
    replies: {
      200: { description: 'All of it.', contentType: '*/*' },
      206: { description: 'The range.', contentType: '*/*' },
      404: { description: `There is no such ${of}, or \`admin endpoints disabled\`.` },
      409: { description: 'There is no content: it is not ready, or the provider no longer has it.' },
      416: { description: 'The range is not there.' },
      502: { description: 'The link of the provider fails, or leads to something that is no media.' },
    },
    handle:
      ({ app }) =>
      async (request, reply) => {
        const { id = '' }: { id?: string } = Object(request.params)
        if (!ID.test(id)) throw new ApiError('not_found')
        const { range = '' } = request.headers
        const media = await open(app, { id, range: RANGE.test(range) ? range : undefined })
        reply
          .code(media.status)
          .type(media.contentType)
          .header('accept-ranges', 'bytes')
          .header('cache-control', 'private, no-store')
          .header('content-security-policy', "default-src 'none'; sandbox")
          .header('content-disposition', 'inline')
          .header('x-content-type-options', 'nosniff')
        if (media.contentLength !== undefined) reply.header('content-length', media.contentLength)
        if (media.contentRange !== undefined) reply.header('content-range', media.contentRange)
        return reply.send(media.body)
      },
  }
}

export const content: readonly Operation[] = [
  contentOperation({
    id: 'adminGetTaskContent',
    path: '/admin/v1/tasks/:id/content',
    summary: 'Watch the video of a task',
    of: 'task',
    open: ({ openContent }, question) => openContent.ofTask(question),
  }),
  contentOperation({
    id: 'adminGetAssetContent',
    path: '/admin/v1/assets/:id/content',
    summary: 'See or hear an asset',
    of: 'asset',
    open: ({ openContent }, question) => openContent.ofAsset(question),
  }),
]

import type { App } from '../../../app/app.ts'
import type { OpenContent } from '../../../app/video/find-content.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import type { Operation } from '../../operation.ts'
import { closedSignal } from '../../server/closed-signal.ts'

/** One range; several or invalid ranges are answered with the whole content, as HTTP allows. */
const RANGE = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/

const ID = /^[\w-]{1,64}$/

const HEADERS = {
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
  'x-content-type-options': 'nosniff',
}

function contentOperation({
  of,
  find,
  ...row
}: Pick<Operation, 'id' | 'path' | 'summary'> & {
  of: string
  find(app: App, id: string): Promise<OpenContent>
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
        const open = await find(app, id)
        reply.headers(HEADERS)
        if (request.method === 'HEAD') return reply.send()
        const { range = '' } = request.headers
        const signal = closedSignal(reply)
        const media = await open({ range: RANGE.test(range) ? range : undefined, signal })
        reply.code(media.status).type(media.contentType)
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

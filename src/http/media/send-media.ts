import type { OpenContent } from '../../app/video/find-content.ts'
import { json } from '../../domain/json/json-schema.ts'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
import type { Operation } from '../operation.ts'
import { closedSignal } from '../server/closed-signal.ts'

/** One range; several or invalid ranges are answered with the whole content, as HTTP allows. */
const RANGE = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/

const HEADERS = {
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
  'x-content-type-options': 'nosniff',
}

export const RANGE_HEADER: NonNullable<Operation['headers']> = {
  Range: { schema: json.string(), description: 'One range of bytes, such as `bytes=0-1023`.' },
}

export const MEDIA_REPLIES: Operation['replies'] = {
  200: { description: 'All of it.', contentType: '*/*' },
  206: { description: 'The range.', contentType: '*/*' },
  409: { description: 'There is no content: it is not ready, or the provider no longer has it.' },
  416: { description: 'The range is not there.' },
  502: { description: 'The link of the provider fails, or leads to something that is no media.' },
}

/** Passes media on while they come, without any header of the vendor but type, length and range. */
export async function sendMedia(open: OpenContent, request: EdgeRequest, reply: EdgeReply): Promise<void> {
  reply.headers(HEADERS)
  if (request.method === 'HEAD') return reply.send()
  const { range = '' } = request.headers
  const media = await open({ range: RANGE.test(range) ? range : undefined, signal: closedSignal(reply) })
  reply.code(media.status).type(media.contentType)
  if (media.contentLength !== undefined) reply.header('content-length', media.contentLength)
  if (media.contentRange !== undefined) reply.header('content-range', media.contentRange)
  return reply.send(media.body)
}

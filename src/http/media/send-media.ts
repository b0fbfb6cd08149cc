import { Readable } from 'node:stream'
import { json } from '../../domain/json/json-schema.ts'
import type { FoundContent } from '../../ports/media.ts'
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
  200: {
    description: 'The whole file.',
    contentType: '*/*',
    headers: { ETag: 'SHA-256 of a kept file, in lower-case hex.' },
  },
  206: { description: 'The requested range.', contentType: '*/*' },
  304: { description: 'The kept file is the one that `If-None-Match` names.' },
  409: { description: 'There is no content: it is not ready, or the provider no longer has it.' },
  410: {
    description: 'The file is no longer kept, or is withheld because a person in it revoked the consent.',
  },
  416: { description: 'The file has no such range.', contentType: '*/*' },
  502: { description: 'The link of the provider fails, or does not lead to a media file.' },
}

/** Streams media to the client. Only type, length and range of the vendor's headers are sent. */
export async function sendMedia(
  { open, kept }: FoundContent,
  request: EdgeRequest,
  reply: EdgeReply,
): Promise<void> {
  reply.headers(HEADERS)
  const { range = '', 'if-none-match': known, 'if-range': same } = request.headers
  const etag = kept && `"${kept.sha256}"`
  if (kept !== undefined && etag !== undefined) {
    reply.header('etag', etag)
    if (known === etag) return reply.code(304).send()
  }
  if (request.method === 'HEAD') {
    if (kept !== undefined) reply.type(kept.mediaType).header('content-length', kept.bytes)
    return reply.send()
  }
  const isSame = same === undefined || same === etag
  const wanted = isSame && RANGE.test(range) ? range : undefined
  const media = await open({ range: wanted, signal: closedSignal(reply) })
  reply.code(media.status).type(media.contentType)
  if (media.contentLength !== undefined) reply.header('content-length', media.contentLength)
  if (media.contentRange !== undefined) reply.header('content-range', media.contentRange)
  return reply.send(media.body instanceof Readable ? media.body : Readable.from(media.body))
}

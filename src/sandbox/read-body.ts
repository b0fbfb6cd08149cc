import type { IncomingMessage } from 'node:http'

/** Above the largest body that the gateway forwards. */
const BODY_BYTES_MAX = 64 * 1024 * 1024

export async function readBody(request: IncomingMessage): Promise<Buffer | 'too-large'> {
  const chunks: Buffer[] = []
  let bytes = 0
  // The rest of a body that is too large stays unread, but the connection must live to carry the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return 'too-large'
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

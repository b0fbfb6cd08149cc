import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { ReplySink } from '../app/text/reply-sink.ts'

/** Up to here a copy is cheaper than a second piece to write. */
const JOINED_BYTES_MAX = 16 * 1024

/** A client's connection as a place for a text reply: past the framework, straight to Node's own response. */
export function openSink(reply: FastifyReply): ReplySink {
  const { raw } = reply
  return {
    begin({ status, headers, body }) {
      reply.hijack()
      const named: Record<string, OutgoingHttpHeader | undefined> = Object.assign(reply.getHeaders(), headers)
      if (body === undefined) {
        // Small events must not wait for more to come.
        raw.socket?.setNoDelay(true)
        raw.writeHead(status, named)
      } else {
        named['content-length'] = Buffer.byteLength(body)
        raw.writeHead(status, named)
        endWith(raw, body)
      }
    },
    write: (bytes) => raw.write(bytes),
    end: () => void raw.end(),
    cut: () => void raw.destroy(),
    onDrain: (listener) => void raw.on('drain', listener),
    onClose(listener) {
      if (raw.destroyed || raw.socket?.destroyed) listener()
      else raw.once('close', listener)
    },
  }
}

/** Node joins a head and a text into one write, but writes bytes beside it; read as latin1 they are the same bytes. */
function endWith(raw: ServerResponse, body: string | Uint8Array): void {
  if (Buffer.isBuffer(body) && body.length <= JOINED_BYTES_MAX) raw.end(body.toString('latin1'), 'latin1')
  else raw.end(body)
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReplySink } from '../app/text/reply-sink.ts'
import { REQUEST_ID_HEADER } from './request-id.ts'

/** A client's connection as a place for a text reply: past the framework, straight to Node's own response. */
export function openSink(request: FastifyRequest, reply: FastifyReply): ReplySink {
  const { raw } = reply
  return {
    begin({ status, headers, body }) {
      reply.hijack()
      const named: Record<string, string | number> = { ...headers, [REQUEST_ID_HEADER]: request.id }
      if (body === undefined) {
        // Small events must not wait for more to come.
        raw.socket?.setNoDelay(true)
        raw.writeHead(status, named)
      } else {
        named['content-length'] = Buffer.byteLength(body)
        raw.writeHead(status, named)
        raw.end(body)
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

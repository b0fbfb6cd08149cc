import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { PresentedError } from './present-error.ts'

const LINGER_MS = 1_000

/** A whole HTTP answer on a bare socket, for what never became a request. It is the last one on its connection. */
export function writeRawAnswer(socket: Duplex, presented: PresentedError): void {
  const { status, body } = presented
  const headers = {
    ...presented.headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  // Not at once: a socket closed over unread bytes is reset, and a reset can overtake the answer.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

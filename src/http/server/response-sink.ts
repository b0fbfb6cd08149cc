import { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ReplySink, SERVED_BY_HEADER, type SinkHead } from '../../app/text/contract/reply-sink.ts'
import type { TextFigures } from '../../ports/usage.ts'
import type { EdgeReply, EdgeRequest } from '../edge-request.ts'
import { answerHeaders } from '../errors/answer-headers.ts'

/** Up to here a copy is cheaper than a second piece to write. */
const JOINED_BYTES_MAX = 16 * 1024

/** A client's connection as a place for a text reply: past the framework, straight to Node's own response. */
export function openSink(request: EdgeRequest, reply: EdgeReply): ReplySink {
  return reply.sink ?? new ResponseSink(request, reply)
}

class ResponseSink implements ReplySink {
  readonly #request: EdgeRequest
  readonly #reply: EdgeReply
  readonly #raw: ServerResponse

  constructor(request: EdgeRequest, reply: EdgeReply) {
    this.#request = request
    this.#reply = reply
    this.#raw = reply.raw
  }

  begin({ status, headers, body }: SinkHead): void {
    const raw = this.#raw
    const named: Record<string, string | number> = { ...headers, ...answerHeaders(this.#request) }
    this.#request.servedBy = headers[SERVED_BY_HEADER]
    this.#reply.hijack()
    if (body === undefined) {
      // Small events must not wait for more to come.
      raw.socket?.setNoDelay(true)
      raw.writeHead(status, named)
    } else {
      const bytes = Buffer.byteLength(body)
      named['content-length'] = bytes
      raw.writeHead(status, named)
      endWith(raw, body, bytes)
    }
  }

  write(bytes: string | Uint8Array): boolean {
    return this.#raw.write(bytes)
  }

  end(): void {
    this.#raw.end()
  }

  cut(): void {
    this.#raw.destroy()
  }

  settled(usage: TextFigures): void {
    this.#request.textUsage = usage
  }

  onDrain(listener: () => void): void {
    this.#raw.on('drain', listener)
  }

  onClose(listener: () => void): void {
    if (this.#raw.destroyed || this.#raw.socket?.destroyed) listener()
    else this.#raw.on('close', listener)
  }
}

/** Node joins a head and a text into one write, but writes bytes beside it; read as latin1 they are the same bytes. */
function endWith(raw: ServerResponse, body: string | Uint8Array, bytes: number): void {
  const isPlain = body.length === bytes
  if (typeof body === 'string') raw.end(body, isPlain ? 'latin1' : 'utf8')
  else if (Buffer.isBuffer(body) && bytes <= JOINED_BYTES_MAX) raw.end(body.toString('latin1'), 'latin1')
  else raw.end(body)
}

/** The answer a socket is busy with. Node keeps it under this name, and looks at it for the same reasons. */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return message instanceof ServerResponse ? message : undefined
}

/** What an operator sees of a request whose client hung up before it was answered. */
export const CLIENT_CLOSED_REQUEST = 499

/** Of requests that were answered past their response: by a WebSocket, or because the rest of them was no HTTP. */
const rawStatuses = new WeakMap<ServerResponse, number>()

export function noteRawStatus(response: ServerResponse, status: number): void {
  rawStatuses.set(response, status)
}

export function rawStatusOf(response: ServerResponse): number | undefined {
  return rawStatuses.get(response)
}

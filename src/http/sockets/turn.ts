import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { ReplySession } from '../../app/text/contract/reply-session.ts'
import { type ReplySink, SERVED_BY_HEADER, type SinkHead } from '../../app/text/contract/reply-sink.ts'
import type { TextFigures } from '../../ports/usage.ts'
import type { EdgeReply, EdgeRequest, EventNotes } from '../edge-request.ts'
import { CLIENT_CLOSED_REQUEST, noteRawStatus } from '../server/response-sink.ts'
import { ShortRequest } from '../server/short-way.ts'
import { frameOf, framesOf } from './socket-frames.ts'

/** What a turn needs of its connection. */
export interface TurnSocket {
  /** Sends whole frames. False: the client is slow. */
  send(frames: Buffer): boolean
  /** The turn has said its last word. `onSent` is called when the client's side has all of it, or the connection is gone. */
  finish(turn: TurnReply, onSent: () => void): void
  cut(): void
}

/** One event of a client as a request: with the head that opened the connection, and a body of its own. */
export class TurnRequest extends ShortRequest {
  readonly event: EventNotes
  /** The event as it came. */
  readonly frame: Buffer
  readonly #headers: IncomingHttpHeaders

  constructor(
    id: string,
    {
      raw,
      headers,
      route,
      session,
      frame,
    }: {
      raw: IncomingMessage
      headers: IncomingHttpHeaders
      route: EdgeRequest['routeOptions']
      session: ReplySession
      frame: Buffer
    },
  ) {
    super(id, raw, 'GET', route)
    this.#headers = headers
    this.event = { session, isWarmUp: false }
    this.frame = frame
  }

  override get headers(): IncomingHttpHeaders {
    return this.#headers
  }
}

/**
 * The answer to one event: an error, or a reply as one event for each frame.
 *
 *   open -> begun (the reply) -> ended (its last event, or an error) -> closed (the client's side has it, or is gone)
 *
 * `raw` is never sent. It is what those who count, trace and wait for the end of a request listen to.
 */
export class TurnReply implements EdgeReply, ReplySink {
  readonly raw: ServerResponse
  readonly #request: TurnRequest
  readonly #socket: TurnSocket
  #status = CLIENT_CLOSED_REQUEST
  #state: 'open' | 'begun' | 'ended' | 'closed' = 'open'

  constructor(request: TurnRequest, socket: TurnSocket) {
    this.#request = request
    this.#socket = socket
    this.raw = new ServerResponse(request.raw)
  }

  get sink(): ReplySink {
    return this
  }

  code(status: number): void {
    this.#status = status
  }

  /** An event has no head. */
  headers(): void {}

  getHeaders(): Record<string, string> {
    return {}
  }

  hijack(): void {}

  /** Only errors come here: `body` is their envelope. One that comes in the middle of a reply cannot be told. */
  send(body: string | Readable): void {
    if (this.#state === 'begun') this.cut()
    if (this.#state !== 'open' || typeof body !== 'string') return
    this.#socket.send(frameOf(`{"type":"error","status":${this.#status},${body.slice(1)}`))
    this.#finish()
  }

  begin({ status, headers, body }: SinkHead): void {
    if (body !== undefined) throw new Error('a reply over a WebSocket is a stream')
    this.#status = status
    this.#state = 'begun'
    this.#request.servedBy = headers[SERVED_BY_HEADER]
  }

  write(bytes: string | Uint8Array): boolean {
    const { frames, goodEnd } = framesOf(bytes)
    // The session must know the reply before the client does, whose next event may come at once.
    if (goodEnd !== undefined) this.#request.event.session.end(goodEnd)
    return this.#socket.send(frames)
  }

  end(): void {
    if (this.#state === 'begun') this.#finish()
  }

  cut(): void {
    this.#socket.cut()
  }

  settled(usage: TextFigures): void {
    this.#request.textUsage = usage
  }

  onDrain(listener: () => void): void {
    this.raw.on('drain', listener)
  }

  onClose(listener: () => void): void {
    if (this.#state === 'closed') listener()
    else this.raw.on('close', listener)
  }

  /** The client can take more. */
  drained(): void {
    this.raw.emit('drain')
  }

  closed(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    noteRawStatus(this.raw, this.#status)
    this.raw.destroyed = true
    this.raw.emit('close')
  }

  #finish(): void {
    this.#state = 'ended'
    this.#socket.finish(this, () => this.closed())
  }
}

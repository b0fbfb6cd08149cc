import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { ReplySession } from '../../app/text/kept/reply-session.ts'
import { FRAME_BYTES_MAX } from '../../app/text/relay/relay.ts'
import { type ReplySink, SERVED_BY_HEADER, type SinkHead } from '../../app/text/relay/reply-sink.ts'
import { createFrameSplitter } from '../../llm/sse/split-frames.ts'
import type { TextFigures } from '../../ports/usage.ts'
import type { EdgeReply, EdgeRequest, EventNotes } from '../edge-request.ts'
import { CLIENT_CLOSED_REQUEST, noteRawStatus } from '../server/response-sink.ts'
import { ShortRequest } from '../server/short-way.ts'

/** What a turn needs of its connection. */
export interface TurnSocket {
  /** Sends events, in order. False: the client is slow. */
  send(events: readonly string[]): boolean
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

const GOOD_ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete'])

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
  #events: string[] = []
  readonly #splitter = createFrameSplitter((name, data) => this.#take(name, data), {
    maxFrameBytes: FRAME_BYTES_MAX,
  })

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

  hijack(): void {}

  /** Only errors come here: `body` is their envelope. One that comes in the middle of a reply cannot be told. */
  send(body: string | Readable): void {
    if (this.#state === 'begun') this.cut()
    if (this.#state !== 'open' || typeof body !== 'string') return
    this.#socket.send([`{"type":"error","status":${this.#status},${body.slice(1)}`])
    this.#finish()
  }

  begin({ status, headers, body }: SinkHead): void {
    if (body !== undefined) throw new Error('a reply over a WebSocket is a stream')
    this.#status = status
    this.#state = 'begun'
    this.#request.servedBy = headers[SERVED_BY_HEADER]
  }

  write(bytes: string | Uint8Array): boolean {
    this.#splitter.push(typeof bytes === 'string' ? Buffer.from(bytes) : bytes)
    const events = this.#events
    this.#events = []
    return this.#socket.send(events)
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

  #take(name: string | undefined, data: string): void {
    // The session must know the reply before the client does, whose next event may come at once.
    if (GOOD_ENDS.has(name ?? typeOf(data))) this.#request.event.session.end(data)
    this.#events.push(data)
  }

  #finish(): void {
    this.#state = 'ended'
    this.#socket.finish(this, () => this.closed())
  }
}

/** Some vendors leave the name out. */
function typeOf(data: string): string {
  return /^\s*\{\s*"type"\s*:\s*"([^"\\]*)"/.exec(data)?.[1] ?? ''
}

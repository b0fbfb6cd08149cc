import { type IncomingMessage, ServerResponse } from 'node:http'
import { SERVED_BY_HEADER, type SinkHead } from '../../app/text/contract/reply-sink.ts'
import { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
import { CLIENT_CLOSED_REQUEST, noteRawStatus } from '../server/raw-answers.ts'
import { frameOf, framesOf } from './socket-frames.ts'

export interface TurnSocket {
  /** Sends whole frames. Returns false when the client is slow. */
  send(frames: Buffer): boolean
  /** Ends the turn. `onSent` is called when the client has received everything, or the connection is gone. */
  finish(turn: TurnReply, onSent: () => void): void
  cut(): void
}

/**
 * Response to one event: an error, or a reply with one frame for each event.
 *
 *   open -> begun (the reply) -> ended (its last event, or an error) -> closed (the client has it, or is gone)
 *
 * `raw` is never sent. Counting, tracing and the end of a request use its events.
 */
export class TurnReply extends EdgeReply {
  readonly #socket: TurnSocket
  readonly #response: ServerResponse
  #state: 'open' | 'begun' | 'ended' | 'closed' = 'open'

  constructor(request: EdgeRequest, raw: IncomingMessage, socket: TurnSocket) {
    const response = new ServerResponse(raw)
    super(request, response)
    this.#response = response
    this.status = CLIENT_CLOSED_REQUEST
    this.#socket = socket
  }

  /** Called only for errors: `body` is their envelope. An error in the middle of a reply cannot be sent. */
  override send(body: unknown): undefined {
    if (this.#state === 'begun') this.cut()
    if (this.#state !== 'open' || typeof body !== 'string') return
    this.request.recording?.add(body)
    this.#socket.send(frameOf(`{"type":"error","status":${this.status},${body.slice(1)}`))
    this.#finish()
  }

  override begin({ status, headers, body }: SinkHead): void {
    if (body !== undefined) throw new Error('a reply over a WebSocket is a stream')
    this.status = status
    this.#state = 'begun'
    this.request.servedBy = headers[SERVED_BY_HEADER]
  }

  override write(bytes: string | Uint8Array): boolean {
    this.request.recording?.add(bytes)
    const { frames, goodEnd } = framesOf(bytes)
    // The session learns the reply before the client, whose next event may follow immediately.
    if (goodEnd !== undefined) this.request.event?.session.end(goodEnd)
    return this.#socket.send(frames)
  }

  override end(): void {
    if (this.#state === 'begun') this.#finish()
  }

  override cut(): void {
    this.#socket.cut()
  }

  override onClose(listener: () => void): void {
    if (this.#state === 'closed') listener()
    else this.raw.on('close', listener)
  }

  /** The client can take more. */
  drained(): void {
    this.#response.emit('drain')
  }

  closed(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    noteRawStatus(this.raw, this.status)
    this.#response.destroyed = true
    this.#response.emit('close')
  }

  #finish(): void {
    this.#state = 'ended'
    this.#socket.finish(this, () => this.closed())
  }
}

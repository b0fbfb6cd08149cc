import type { Socket } from 'node:net'
import type { RawData, WebSocket } from 'ws'
import { ReplySession, type SessionRoom } from '../../app/text/contract/reply-session.ts'
import type { Clock } from '../../ports/clock.ts'
import type { BodyGauge } from '../body/body-gauge.ts'
import type { BodyWatch } from '../body/body-rate.ts'
import { FrameMeter } from './frame-meter.ts'
import type { TurnReply, TurnSocket } from './turn.ts'

/** Why a connection ends, in the numbers of RFC 6455. */
const CLOSE = { normal: 1000, goingAway: 1001, policy: 1008, tryLater: 1013 } as const

/** The time in which a client has to answer the end of its connection. */
const CLOSING_MS_MAX = 1_000
/** A client that has sent nothing, not even an answer to a ping, for so many ticks is gone. */
const QUIET_TICKS_MAX = 3

export interface ConnectionParts {
  ws: WebSocket
  socket: Socket
  holder: string
  bodies: BodyGauge
  watch: BodyWatch
  room: SessionRoom
  clock: Clock
  /** The connection may be open for so long without a response that runs. */
  idleMs: number
  /** An event has come whole. */
  onFrame(frame: Buffer, connection: Connection, heldBytes: number): void
  onClose(): void
}

/**
 * One WebSocket: one response at a time, as many as the client wants.
 *
 *   idle -> busy (an event came) -> idle (its last word was sent) ...
 *   any  -> leaving   the process stops, or nothing was asked for long: closed as soon as it is idle
 *   any  -> closed    by either side, or cut
 */
export class Connection implements TurnSocket {
  readonly session: ReplySession
  readonly #parts: ConnectionParts
  readonly #meter: FrameMeter
  #turn: TurnReply | undefined
  /** Answers that are not sent to their end, the current one among them. */
  readonly #open = new Set<TurnReply>()
  #isLeaving = false
  #idleSinceMs: number
  #quietTicks = 0

  constructor(parts: ConnectionParts) {
    const { ws, socket, clock, room } = parts
    this.#parts = parts
    this.#idleSinceMs = clock.monotonicMs()
    this.session = new ReplySession(room)
    this.#meter = new FrameMeter(parts, (why) =>
      this.#close(why === 'too-slow' ? CLOSE.policy : CLOSE.tryLater),
    )
    socket.setNoDelay(true)
    socket.prependListener('data', (chunk: Buffer) => {
      this.#quietTicks = 0
      this.#meter.add(chunk.length)
    })
    socket.on('drain', () => this.#drained())
    ws.on('ping', (content: Buffer) => this.#heardControl(content))
    ws.on('pong', (content: Buffer) => this.#heardControl(content))
    ws.on('message', (frame) => this.#heard(frame))
    // A close with its reason follows.
    ws.on('error', () => {})
    ws.on('close', () => this.#closed())
  }

  /** False: another response runs. */
  take(turn: TurnReply): boolean {
    this.#open.add(turn)
    if (this.#turn !== undefined) return false
    this.#turn = turn
    return true
  }

  /** Past the library, which holds nothing back where nothing is compressed. */
  send(frames: Buffer): boolean {
    const { ws, socket } = this.#parts
    if (ws.readyState === ws.OPEN && frames.length > 0) socket.write(frames)
    return !socket.writableNeedDrain
  }

  finish(turn: TurnReply, onSent: () => void): void {
    const { socket, clock } = this.#parts
    if (this.#turn === turn) {
      this.#turn = undefined
      this.#idleSinceMs = clock.monotonicMs()
    }
    const sent = () => {
      this.#open.delete(turn)
      onSent()
    }
    if (socket.destroyed || socket.writableLength === 0) setImmediate(sent)
    // Its callback comes when all that was written before it has left.
    else socket.write('', sent)
    if (this.#isLeaving) this.leave()
  }

  cut(): void {
    this.#parts.ws.terminate()
  }

  /** Ends the connection as soon as no response runs. */
  leave(): void {
    this.#isLeaving = true
    if (this.#turn === undefined) this.#close(CLOSE.goingAway)
  }

  /** A connection that was opened while the process stops may ask once. */
  leaveAfterNext(): void {
    this.#isLeaving = true
  }

  /** Called in steady intervals: keeps the connection open through proxies, and ends it when the client is gone or silent. */
  tick(): void {
    const { ws, socket, clock, idleMs } = this.#parts
    const isIdle = this.#turn === undefined
    this.#quietTicks += 1
    if (isIdle && clock.monotonicMs() - this.#idleSinceMs >= idleMs) this.#close(CLOSE.normal)
    // A client that does not read is the response's concern: its answer to a ping is not read either.
    else if (socket.writableNeedDrain && !isIdle) this.#quietTicks = 0
    else if (this.#quietTicks >= QUIET_TICKS_MAX) this.cut()
    else if (ws.readyState === ws.OPEN) ws.ping()
  }

  #heard(frame: RawData): void {
    const { ws, onFrame } = this.#parts
    this.#stopReadingWhenFull()
    // An event that comes after our goodbye could not be answered. An event comes as one buffer unless another form is asked for.
    if (ws.readyState === ws.OPEN && Buffer.isBuffer(frame)) onFrame(frame, this, this.#meter.take())
  }

  #heardControl({ length }: Buffer): void {
    this.#meter.removeControl(length)
    this.#stopReadingWhenFull()
  }

  /** Each event and each ping has an answer: a client that does not read must not make them pile up. */
  #stopReadingWhenFull(): void {
    const { ws, socket } = this.#parts
    if (socket.writableNeedDrain) ws.pause()
  }

  #drained(): void {
    this.#parts.ws.resume()
    this.#turn?.drained()
  }

  #close(code: number): void {
    const { ws } = this.#parts
    ws.close(code)
    setTimeout(() => ws.terminate(), CLOSING_MS_MAX).unref()
  }

  #closed(): void {
    this.#meter.end()
    this.session.forget()
    for (const turn of this.#open) turn.closed()
    this.#open.clear()
    this.#parts.onClose()
  }
}

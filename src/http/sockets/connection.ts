import type { Socket } from 'node:net'
import type { RawData, WebSocket } from 'ws'
import { ReplySession, type SessionRoom } from '../../app/text/contract/reply-session.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import type { Clock } from '../../ports/clock.ts'
import type { BodyGauge } from '../body/body-gauge.ts'
import type { BodyWatch } from '../body/body-rate.ts'
import { SMALL_BYTES } from '../body/json-body.ts'
import { FrameParts } from './frame-parts.ts'
import type { TurnReply, TurnSocket } from './turn.ts'

/** Close codes of RFC 6455. */
const CLOSE = { normal: 1000, goingAway: 1001, policy: 1008, tryLater: 1013 } as const

/** Time for the client to confirm the end of its connection. */
const CLOSING_MS_MAX = 1_000
/** Ticks without data or pong after which the client counts as gone. */
const QUIET_TICKS_MAX = 3
/** Minimum time between two pongs. */
const PONG_EVERY_MS = 1_000

export interface ConnectionParts {
  ws: WebSocket
  socket: Socket
  holder: string
  bodies: BodyGauge
  watch: BodyWatch
  turns: Pick<BodyTurns, 'take' | 'book'>
  room: SessionRoom
  clock: Clock
  /** Time that the connection may be open without a running response. */
  idleMs: number
  /** Called with a complete event. */
  onFrame(frame: Buffer, connection: Connection, heldBytes: number): void
  onClose(): void
}

/**
 * One WebSocket with one response at a time.
 *
 *   idle -> busy (an event came) -> idle (its final event was sent) ...
 *   any  -> leaving   the process stops: closed as soon as it is idle
 *   any  -> closed    by either side, after a long idle time, or cut
 */
export class Connection implements TurnSocket {
  readonly session: ReplySession
  readonly #parts: ConnectionParts
  readonly #meter: FrameMeter
  readonly #frameParts = new FrameParts()
  /** The library's listener for data, which parses frames. */
  readonly #parse: (chunk: Buffer) => void
  /** Bytes that wait for their turn. */
  readonly #unparsed: Buffer[] = []
  /** Set after an invalid frame or a refused event: bytes are read and dropped, until the close frame arrives. */
  #dropsInput = false
  #turn: TurnReply | undefined
  /** Responses that are not completely sent, including the current one. */
  readonly #open = new Set<TurnReply>()
  #isLeaving = false
  #idleSinceMs: number
  #quietTicks = 0
  /** Latest ping that waits for its pong. By RFC 6455 that pong also answers the earlier pings. */
  #ping: Buffer | undefined
  #pongTimer: NodeJS.Timeout | undefined

  constructor(parts: ConnectionParts) {
    const { ws, socket, clock, room } = parts
    this.#parts = parts
    this.#idleSinceMs = clock.monotonicMs()
    this.session = new ReplySession(room)
    this.#meter = new FrameMeter(parts, (code) => this.#refuse(code))
    socket.setNoDelay(true)
    // The fast door's own listener may come before that of the library.
    const parse = socket.listeners('data').at(-1)
    this.#parse = (chunk) => void (parse !== undefined && Reflect.apply(parse, socket, [chunk]))
    socket.removeAllListeners('data')
    socket.on('data', (chunk: Buffer) => this.#onData(chunk))
    socket.on('drain', () => this.#drained())
    ws.on('ping', (content: Buffer) => {
      this.#ping = content
      this.#onControl(content)
    })
    ws.on('pong', (content: Buffer) => this.#onControl(content))
    ws.on('message', (frame) => this.#onEvent(frame))
    // A close event with the reason follows.
    ws.on('error', () => {
      this.#dropsInput = true
    })
    ws.on('close', () => this.#closed())
  }

  /** Returns false while another response runs. */
  take(turn: TurnReply): boolean {
    this.#open.add(turn)
    if (this.#turn !== undefined) return false
    this.#turn = turn
    return true
  }

  /** Writes past the library, which buffers no frame while compression is off. */
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
    // The callback runs when all earlier writes were sent.
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

  /** For a connection that was opened while the process stops: it may send one event. */
  leaveAfterNext(): void {
    this.#isLeaving = true
  }

  /** Keeps the connection open through proxies, and ends it when the client is gone or silent. */
  tick(): void {
    const { ws, socket, clock, idleMs } = this.#parts
    const isIdle = this.#turn === undefined
    this.#quietTicks += 1
    this.#frameParts.controls = 0
    if (isIdle && clock.monotonicMs() - this.#idleSinceMs >= idleMs) this.#close(CLOSE.normal)
    // While the socket is full the connection reads nothing, so a missing pong proves nothing.
    else if (socket.writableNeedDrain && !isIdle) this.#quietTicks = 0
    else if (this.#quietTicks >= QUIET_TICKS_MAX) this.cut()
    else if (ws.readyState === ws.OPEN) ws.ping()
  }

  /** Parses in turns: a packet may contain thousands of frames, and many connections may get such a packet. */
  #onData(chunk: Buffer): void {
    const { socket, turns, holder } = this.#parts
    this.#quietTicks = 0
    this.#unparsed.push(chunk)
    turns.take(holder, () => this.#parseNext())
    if (this.#unparsed.length > 0) socket.pause()
  }

  /** Parses one chunk. Its first event is emitted later in the same turn, and a costly one waits for a turn of its own. */
  #parseNext(): 'short' {
    const { ws, socket } = this.#parts
    const chunk = this.#unparsed.shift()
    if (chunk === undefined || socket.destroyed) return 'short'
    // The socket is resumed before parsing, which pauses it again while the library has enough.
    if (socket.isPaused() && !ws.isPaused) socket.resume()
    if (!this.#dropsInput && this.#frameParts.read(chunk)) this.#refuse(CLOSE.policy)
    if (!this.#dropsInput) {
      this.#meter.add(chunk.length)
      this.#parse(chunk)
    }
    return 'short'
  }

  #onEvent(frame: RawData): void {
    const { ws, onFrame } = this.#parts
    this.#stopReadingWhenFull()
    // Events after our close could not be answered. An event is one buffer by default.
    if (ws.readyState === ws.OPEN && Buffer.isBuffer(frame)) onFrame(frame, this, this.#meter.take())
  }

  #onControl({ length }: Buffer): void {
    this.#parts.turns.book.begin(this.#parts.holder)
    this.#meter.removeControl(length)
    if (this.#pongTimer === undefined) this.#pong()
    this.#stopReadingWhenFull()
  }

  #pong(): void {
    const ping = this.#ping
    this.#ping = undefined
    if (ping !== undefined) this.#parts.ws.pong(ping)
    this.#pongTimer = ping && setTimeout(() => this.#pong(), PONG_EVERY_MS).unref()
  }

  /** Each event gets a response, and the responses of a client that does not read must not accumulate. */
  #stopReadingWhenFull(): void {
    const { ws, socket } = this.#parts
    if (socket.writableNeedDrain) ws.pause()
  }

  #drained(): void {
    this.#parts.ws.resume()
    this.#turn?.drained()
  }

  #refuse(code: number): void {
    this.#dropsInput = true
    this.#close(code)
  }

  #close(code: number): void {
    const { ws } = this.#parts
    ws.close(code)
    setTimeout(() => ws.terminate(), CLOSING_MS_MAX).unref()
  }

  #closed(): void {
    clearTimeout(this.#pongTimer)
    this.#meter.end()
    this.session.forget()
    for (const turn of this.#open) turn.closed()
    this.#open.clear()
    this.#parts.onClose()
  }
}

/** Size of a client's control frame without its content: two bytes and a mask. */
const CONTROL_HEAD_BYTES = 6

type MeterParts = Pick<ConnectionParts, 'bodies' | 'watch' | 'holder'>

/** Counts the bytes of an incomplete event, so that they count as held, and a slow event ends its connection. */
class FrameMeter {
  readonly #parts: MeterParts
  readonly #refuse: (code: number) => void
  #bytes = 0
  #heldBytes = 0
  #endWatch: (() => void) | undefined

  constructor(parts: MeterParts, refuse: (code: number) => void) {
    this.#parts = parts
    this.#refuse = refuse
  }

  /** Called before the bytes are parsed. */
  add(bytes: number): void {
    this.#bytes += bytes
    const { bodies, watch, holder } = this.#parts
    this.#endWatch ??= watch.begin(
      () => this.#bytes,
      () => this.#refuse(CLOSE.policy),
    )
    const more = this.#bytes - this.#heldBytes
    if (this.#bytes <= SMALL_BYTES || more <= 0) return
    if (bodies.take(holder, more) === undefined) this.#heldBytes += more
    else this.#refuse(CLOSE.tryLater)
  }

  /** Removes a control frame, which belongs to no event. */
  removeControl(contentBytes: number): void {
    this.#bytes = Math.max(0, this.#bytes - CONTROL_HEAD_BYTES - contentBytes)
    if (this.#bytes === 0) this.#stopWatch()
  }

  /** Called for a complete event: returns its held bytes, which its request releases. */
  take(): number {
    const held = this.#heldBytes
    this.#bytes = 0
    this.#heldBytes = 0
    this.#stopWatch()
    return held
  }

  end(): void {
    this.#parts.bodies.give(this.#parts.holder, this.take())
  }

  #stopWatch(): void {
    this.#endWatch?.()
    this.#endWatch = undefined
  }
}

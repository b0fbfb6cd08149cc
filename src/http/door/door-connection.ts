import type { Socket } from 'node:net'
import { DoorReply, type ReplyConnection } from './door-reply.ts'
import { DoorRequest } from './door-request.ts'
import { type HotPaths, readHead } from './read-head.ts'
import { type BodyFault, RequestChunks } from './request-chunks.ts'
import { CHUNKS_OF_REFUSAL, CHUNKS_OF_REQUEST, type TurnBudget } from './turn-budget.ts'

/** Bytes of later requests that wait before the socket is paused. The limit is small: each new packet copies them. */
const WAITING_BYTES_MAX = 16 * 1024
/** Head bytes per chunk of cost: a head above 4 KiB costs more than `CHUNKS_OF_REQUEST`. */
const HEAD_BYTES_PER_CHUNK = 16

export interface DoorParts {
  paths: HotPaths
  budget: TurnBudget
  keepAliveLines: string
  dateLine(): string
  /** Number of the current tick of the clock for timeouts. */
  tick(): number
  /** Whether connections end with their response. */
  isLeaving(): boolean
  serve(request: DoorRequest, reply: DoorReply): void
  /** Answers a malformed or late request, under the error code of Node's parser. */
  refuse(code: BodyFault | 'HPE_INVALID_EOF_STATE' | 'ERR_HTTP_REQUEST_TIMEOUT', socket: Socket): void
  /** Gives the connection to Node's server, with bytes that it has to read first. */
  handOver(connection: DoorConnection, bytes: Buffer | undefined): void
  closed(connection: DoorConnection): void
}

/**
 * Connection whose requests the fast door reads, one after the other.
 *
 *   fresh         -> serving (a request) -> idle -> serving ... -> ended
 *   fresh or idle -> handed over, for good, at a head that is not plain
 */
export class DoorConnection implements ReplyConnection {
  readonly socket: Socket
  readonly #parts: DoorParts
  /** Response to the current request; undefined while the connection waits for a request. */
  #reply: DoorReply | undefined
  #chunked: RequestChunks | undefined
  /** Missing bytes of a body with an announced length. */
  #left = 0
  /** Bytes that arrived and are not read yet. */
  #rest: Buffer | undefined
  /** The last response was sent, or the input was refused: further bytes are dropped. */
  #isOver = false
  #hasServed = false
  /** Tick at which the current state began. */
  #sinceTick: number

  constructor(socket: Socket, parts: DoorParts) {
    this.socket = socket
    this.#parts = parts
    this.#sinceTick = parts.tick()
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
    socket.on('error', this.#onError)
    socket.on('close', this.#onClose)
    socket.on('drain', this.#onDrain)
  }

  get keepAliveLines(): string {
    return this.#parts.keepAliveLines
  }

  get isIdle(): boolean {
    return this.#reply === undefined && this.#rest === undefined && !this.#isOver
  }

  dateLine(): string {
    return this.#parts.dateLine()
  }

  /** Leaves the socket to Node's server. */
  release(): void {
    const { socket } = this
    socket.off('data', this.#onData)
    socket.off('end', this.#onEnd)
    socket.off('error', this.#onError)
    socket.off('close', this.#onClose)
    socket.off('drain', this.#onDrain)
  }

  /** Whether the state of the connection lasts longer than its limit. Limits are ticks. */
  isLate(limits: { fresh: number; idle: number; body: number }): boolean {
    if (this.#reply?.req.complete || (this.#isOver && !this.#hasServed)) return false
    const limit = this.#reply === undefined ? (this.#hasServed ? limits.idle : limits.fresh) : limits.body
    return this.#parts.tick() - this.#sinceTick > limit
  }

  endIfLate(limits: Parameters<DoorConnection['isLate']>[0]): void {
    if (!this.isLate(limits)) return
    if (this.#reply === undefined && this.#hasServed) this.socket.destroy()
    else this.#refuse('ERR_HTTP_REQUEST_TIMEOUT')
  }

  /** Reads the bytes that were left for a later turn. */
  goOn(): void {
    const rest = this.#rest
    this.#rest = undefined
    if (this.socket.destroyed) return
    this.socket.resume()
    if (rest !== undefined) this.#onData(rest)
  }

  sent(reply: DoorReply): void {
    const { socket } = this
    this.#reply = undefined
    Reflect.set(socket, '_httpMessage', null)
    const isLast = !reply.shouldKeepAlive || !reply.req.complete || this.#parts.isLeaving()
    if (isLast || this.#isOver) {
      this.#isOver = true
      this.#rest = undefined
      socket.destroySoon()
      return
    }
    this.#hasServed = true
    this.#sinceTick = this.#parts.tick()
    // Each request gets its own turn of the event loop: one packet may contain many.
    if (this.#rest !== undefined) setImmediate(() => this.goOn())
    else if (socket.isPaused()) socket.resume()
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#isOver) return
    if (this.#rest !== undefined) this.#keep(bytes)
    else if (this.#reply === undefined) this.#begin(bytes)
    else if (this.#reply.req.complete) this.#keep(bytes)
    else {
      const fault = this.#takeBody(this.#reply.req, bytes)
      if (fault !== undefined) this.#refuse(fault)
    }
  }

  readonly #onEnd = (): void => {
    if (this.#reply !== undefined && !this.#reply.req.complete) this.#refuse('HPE_INVALID_EOF_STATE')
    else this.socket.end()
  }

  readonly #onError = (): void => {
    this.socket.destroy()
  }

  readonly #onClose = (): void => {
    const reply = this.#reply
    this.#rest = undefined
    this.#parts.closed(this)
    // `closed` comes first, so that the request counts as left by its client, not as malformed.
    reply?.closed()
    reply?.req.fail()
  }

  readonly #onDrain = (): void => {
    this.#reply?.drained()
  }

  #begin(bytes: Buffer): void {
    const { budget } = this.#parts
    if (budget.chunksLeft <= 0) {
      this.#keep(bytes)
      budget.whenFree(this)
      return
    }
    const head = readHead(bytes, this.#parts.paths)
    if (head === undefined) {
      budget.use(CHUNKS_OF_REQUEST)
      this.#parts.handOver(this, bytes)
      return
    }
    const request = new DoorRequest(head, this.socket)
    const reply = new DoorReply(request, this, head.keepsAlive)
    this.#reply = reply
    this.#sinceTick = this.#parts.tick()
    this.#chunked = head.bodyBytes === undefined ? new RequestChunks() : undefined
    this.#left = head.bodyBytes ?? 0
    // `currentResponse` finds the response under this name, which Node uses too.
    Reflect.set(this.socket, '_httpMessage', reply)
    // Most bodies arrive with their head: the steps then find the whole body.
    const hasMore = head.bodyBytes === 0 || bytes.length > head.bytes
    const fault = hasMore ? this.#takeBody(request, bytes.subarray(head.bytes)) : undefined
    this.#parts.serve(request, reply)
    const chunks = reply.isRefusal ? CHUNKS_OF_REFUSAL : CHUNKS_OF_REQUEST
    budget.use(Math.max(chunks, head.bytes / HEAD_BYTES_PER_CHUNK))
    if (fault !== undefined) this.#refuse(fault)
  }

  #takeBody(request: DoorRequest, bytes: Buffer): BodyFault | undefined {
    if (this.#chunked !== undefined) return this.#takeChunks(request, this.#chunked, bytes)
    const used = Math.min(this.#left, bytes.length)
    this.#left -= used
    if (bytes.length > used) this.#keep(bytes.subarray(used))
    if (this.#left > 0) request.arrive(bytes)
    else request.arriveLast(used === 0 ? undefined : bytes.subarray(0, used))
    return undefined
  }

  #takeChunks(request: DoorRequest, chunked: RequestChunks, bytes: Buffer): BodyFault | undefined {
    const { budget } = this.#parts
    const used = chunked.read(bytes, 0, budget.chunksLeft)
    budget.use(chunked.chunks)
    if (used < bytes.length) this.#keep(bytes.subarray(used))
    if (chunked.fault !== undefined) return chunked.fault
    const { content, tinyChunks } = chunked
    if (chunked.isDone) request.arriveLast(content, tinyChunks)
    else {
      if (content !== undefined) request.arrive(content, tinyChunks)
      if (used < bytes.length) {
        this.socket.pause()
        budget.whenFree(this)
      }
    }
    return undefined
  }

  #keep(bytes: Buffer): void {
    this.#rest = this.#rest === undefined ? bytes : Buffer.concat([this.#rest, bytes])
    if (this.#rest.length > WAITING_BYTES_MAX) this.socket.pause()
  }

  #refuse(code: Parameters<DoorParts['refuse']>[0]): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#rest = undefined
    this.#parts.refuse(code, this.socket)
  }
}

import { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { RawRequest } from '../raw.ts'
import type { DoorHead } from './read-head.ts'

/** Bytes that wait for a reader before the socket is paused. */
const WAITING_BYTES_MAX = 64 * 1024

/**
 * Request that the fast door has read. Its body waits until it has a reader.
 *
 *   arriving -> complete (all of it is here) -> ended (its reader has it)
 *            -> destroyed (the client has left)
 */
export class DoorRequest extends EventEmitter implements RawRequest {
  readonly method: DoorHead['method']
  readonly httpVersion = '1.1'
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly socket: Socket
  complete = false
  readableEnded = false
  destroyed = false
  /** Chunks that wait for a reader. */
  #waiting: { chunk: Buffer; tinyChunks: number | undefined }[] = []
  #waitingBytes = 0
  #flow: 'none' | 'flowing' | 'paused' = 'none'

  constructor({ method, url, headers, rawHeaders }: DoorHead, socket: Socket) {
    super()
    this.method = method
    this.url = url
    this.headers = headers
    this.rawHeaders = rawHeaders
    this.socket = socket
  }

  override on(event: string, listener: (...values: never[]) => void): this {
    super.on(event, listener as () => void)
    // Waits a tick, in which the reader adds its other listeners.
    if (event === 'data' && this.#flow === 'none') {
      this.#flow = 'flowing'
      process.nextTick(() => this.#deliver())
    }
    return this
  }

  takeWhole(): Buffer | undefined {
    const [only] = this.#waiting
    if (!this.complete || this.#flow !== 'none' || this.#waiting.length !== 1 || only?.tinyChunks)
      return undefined
    this.#waiting = []
    this.readableEnded = true
    return only?.chunk
  }

  pause(): void {
    this.#flow = 'paused'
    this.socket.pause()
  }

  resume(): void {
    this.#flow = 'flowing'
    this.#deliver()
  }

  arrive(chunk: Buffer, tinyChunks?: number): void {
    if (this.#flow === 'flowing' && this.#waiting.length === 0) {
      this.emit('data', chunk, tinyChunks)
      return
    }
    this.#waiting.push({ chunk, tinyChunks })
    this.#waitingBytes += chunk.length
    if (this.#waitingBytes > WAITING_BYTES_MAX && !this.complete) this.socket.pause()
  }

  /** `chunk` is undefined when only the end of the body arrived. */
  arriveLast(chunk: Buffer | undefined, tinyChunks?: number): void {
    this.complete = true
    if (chunk !== undefined) this.arrive(chunk, tinyChunks)
    if (this.#flow === 'flowing') this.#deliver()
  }

  /** The client has left. */
  fail(): void {
    if (this.readableEnded || this.destroyed) return
    this.destroyed = true
    this.#waiting = []
    if (this.listenerCount('error') > 0) this.emit('error', new Error('aborted'))
    this.emit('close')
  }

  #deliver(): void {
    while (this.#flow === 'flowing' && !this.destroyed) {
      const next = this.#waiting.shift()
      if (next === undefined) break
      this.emit('data', next.chunk, next.tinyChunks)
    }
    if (this.#flow !== 'flowing' || this.destroyed) return
    this.#waitingBytes = 0
    if (!this.complete) this.socket.resume()
    else if (!this.readableEnded) {
      this.readableEnded = true
      this.emit('end')
    }
  }
}

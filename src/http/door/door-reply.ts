import { EventEmitter } from 'node:events'
import { type OutgoingHttpHeaders, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { RawReply } from '../raw.ts'
import type { DoorRequest } from './door-request.ts'

/** Size up to which bytes are joined with others into one write. */
const JOINED_BYTES_MAX = 16 * 1024

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t -~\x80-\xff]*$/

export interface ReplyConnection {
  readonly socket: Socket
  /** `Date` header with its line end. */
  dateLine(): string
  /** Headers of a connection that stays open, with their line ends. */
  readonly keepAliveLines: string
  /** Called when the last byte was given to the operating system. */
  sent(reply: DoorReply): void
}

/**
 * Response that the fast door writes: the same bytes as Node's response, in fewer pieces.
 *
 *   open -> headed (the head is made) -> ended (all of it is given to the socket) -> closed
 */
export class DoorReply extends EventEmitter implements RawReply {
  readonly req: DoorRequest
  readonly socket: Socket
  statusCode = 200
  headersSent = false
  writableFinished = false
  destroyed = false
  shouldKeepAlive: boolean
  isRefused = false
  readonly #connection: ReplyConnection
  #isChunked = false
  #isEnded = false
  #needsDrain = false
  /** Bytes for the next write, as latin1 text. */
  #pending = ''
  #flushes = false
  #isCorked = false
  #isClosed = false

  constructor(req: DoorRequest, connection: ReplyConnection, keepsAlive: boolean) {
    super()
    this.req = req
    this.socket = connection.socket
    this.#connection = connection
    this.shouldKeepAlive = keepsAlive
  }

  /** Whether the request is already refused. */
  get isRefusal(): boolean {
    return this.isRefused || (this.#isEnded && this.statusCode >= 400)
  }

  /** Does nothing, because the fast door takes no request with `expect`. */
  writeContinue(): void {}

  writeHead(status: number, headers: OutgoingHttpHeaders): void {
    if (this.headersSent) throw new Error('the head was written')
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
    for (const name in headers) {
      const value = headers[name]
      if (Array.isArray(value)) for (const each of value) head += headerLine(name, each)
      else if (value !== undefined) head += headerLine(name, value)
    }
    head += this.#connection.dateLine()
    head += this.shouldKeepAlive ? this.#connection.keepAliveLines : 'Connection: close\r\n'
    this.#isChunked = headers['content-length'] === undefined && status !== 204 && status !== 304
    if (this.#isChunked) head += 'Transfer-Encoding: chunked\r\n'
    this.statusCode = status
    this.headersSent = true
    this.#pending = `${head}\r\n`
  }

  write(bytes: string | Uint8Array, onWritten?: () => void): boolean {
    if (this.destroyed || this.#isEnded) return false
    this.#add(bytes)
    if (onWritten !== undefined) this.#flush(onWritten)
    else if (!this.#flushes) {
      this.#flushes = true
      process.nextTick(() => {
        if (this.#flushes) this.#flush()
      })
    }
    const { writableLength, writableHighWaterMark } = this.socket
    if (this.#pending.length + writableLength < writableHighWaterMark) return true
    this.#needsDrain = true
    return false
  }

  end(bytes?: string | Uint8Array, encoding?: 'latin1' | 'utf8'): void {
    if (this.destroyed || this.#isEnded) return
    const isText = typeof bytes === 'string' && !this.#isChunked
    if (bytes !== undefined && !isText) this.#add(bytes)
    if (this.#isChunked) this.#pending += '0\r\n\r\n'
    this.#isEnded = true
    const onSent = (error?: Error | null) => {
      if (!error) this.#finish()
    }
    if (isText) this.socket.write(this.#taken() + bytes, encoding ?? 'utf8', onSent)
    else this.socket.write(this.#taken(), 'latin1', onSent)
    this.#uncork()
  }

  destroy(): void {
    this.destroyed = true
    this.socket.destroy()
  }

  /** The client can take more. */
  drained(): void {
    if (!this.#needsDrain || this.#isEnded) return
    this.#needsDrain = false
    this.emit('drain')
  }

  /** The response has ended, or its client has left. */
  closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.destroyed = true
    this.emit('close')
  }

  #add(bytes: string | Uint8Array): void {
    if (bytes.length === 0) return
    const size = Buffer.byteLength(bytes)
    if (this.#isChunked) this.#pending += `${size.toString(16)}\r\n`
    if (typeof bytes === 'string' && size === bytes.length) this.#pending += bytes
    else this.#addBytes(typeof bytes === 'string' ? Buffer.from(bytes) : bytes)
    if (this.#isChunked) this.#pending += '\r\n'
  }

  #addBytes(bytes: Uint8Array): void {
    if (bytes.length <= JOINED_BYTES_MAX) {
      this.#pending += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
      return
    }
    // A large piece is written without a copy, after the pending text.
    if (!this.#isCorked) this.socket.cork()
    this.#isCorked = true
    this.socket.write(this.#taken(), 'latin1')
    this.socket.write(bytes)
  }

  #flush(onWritten?: () => void): void {
    this.#flushes = false
    if (this.destroyed || this.#isEnded) return
    const isTaken = this.socket.write(this.#taken(), 'latin1', onWritten)
    this.#uncork()
    // The socket emits `drain` only when it could not take a write immediately.
    if (isTaken) this.drained()
  }

  #uncork(): void {
    if (this.#isCorked) this.socket.uncork()
    this.#isCorked = false
  }

  #taken(): string {
    const pending = this.#pending
    this.#pending = ''
    return pending
  }

  #finish(): void {
    this.writableFinished = true
    this.#connection.sent(this)
    this.closed()
  }
}

/** A line end in a value would begin another header. */
function headerLine(name: string, value: string | number): string {
  const line = String(value)
  if (!NAME.test(name) || !VALUE.test(line)) throw new Error(`the header ${name} is not valid`)
  return `${name}: ${line}\r\n`
}

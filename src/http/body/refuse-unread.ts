import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
import type { RawRequest } from '../raw.ts'
import { announcesBody, awaitsContinue, tinyChunksIn } from './request-body.ts'

const UNREAD_BYTES_MAX = 32 * 1024 * 1024
const TICK_MS = 100
const UNREAD_TICKS_MAX = 50
/** Limit for all refused bodies: reading them costs time and memory that accepted requests need. */
const BYTES_PER_TICK = 4 * 1024 * 1024
/** The limit excludes this part of each body: the kernel has received about as much already. */
const FREE_BYTES = 64 * 1024
/** A refused body with more tiny chunks is cut: Node would buffer tens of thousands of them while it is paused. */
const TINY_CHUNKS_MAX = 32

/** A client that waits for "100 Continue" sends no body after an error. */
export function hasUnreadBody(request: EdgeRequest): boolean {
  const { raw, method } = request
  return !raw.complete && announcesBody(raw) && !awaitsContinue(request) && method !== 'HEAD'
}

export type RefuseUnread = (request: EdgeRequest, reply: EdgeReply, body: string) => void

/**
 * Sends the whole response immediately but ends it only when the client has sent the rest of its body. Closing a socket
 * with unread bytes resets it, and the client may see the reset instead of a 413.
 */
export function refuseUnread(): RefuseUnread {
  const dropped = new DroppedBodies()
  return (request, reply, body) => {
    reply.isSent = true
    reply.raw.isRefused = true
    // Waits, because the parser may report a malformed body in the same turn, and that error has its own response.
    queueMicrotask(() => write(request, reply, body))
  }

  function write(...[request, reply, body]: Parameters<RefuseUnread>): void {
    const { raw } = reply
    // Checks the request's socket: a pipelined response has none until the response before it has ended.
    if (raw.destroyed || raw.headersSent || !request.raw.socket.writable) return
    reply.writeHead(Buffer.byteLength(body))
    // A short body arrived with the head: Node drops it.
    if (request.raw.complete) return void raw.end(body)
    const end = (isWhole: boolean) => {
      if (isWhole) raw.end()
      else raw.destroy()
    }
    // The response is written first, because dropping the body may end the connection.
    raw.write(body, () => dropped.add(request.raw, end))
  }
}

interface DroppedBody {
  raw: RawRequest
  bytes: number
  tinyChunks: number
  ticksLeft: number
  isPaused: boolean
  end(isWhole: boolean): void
}

/** Reads and drops bodies: a limited number of bytes of all bodies per tick, and each for at most 5 s. */
export class DroppedBodies {
  readonly #open = new Set<DroppedBody>()
  #bytesLeft = BYTES_PER_TICK
  #timer: NodeJS.Timeout | undefined

  /** `end` is called once; false: the body was too long or too slow, or the client has left. */
  add(raw: RawRequest, end: (isWhole: boolean) => void): void {
    const body = { raw, bytes: 0, tinyChunks: 0, ticksLeft: UNREAD_TICKS_MAX, isPaused: false, end }
    this.#open.add(body)
    // The body may have ended or broken off while the response was written.
    if (raw.readableEnded || raw.destroyed) {
      this.#end(body, raw.readableEnded)
      return
    }
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref()
    raw.on('data', (chunk, tinyChunks) => this.#drop(body, chunk, tinyChunks))
    raw.on('end', () => this.#end(body, true))
    raw.on('error', () => this.#end(body, false))
    raw.on('close', () => this.#end(body, false))
  }

  #drop(body: DroppedBody, chunk: Buffer, tinyChunks = tinyChunksIn(chunk)): void {
    body.bytes += chunk.length
    body.tinyChunks += tinyChunks
    const isLong = body.bytes > FREE_BYTES
    if (isLong) this.#bytesLeft -= chunk.length
    if (body.bytes > UNREAD_BYTES_MAX || body.tinyChunks > TINY_CHUNKS_MAX) this.#end(body, false)
    else if (isLong && this.#bytesLeft <= 0) {
      body.isPaused = true
      body.raw.pause()
    }
  }

  #tick(): void {
    this.#bytesLeft = BYTES_PER_TICK
    for (const body of this.#open) {
      body.ticksLeft -= 1
      if (body.ticksLeft === 0) this.#end(body, false)
      else if (body.isPaused) {
        body.isPaused = false
        body.raw.resume()
      }
    }
  }

  #end(body: DroppedBody, isWhole: boolean): void {
    if (!this.#open.delete(body)) return
    if (this.#open.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      this.#bytesLeft = BYTES_PER_TICK
    }
    body.end(isWhole)
  }
}

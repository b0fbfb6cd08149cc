import type { IncomingMessage } from 'node:http'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
import { announcesBody, awaitsInvitation } from './request-body.ts'

const UNREAD_BYTES_MAX = 32 * 1024 * 1024
const TICK_MS = 100
const UNREAD_TICKS_MAX = 50
/** All refused bodies together: reading on costs time and memory that requests need which were not refused. */
const BYTES_PER_TICK = 4 * 1024 * 1024

/** A client that still waits for our "continue" will not send its body after an error. */
export function hasUnreadBody({ raw, method }: EdgeRequest): boolean {
  return !raw.complete && announcesBody(raw) && !awaitsInvitation(raw) && method !== 'HEAD'
}

export type RefuseUnread = (request: EdgeRequest, reply: EdgeReply, body: string) => void

/**
 * Sends the whole answer at once but ends it only when the client has sent the rest of its body. Closing a socket that
 * has unread bytes resets it, and a reset can overtake the answer: the client would see a broken connection, not a 413.
 */
export function refuseUnread(): RefuseUnread {
  const dropped = new DroppedBodies()
  return (request, reply, body) => {
    reply.isSent = true
    // The parser may find the body itself malformed in this same turn: that has an answer of its own.
    queueMicrotask(() => write(request, reply, body))
  }

  function write(...[request, reply, body]: Parameters<RefuseUnread>): void {
    const { raw } = reply
    // Behind an unfinished answer on the same connection it has no socket yet, and waits for its turn.
    if (raw.destroyed || raw.headersSent || !request.raw.socket.writable) return
    reply.writeHead(Buffer.byteLength(body))
    // It came with its head, as short ones do: Node drops it.
    if (request.raw.complete) return void raw.end(body)
    const end = (isWhole: boolean) => {
      if (isWhole) raw.end()
      else raw.destroy()
    }
    // Not before it is out: the rest of a body may be what ends the connection.
    raw.write(body, () => dropped.add(request.raw, end))
  }
}

interface DroppedBody {
  raw: IncomingMessage
  bytes: number
  ticksLeft: number
  isPaused: boolean
  end(isWhole: boolean): void
}

/** Reads bodies to their end without keeping anything: so many bytes of all in a tick, and none for longer than 5 s. */
export class DroppedBodies {
  readonly #open = new Set<DroppedBody>()
  #bytesLeft = BYTES_PER_TICK
  #timer: NodeJS.Timeout | undefined

  /** `end` is called once; false: it was too long or too slow, or the client is gone. */
  add(raw: IncomingMessage, end: (isWhole: boolean) => void): void {
    const body = { raw, bytes: 0, ticksLeft: UNREAD_TICKS_MAX, isPaused: false, end }
    this.#open.add(body)
    // It may have ended, or broken off, while the answer was on its way out.
    if (raw.readableEnded || raw.destroyed) {
      this.#end(body, raw.readableEnded)
      return
    }
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref()
    raw.on('data', (chunk: Buffer) => this.#drop(body, chunk.length))
    raw.on('end', () => this.#end(body, true))
    raw.on('error', () => this.#end(body, false))
    raw.on('close', () => this.#end(body, false))
  }

  #drop(body: DroppedBody, bytes: number): void {
    body.bytes += bytes
    this.#bytesLeft -= bytes
    if (body.bytes > UNREAD_BYTES_MAX) this.#end(body, false)
    else if (this.#bytesLeft <= 0) {
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

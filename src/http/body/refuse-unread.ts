import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { withDeadline } from '../../app/jobs/deadline.ts'
import type { EdgeReply, EdgeRequest } from '../edge-request.ts'
import { discard } from './ignore-body.ts'
import { announcesBody, awaitsInvitation } from './request-body.ts'

const UNREAD_BYTES_MAX = 32 * 1024 * 1024
const UNREAD_MS_MAX = 5_000
const TICK_MS = 100
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
  const pace = new ReadingPace()
  return ({ raw }, reply, body) => {
    async function* answer(): AsyncGenerator<Buffer> {
      yield bytes
      pace.watch(raw)
      const whole = await withDeadline(discard(raw, UNREAD_BYTES_MAX), { ms: UNREAD_MS_MAX })
      if (whole?.value !== true) raw.destroy()
    }
    const bytes = Buffer.from(body)
    reply.headers({ 'content-length': bytes.length })
    reply.send(Readable.from(answer(), { objectMode: false }))
  }
}

/** Lets all that it watches read so many bytes in a tick; beyond that they pause until the next one. */
export class ReadingPace {
  readonly #paused = new Set<IncomingMessage>()
  #left = BYTES_PER_TICK
  #timer: NodeJS.Timeout | undefined

  watch(raw: IncomingMessage): void {
    raw.on('data', (chunk: Buffer) => {
      this.#left -= chunk.length
      this.#timer ??= setTimeout(() => this.#refill(), TICK_MS).unref()
      if (this.#left > 0) return
      raw.pause()
      this.#paused.add(raw)
    })
    raw.on('close', () => this.#paused.delete(raw))
  }

  #refill(): void {
    this.#timer = undefined
    this.#left = BYTES_PER_TICK
    for (const raw of this.#paused) raw.resume()
    this.#paused.clear()
  }
}

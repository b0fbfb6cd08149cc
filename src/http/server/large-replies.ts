import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { CHUNKS_PER_TURN, TurnBudget } from '../door/turn-budget.ts'
import type { RawReply } from '../raw.ts'

/** A larger body is sent in pieces of this size. */
export const PIECE_BYTES = 64 * 1024
/** All connections together get 64 pieces in one turn of the event loop. */
const CHUNKS_OF_PIECE = CHUNKS_PER_TURN / 64

/** Time without a read after which a reply counts as unread. */
const UNREAD_MS = 1_000

interface HeldReply {
  bytes: number
  /** Time of the write after which the reply waits for its client; infinity: it waits for the gateway. */
  waitsSinceMs: number
}
interface Held {
  bytes: number
  /** Oldest first. */
  replies: Map<RawReply, HeldReply>
}

/**
 * Sends large bodies in pieces: the operating system would take megabytes for each of thousands of connections in one
 * turn. The rest stays in memory until its client reads. So an organization beyond its share loses its oldest unread
 * replies, and beyond twice its share its oldest replies, read or unread.
 */
export class LargeReplies {
  readonly #bytesEachMax: number
  readonly #log: Log
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #budget = new TurnBudget()
  readonly #heldBy = new Map<string, Held>()

  constructor(parts: { bytesEachMax: number; log: Log; clock: Pick<Clock, 'monotonicMs'> }) {
    this.#bytesEachMax = parts.bytesEachMax
    this.#log = parts.log
    this.#clock = parts.clock
  }

  /** Called after the head was written. Bodies without an organization, such as pages, are not counted. */
  send(raw: RawReply, body: Uint8Array, organizationId: string | undefined): void {
    const reply = { bytes: body.length, waitsSinceMs: Number.POSITIVE_INFINITY }
    if (organizationId !== undefined) this.#hold(raw, reply, organizationId)
    let at = 0
    const writePiece = () => {
      reply.waitsSinceMs = Number.POSITIVE_INFINITY
      if (raw.destroyed) return
      const piece = body.subarray(at, at + PIECE_BYTES)
      at += piece.length
      if (at < body.length && raw.write(piece)) return begin()
      if (at === body.length) raw.end(piece)
      reply.waitsSinceMs = this.#clock.monotonicMs()
    }
    const begin = () => this.#budget.begin(writePiece, CHUNKS_OF_PIECE)
    raw.on('drain', () => {
      if (at < body.length && reply.waitsSinceMs < Number.POSITIVE_INFINITY) begin()
    })
    begin()
  }

  #hold(raw: RawReply, reply: HeldReply, organizationId: string): void {
    const held = this.#heldBy.get(organizationId) ?? { bytes: 0, replies: new Map() }
    this.#heldBy.set(organizationId, held)
    held.replies.set(raw, reply)
    held.bytes += reply.bytes
    const release = (closed: RawReply) => {
      held.bytes -= held.replies.get(closed)?.bytes ?? 0
      held.replies.delete(closed)
      if (held.replies.size === 0) this.#heldBy.delete(organizationId)
    }
    raw.once('close', () => release(raw))
    const bounds = [
      { bytesMax: this.#bytesEachMax, sinceMs: this.#clock.monotonicMs() - UNREAD_MS },
      { bytesMax: 2 * this.#bytesEachMax, sinceMs: Number.POSITIVE_INFINITY },
    ]
    for (const { bytesMax, sinceMs } of bounds)
      for (const [oldest, { waitsSinceMs }] of held.replies) {
        if (held.bytes <= bytesMax || oldest === raw) break
        if (waitsSinceMs > sinceMs) continue
        release(oldest)
        oldest.destroy()
        this.#log.warn('reply.unread_cut', { organizationId })
      }
  }
}

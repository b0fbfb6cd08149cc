import type { Log } from '../../ports/log.ts'
import { CHUNKS_PER_TURN, TurnBudget } from '../door/turn-budget.ts'
import type { RawReply } from '../raw.ts'

/** A larger body is sent in pieces of this size. */
export const PIECE_BYTES = 64 * 1024
/** All connections together get 64 pieces in one turn of the event loop. */
const CHUNKS_OF_PIECE = CHUNKS_PER_TURN / 64

interface Held {
  bytes: number
  /** Oldest first. */
  replies: Map<RawReply, number>
}

/**
 * Sends large bodies in pieces: the operating system would take megabytes for each of thousands of connections in one
 * turn. The rest stays in memory until its client reads, so an organization beyond its share loses its oldest replies.
 */
export class LargeReplies {
  readonly #bytesEachMax: number
  readonly #log: Log
  readonly #budget = new TurnBudget()
  readonly #heldBy = new Map<string, Held>()

  constructor({ bytesEachMax, log }: { bytesEachMax: number; log: Log }) {
    this.#bytesEachMax = bytesEachMax
    this.#log = log
  }

  /** Called after the head was written. Bodies without an organization are pages, which all connections share. */
  send(raw: RawReply, body: Uint8Array, organizationId: string | undefined): void {
    if (organizationId !== undefined) this.#hold(raw, body.length, organizationId)
    let at = 0
    let isWaiting = false
    const writePiece = () => {
      isWaiting = false
      if (raw.destroyed) return
      const piece = body.subarray(at, at + PIECE_BYTES)
      at += piece.length
      if (at === body.length) raw.end(piece)
      else if (raw.write(piece)) begin()
      else isWaiting = true
    }
    const begin = () => this.#budget.begin(writePiece, CHUNKS_OF_PIECE)
    raw.on('drain', () => {
      if (isWaiting) begin()
    })
    begin()
  }

  #hold(raw: RawReply, bytes: number, organizationId: string): void {
    const held = this.#heldBy.get(organizationId) ?? { bytes: 0, replies: new Map() }
    this.#heldBy.set(organizationId, held)
    held.replies.set(raw, bytes)
    held.bytes += bytes
    const release = (reply: RawReply) => {
      held.bytes -= held.replies.get(reply) ?? 0
      held.replies.delete(reply)
      if (held.replies.size === 0) this.#heldBy.delete(organizationId)
    }
    raw.once('close', () => release(raw))
    for (const [oldest] of held.replies) {
      if (held.bytes <= this.#bytesEachMax || oldest === raw) return
      release(oldest)
      oldest.destroy()
      this.#log.warn('reply.unread_cut', { organizationId })
    }
  }
}

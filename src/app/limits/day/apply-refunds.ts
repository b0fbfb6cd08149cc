import type { Clock } from '../../../ports/clock.ts'
import type { DayMove, LedgerStore } from '../../../ports/ledger.ts'

/** Maximum delay of the clock of an operator's machine. */
const LOOK_BACK_MS = 600_000
const REFUNDS_MAX = 10_000

/**
 * Refunds are made outside the server, by a program that often shares no cache with it: each replica looks for new ones in
 * the store, and applies them to the buckets of their days.
 */
export function applyRefunds({
  ledger,
  clock,
  applyMove,
}: {
  ledger: Pick<LedgerStore, 'listRefundMoves'>
  clock: Clock
  /** Counts a move once, however often it is reported. */
  applyMove(move: DayMove): Promise<void>
}): () => Promise<void> {
  let seen = new Set<string>()
  return async () => {
    const moves = await ledger.listRefundMoves({ sinceMs: clock.nowMs() - LOOK_BACK_MS, limit: REFUNDS_MAX })
    for (const { entryId, ...move } of moves) if (!seen.has(entryId)) await applyMove(move)
    seen = new Set(moves.map(({ entryId }) => entryId))
  }
}

import type { Clock } from '../../../ports/clock.ts'
import type { DayMove, LedgerStore } from '../../../ports/ledger.ts'

/** Maximum time by which the clock of an operator's machine may be slow. */
const LOOK_BACK_MS = 600_000
const REFUNDS_MAX = 10_000

/**
 * Refunds are often made by the command line, which shares no cache with the servers. Each replica therefore looks for new
 * refunds in the store and applies them to the buckets of their days.
 */
export function applyRefunds(input: {
  ledger: Pick<LedgerStore, 'listRefundMoves'>
  clock: Clock
  /** Counts a move once, however often it is reported. */
  applyMove(move: DayMove): Promise<void>
}): () => Promise<void> {
  const { ledger, clock, applyMove } = input
  let seen = new Set<string>()
  return async () => {
    const moves = await ledger.listRefundMoves({ sinceMs: clock.nowMs() - LOOK_BACK_MS, limit: REFUNDS_MAX })
    for (const { entryId, ...move } of moves) if (!seen.has(entryId)) await applyMove(move)
    seen = new Set(moves.map(({ entryId }) => entryId))
  }
}

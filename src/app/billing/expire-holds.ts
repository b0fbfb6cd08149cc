import type { DayMove, ExpiredHold, LedgerStore } from '../../ports/ledger.ts'
import type { Runtime } from '../runtime.ts'

const PASS_HOLDS_MAX = 100

/** Ends holds past their deadline, except holds of open tasks. Of several replicas, only one ends a given hold. */
export function expireHolds(
  input: Pick<Runtime, 'clock' | 'log' | 'metrics'> & {
    ledger: Pick<LedgerStore, 'expire'>
    onDayMove(move: DayMove): void
    /** This replica may consider the allowance open, because deadlines use the wall clock, which may jump. */
    onAllowanceExpired(hold: ExpiredHold): void
  },
): () => Promise<void> {
  const { ledger, clock, log, metrics, onDayMove, onAllowanceExpired } = input
  return async () => {
    let expired: ExpiredHold[]
    do {
      expired = await ledger.expire({ nowMs: clock.nowMs(), limit: PASS_HOLDS_MAX })
      for (const hold of expired) report(hold)
    } while (expired.length === PASS_HOLDS_MAX)
  }

  function report(hold: ExpiredHold): void {
    const { kind, organizationId, taskId, amountMicros, day } = hold
    if (kind === 'allowance') {
      onAllowanceExpired(hold)
      metrics.allowanceExpired(amountMicros)
      log.warn('allowance.expired', { organizationId, count: amountMicros })
    } else {
      log.warn('hold.expired', {
        organizationId,
        count: amountMicros,
        ...(taskId === null ? {} : { taskId }),
      })
    }
    if (day !== undefined) onDayMove(day)
  }
}

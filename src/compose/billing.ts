import { type Allowances, createAllowances } from '../app/billing/allowances.ts'
import { checkLedger } from '../app/billing/check-ledger.ts'
import { closeBilling } from '../app/billing/close-billing.ts'
import { expireHolds } from '../app/billing/expire-holds.ts'
import { keepUsage } from '../app/billing/keep-usage.ts'
import { subscribeToWantedAllowances } from '../app/billing/refill.ts'
import { createGroupEnd } from '../app/billing/settle-group.ts'
import { type BeginSpend, beginSpend } from '../app/billing/spend.ts'
import { createUsageBuffer } from '../app/billing/usage-buffer.ts'
import { warnOfBudgets } from '../app/billing/warn-of-budgets.ts'
import { reportBrokenLedger } from '../app/events/report-broken-ledger.ts'
import { applyRefunds } from '../app/limits/day/apply-refunds.ts'
import { coverDays } from '../app/limits/day/cover-days.ts'
import type { Cache } from '../ports/cache.ts'
import type { Store } from '../ports/store.ts'
import { startWorker } from '../workers/schedule.ts'
import { startUsageWriter } from '../workers/usage-writer.ts'
import type { Limits } from './limits.ts'
import type { Tools } from './tools.ts'

/** Part of the time that a process has for closing after its grace. */
const CLOSING_MS_MAX = 1_500
/** After this time the daily check of the ledger begins no other invariant. */
const LEDGER_CHECK_MS_MAX = 60_000

export interface BillingParts {
  beginSpend: BeginSpend
  allowances: Allowances
  /** Usage that the store does not take within `CLOSING_MS_MAX` and `spareMs` is lost. */
  close(spareMs?: number): Promise<void>
}

/** Composes the payment of text requests, with its background loops. */
export async function composeBilling(input: {
  tools: Tools
  store: Store
  cache: Cache
  limits: Limits
  /** Retention of usage rows; 0: no limit. */
  rowsKeptDays: number
}): Promise<BillingParts> {
  const { tools, store, cache, limits, rowsKeptDays } = input
  const { days, calendar } = limits
  const { log } = tools
  const covered = coverDays(days)
  const end = createGroupEnd({ ...tools, days: covered, onCharge: (charge) => allowances.charged(charge) })
  const buffer = createUsageBuffer({ ...tools, usage: store.usage, end })
  const allowances: Allowances = createAllowances({
    ...tools,
    usage: store.usage,
    cache,
    calendar,
    usageIsFull: buffer.isFull,
  })
  await subscribeToWantedAllowances({ cache, log, wanted: allowances.wanted })
  const expire = expireHolds({
    ...tools,
    clock: tools.deadlineClock,
    ledger: store.ledger,
    onDayMove: days.applyMove,
    onAllowanceExpired: allowances.expired,
  })
  const refunds = applyRefunds({ ...tools, ledger: store.ledger, applyMove: days.applyMoveOfAll })
  const checked = checkLedger({ ...tools, ledger: store.ledger, timeoutMs: LEDGER_CHECK_MS_MAX })
  const onDayClosed = reportBrokenLedger({ ...tools, events: store.events, calendar, checkLedger: checked })
  const loops = [
    startUsageWriter({ buffer, log }),
    startWorker('allowance-keeper', { run: () => allowances.keep(), log }),
    startWorker('hold-reaper', { run: expire, log }),
    startWorker('budget-watch', {
      run: warnOfBudgets({ ...tools, ...store, calendar, returnUnused: allowances.wanted }),
      log,
    }),
    startWorker('refund-watcher', { run: refunds, log }),
    startWorker('usage-keeper', {
      run: keepUsage({ ...store, clock: tools.clock, rowsKeptDays, onDayClosed }),
      log,
    }),
  ]
  return {
    allowances,
    beginSpend: beginSpend({ ...tools, allowances, days: covered, buffer, dayAt: calendar.dayAt }),
    close: (spareMs) =>
      closeBilling({
        allowances,
        buffer,
        end,
        stopLoops: () => Promise.all(loops.map((loop) => loop.stop())),
        ...tools,
        ...{ patienceMs: CLOSING_MS_MAX, spareMs },
      }),
  }
}

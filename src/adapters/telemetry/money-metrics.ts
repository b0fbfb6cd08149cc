import { Counter, Gauge, type Registry } from 'prom-client'
import type { Metrics } from '../../ports/metrics.ts'

type MoneyMetrics = Pick<
  Metrics,
  'limitKeptLocally' | 'moneyLost' | 'holdExceeded' | 'budgetWarned' | 'usageWaiting' | 'allowanceExpired'
>

/** What an operator watches about money and limits. All of it is zero on a good day. */
export function countMoney(registry: Registry): MoneyMetrics {
  const registers = [registry]
  const keptLocally = new Counter({
    name: 'sluice_limits_kept_locally_total',
    help: 'Decisions about a shared limit that this process took alone because the cache was unreachable.',
    labelNames: ['limit'],
    registers,
  })
  // A rate needs a value to begin from.
  for (const limit of ['rate', 'day']) keptLocally.inc({ limit }, 0)
  const lost = new Counter({
    name: 'sluice_money_lost_micros_total',
    help: 'Micro-USD that work cost and no balance could pay.',
    registers,
  })
  const exceeded = new Counter({
    name: 'sluice_holds_exceeded_total',
    help: 'Videos that cost more than was held for them.',
    registers,
  })
  const budgetWarnings = new Counter({
    name: 'sluice_budget_warnings_total',
    help: 'Organizations that reached the warning threshold of their monthly budget.',
    registers,
  })
  const waiting = new Gauge({
    name: 'sluice_usage_rows_waiting',
    help: 'Usage rows that are not written yet.',
    registers,
  })
  const expired = new Counter({
    name: 'sluice_allowances_expired_total',
    help: 'Allowances that no replica gave back in time.',
    registers,
  })
  const expiredMicros = new Counter({
    name: 'sluice_allowances_expired_micros_total',
    help: 'Micro-USD of those allowances: the most that was used and never written.',
    registers,
  })
  return {
    limitKeptLocally: (limit) => keptLocally.inc({ limit }),
    moneyLost: (amountMicros) => lost.inc(amountMicros),
    holdExceeded: () => exceeded.inc(),
    budgetWarned: () => budgetWarnings.inc(),
    usageWaiting: (rows) => waiting.set(rows),
    allowanceExpired(amountMicros) {
      expired.inc()
      expiredMicros.inc(amountMicros)
    },
  }
}

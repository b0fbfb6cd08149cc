import { CALLBACK_OUTCOMES, type Metrics } from '../../ports/metrics.ts'
import { boundedLabel } from './bounded-label.ts'
import type { RegisteredMetrics } from './metric-table.ts'

const MODELS_MAX = 200
const REASONS_MAX = 50

type WorkMetrics = Pick<
  Metrics,
  'taskEnded' | 'taskHandedOver' | 'callbackAttempted' | 'verificationEnded' | 'storeCounted'
>

/** Counts tasks, callbacks, verifications and holds. Counters begin at 0, so that rates have a start. */
export function countWork(metrics: RegisteredMetrics): WorkMetrics {
  const { tasksEnded, videoCost, tasksHandedOver, callbacks, verifications } = metrics
  const boundModel = boundedLabel(MODELS_MAX)
  const boundReason = boundedLabel(REASONS_MAX)
  for (const outcome of CALLBACK_OUTCOMES) callbacks.inc({ outcome }, 0)
  for (const result of ['granted', 'denied']) verifications.inc({ result }, 0)

  return {
    taskEnded({ model, provider, status, costMicros }) {
      const labels = { model: boundModel(model), provider }
      tasksEnded.inc({ ...labels, status })
      videoCost.inc(labels, costMicros)
    },
    taskHandedOver({ asked, served, reason }) {
      const labels = { asked: boundModel(asked), served: boundModel(served), reason: boundReason(reason) }
      tasksHandedOver.inc(labels)
    },
    callbackAttempted: (outcome) => callbacks.inc({ outcome }),
    verificationEnded: (result) => verifications.inc({ result }),
    storeCounted({ openTasks, latePollMs, holds }) {
      for (const [status, count] of Object.entries(openTasks)) metrics.tasksOpen.set({ status }, count)
      metrics.pollLate.set(latePollMs / 1_000)
      for (const [kind, { count, amountMicros }] of Object.entries(holds)) {
        metrics.holds.set({ kind }, count)
        metrics.held.set({ kind }, amountMicros)
      }
    },
  }
}

type MoneyMetrics = Pick<
  Metrics,
  'limitKeptLocally' | 'moneyLost' | 'holdExceeded' | 'budgetWarned' | 'usageWaiting' | 'allowanceExpired'
>

/** Counts lost money and exceeded limits, which are normally zero. */
export function countMoney(metrics: RegisteredMetrics): MoneyMetrics {
  const { keptLocally, lost, exceeded, budgetWarnings, usageWaiting, expired, expiredMicros } = metrics
  for (const limit of ['rate', 'day']) keptLocally.inc({ limit }, 0)
  return {
    limitKeptLocally: (limit) => keptLocally.inc({ limit }),
    moneyLost: (amountMicros) => lost.inc(amountMicros),
    holdExceeded: () => exceeded.inc(),
    budgetWarned: () => budgetWarnings.inc(),
    usageWaiting: (rows) => usageWaiting.set(rows),
    allowanceExpired(amountMicros) {
      expired.inc()
      expiredMicros.inc(amountMicros)
    },
  }
}

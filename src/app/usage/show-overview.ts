import {
  HOURS_KEPT_DAYS,
  needsHours,
  parseUsageQuery,
  type RawUsageQuery,
} from '../../domain/usage/usage-query.ts'
import type { Clock } from '../../ports/clock.ts'
import type { StoreFigures } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import type { PeriodFigures, UsageReportStore } from '../../ports/usage-reports.ts'

const DAY_MS = 86_400_000

export interface Overview {
  fromMs: number
  toMs: number
  current: PeriodFigures
  /** Period of the same length, directly before; null if its hours are no longer kept. */
  previous: PeriodFigures | null
  /** Open work at this moment, independent of the period. */
  open: StoreFigures & { tasksSetAside: number }
}

/** Without dates the period is the last 24 hours, including the current hour. */
export type ShowOverview = (period: Pick<RawUsageQuery, 'from' | 'to'>) => Promise<Overview>

/** Reads the console's first page in one call, only from sums and from indexes of open rows. */
export function showOverview(tools: {
  usageReports: Pick<UsageReportStore, 'readPeriod'>
  tasks: Pick<TaskStore, 'countSetAside'>
  deployment: Pick<Store['deployment'], 'countOpenWork'>
  clock: Clock
}): ShowOverview {
  const { usageReports, tasks, deployment, clock } = tools
  return async ({ from, to }) => {
    const nowMs = clock.nowMs()
    const by = from === undefined && to === undefined ? 'hour' : 'day'
    const { fromMs, toMs } = parseUsageQuery({ by, from, to }, nowMs)
    const unit = needsHours({ by: [], fromMs, toMs }) ? 'hour' : 'day'
    const before = { fromMs: fromMs - (toMs - fromMs), toMs: fromMs, unit } as const
    const isKept = unit === 'day' || before.fromMs >= nowMs - HOURS_KEPT_DAYS * DAY_MS
    // The queries run in parallel, because each period of a large store takes a tenth of a second.
    const [current, previous, openWork, tasksSetAside] = await Promise.all([
      usageReports.readPeriod({ fromMs, toMs, unit }),
      isKept && before.fromMs >= 0 ? usageReports.readPeriod(before) : null,
      deployment.countOpenWork({ nowMs }),
      tasks.countSetAside(),
    ])
    return { fromMs, toMs, current, previous, open: { ...openWork, tasksSetAside } }
  }
}

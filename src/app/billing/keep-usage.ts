import { HOURS_KEPT_DAYS } from '../../domain/usage/usage-query.ts'
import type { Clock } from '../../ports/clock.ts'
import type { UsageReportStore } from '../../ports/usage-reports.ts'

const DAY_MS = 86_400_000

/** Small, because SQLite writes nothing else meanwhile. */
const AT_ONCE = 500
/** Entries of charges that are not in the rollups; each may have hundreds of rows. */
const LATE_AT_ONCE = 20
/** So many steps in one run, so that a backlog of 20 million rows a day is worked off. */
const STEPS_MAX = 40

/** Counts what is missing in the rollups and drops what is older than it is kept. */
export function keepUsage({
  usageReports,
  clock,
  rowsKeptDays,
}: {
  usageReports: Pick<UsageReportStore, 'countLate' | 'dropOld'>
  clock: Clock
  /** 0: without limit. */
  rowsKeptDays: number
}): () => Promise<void> {
  return async () => {
    await repeat(LATE_AT_ONCE, (limit) => usageReports.countLate({ limit }))
    const todayMs = Math.floor(clock.nowMs() / DAY_MS) * DAY_MS
    const hoursBeforeMs = todayMs - HOURS_KEPT_DAYS * DAY_MS
    const rowsBeforeMs = rowsKeptDays === 0 ? 0 : todayMs - rowsKeptDays * DAY_MS
    await repeat(AT_ONCE, (limit) => usageReports.dropOld({ rowsBeforeMs, hoursBeforeMs, limit }))
  }
}

/** Until a step finds less than it could take. */
async function repeat(limit: number, step: (limit: number) => Promise<number>): Promise<void> {
  for (let steps = 0; steps < STEPS_MAX; steps += 1) if ((await step(limit)) < limit) return
}

import { HOURS_KEPT_DAYS } from '../../domain/usage/usage-query.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RequestLogStore } from '../../ports/request-log.ts'
import type { UsageReportStore } from '../../ports/usage-reports.ts'
import { closeSpans } from '../requests/close-spans.ts'

const DAY_MS = 86_400_000
/** A day closes this long after its end, because late charges and clocks that differ then rarely reopen it. */
const CLOSING_AFTER_MS = 3_600_000

/** Steps are small, because SQLite can write nothing else during a step. */
const BATCH_MAX = 500
/** Maximum charges that one step adds to the rollups; each charge may have hundreds of rows. */
const LATE_BATCH_MAX = 20
/** Maximum steps of one kind in one run, so that a stop does not wait for a backlog. */
const STEPS_MAX = 40

/** Adds missing charges to the rollups, closes past days and spans of the request log, and drops rows past their retention. */
export function keepUsage(input: {
  usageReports: Pick<UsageReportStore, 'closeDay' | 'countLate' | 'dropOld'>
  requestLog: Omit<RequestLogStore, 'page' | 'writeRefused'>
  clock: Clock
  /** 0: rows are kept forever. */
  rowsKeptDays: number
  /** Called after this replica has closed days. */
  onDayClosed(): Promise<unknown>
}): () => Promise<void> {
  const { usageReports, requestLog, clock, rowsKeptDays, onDayClosed } = input
  return async () => {
    await repeat(LATE_BATCH_MAX, (limit) => usageReports.countLate({ limit }))
    const nowMs = clock.nowMs()
    const beforeMs = Math.floor((nowMs - CLOSING_AFTER_MS) / DAY_MS) * DAY_MS
    if ((await repeat(1, () => usageReports.closeDay({ beforeMs }))) > 0) await onDayClosed()
    const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS
    const hoursBeforeMs = todayMs - HOURS_KEPT_DAYS * DAY_MS
    const rowsBeforeMs = rowsKeptDays === 0 ? 0 : todayMs - rowsKeptDays * DAY_MS
    await repeat(BATCH_MAX, (limit) => usageReports.dropOld({ rowsBeforeMs, hoursBeforeMs, limit }))
    await repeat(BATCH_MAX, (limit) => requestLog.dropOld({ beforeMs: rowsBeforeMs, limit }))
    await repeat(1, closeSpans({ requestLog, clock }))
  }
}

/** Repeats a step, at most `STEPS_MAX` times, until it handles fewer rows than its limit. Returns the sum of rows. */
async function repeat(limit: number, step: (limit: number) => Promise<number>): Promise<number> {
  let sum = 0
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const count = await step(limit)
    sum += count
    if (count < limit) break
  }
  return sum
}

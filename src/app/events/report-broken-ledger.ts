import type { Calendar } from '../../domain/limits/calendar-day.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/events.ts'
import type { LedgerReport } from '../billing/check-ledger.ts'

/** Checks the ledger. Violations are reported in at most one event a day. */
export function reportBrokenLedger(input: {
  checkLedger(): Promise<LedgerReport>
  events: Pick<EventStore, 'add'>
  calendar: Calendar
  clock: Clock
}): () => Promise<LedgerReport> {
  const { checkLedger, events, calendar, clock } = input
  return async () => {
    const report = await checkLedger()
    const [first] = report.violations
    if (first === undefined) return report
    const atMs = clock.nowMs()
    await events.add({
      type: 'ledger.broken',
      organizationId: null,
      cause: `ledger.broken:${calendar.dayAt(atMs)}`,
      data: { rows: report.violations.length, first: `${first.subject}: ${first.message}` },
      atMs,
    })
    return report
  }
}

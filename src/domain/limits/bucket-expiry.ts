import type { Calendar } from './calendar-day.ts'

const KEPT_AFTER_DAY_MS = 48 * 3_600_000
const LAST_HOUR_MS = 3_600_000

/**
 * A day's bucket stays for two days after the day has ended, for settlements that come late. One that should be gone
 * already is given one more hour, so that a change of the limit never takes a bucket away.
 */
export function bucketExpiresAtMs({
  calendar,
  day,
  nowMs,
}: {
  calendar: Calendar
  day: string
  nowMs: number
}): number {
  const expiresAtMs = calendar.endOf(day) + KEPT_AFTER_DAY_MS
  return expiresAtMs > nowMs ? expiresAtMs : nowMs + LAST_HOUR_MS
}

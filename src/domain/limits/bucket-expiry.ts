import { type Calendar, daysBefore } from './calendar-day.ts'

/** Maximum time for building an announced bucket: longer than any query of the store takes. */
export const BUILD_MS_MAX = 60_000

const KEPT_AFTER_DAY_MS = 48 * 3_600_000
const LAST_HOUR_MS = 3_600_000

/**
 * A day's bucket stays for two days after the day has ended, for late settlements. An expired one gets one more hour, so
 * that a change of the limit never removes a bucket.
 */
export function bucketExpiresAtMs(input: { calendar: Calendar; day: string; nowMs: number }): number {
  const { calendar, day, nowMs } = input
  const expiresAtMs = calendar.endOf(day) + KEPT_AFTER_DAY_MS
  return expiresAtMs > nowMs ? expiresAtMs : nowMs + LAST_HOUR_MS
}

/**
 * The days before today whose bucket may still exist. Two days for the 48 hours; a third because a day with a clock change
 * may have 23 hours and an expired bucket gets an extra hour; a fourth for replicas whose clocks differ and for zones that
 * change their date.
 */
export function daysStillKept(today: string): string[] {
  return daysBefore(today, 4)
}

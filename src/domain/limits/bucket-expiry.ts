import { type Calendar, daysBefore } from './calendar-day.ts'

/** Maximum time between the announcement of a bucket and its contents: longer than any query of the store takes. */
export const BUILD_MS_MAX = 60_000

const KEPT_AFTER_DAY_MS = 48 * 3_600_000
const LAST_HOUR_MS = 3_600_000

/** Two days after its day, for late settlements. An expired bucket gets one more hour: a change must not remove it. */
export function bucketExpiresAtMs(input: { calendar: Calendar; day: string; nowMs: number }): number {
  const { calendar, day, nowMs } = input
  const expiresAtMs = calendar.endOf(day) + KEPT_AFTER_DAY_MS
  return expiresAtMs > nowMs ? expiresAtMs : nowMs + LAST_HOUR_MS
}

/**
 * The days before today whose bucket may still exist. Two days are for the 48 hours. A third is for days of 23 hours and
 * the extra hour of an expired bucket. A fourth is for replicas whose clocks differ and for zones that skip a date.
 */
export function daysStillKept(today: string): string[] {
  return daysBefore(today, 4)
}

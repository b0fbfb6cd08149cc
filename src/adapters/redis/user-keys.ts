import { isCalendarDay } from '../../domain/limits/calendar-day.ts'

/** The names of all that Redis holds of one user; the braces keep them on one node of a cluster. */
export interface UserKeys {
  limit: string
  /** A bucket: exactly `limit` and `used`. */
  day(day: string): string
  /** What we note beside a bucket: its life, the version it was built from, the newest change that came by. */
  built(day: string): string
  /** A pattern that fits every key of this user. */
  pattern: string
  /** The days of the buckets among these keys. */
  daysOf(keys: readonly string[]): string[]
  /** Those of these keys that are the user's limit and days. */
  ownOf(keys: readonly string[]): string[]
}

export function keysOfUser(userId: string): UserKeys {
  const prefix = `sluice:{user:${userId}}:`
  const [dayPrefix, builtPrefix] = [`${prefix}day:`, `${prefix}built:`]
  return {
    limit: `${prefix}limit`,
    day: (day) => `${dayPrefix}${day}`,
    built: (day) => `${builtPrefix}${day}`,
    pattern: `${escapeGlob(prefix)}*`,
    daysOf: (keys) =>
      keys
        .filter((key) => key.startsWith(dayPrefix))
        .map((key) => key.slice(dayPrefix.length))
        .filter(isCalendarDay),
    ownOf: (keys) =>
      keys.filter(
        (key) => key === `${prefix}limit` || key.startsWith(dayPrefix) || key.startsWith(builtPrefix),
      ),
  }
}

/** An id comes from outside: a star in it must not reach other users. */
function escapeGlob(text: string): string {
  return text.replace(/[*?[\]\\^-]/g, '\\$&')
}

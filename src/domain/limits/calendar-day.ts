export interface Calendar {
  /** The calendar day of a moment, `YYYY-MM-DD`. Days never run backwards as time passes. */
  dayAt(ms: number): string
  /** The first moment after the day. */
  endOf(day: string): number
  /** The first moment after the month of a day. */
  endOfMonth(day: string): number
  /** The next day in the zone. A zone that moves over the date line skips a day. */
  dayAfter(day: string): string
}

/** The calendar month of a day, `YYYY-MM`. */
export function monthOf(day: string): string {
  return day.slice(0, 7)
}

interface DaySpan {
  day: string
  startMs: number
  endMs: number
}

/**
 * The days of a time zone. A day begins at the first moment with its local date: a clock that is put back over midnight
 * starts no second yesterday, and a day may lack a midnight. The calendar remembers the last two requested days, so the
 * hot path reads no zone data. It also remembers a few first moments, because finding one takes most of a millisecond.
 */
export function createCalendar(timeZone: string): Calendar {
  const localDate = localDateIn(timeZone)
  const firstMoments = new Map<string, number>()
  let latest = spanAt(0)
  let other = latest

  function spanAt(ms: number): DaySpan {
    const day = localDate(ms)
    const span = spanOf(day)
    return ms < span.endMs ? span : spanOf(localDate(span.endMs))
  }

  function spanOf(day: string): DaySpan {
    return { day, startMs: firstMomentFrom(day), endMs: firstMomentFrom(shift(day, 1)) }
  }

  function firstMomentFrom(day: string): number {
    const known = firstMoments.get(day)
    if (known !== undefined) return known
    const foundMs = findFirstMoment(day)
    if (firstMoments.size >= MOMENTS_MAX) firstMoments.clear()
    firstMoments.set(day, foundMs)
    return foundMs
  }

  /** Searches in steps, since local dates may run back for an hour, then by halves, since old offsets vary. */
  function findFirstMoment(day: string): number {
    const utcMidnightMs = utcMidnight(day)
    let afterMs = utcMidnightMs - OFFSET_MAX_MS
    while (localDate(afterMs) < day) afterMs += STEP_MS
    let beforeMs = afterMs - STEP_MS
    while (afterMs - beforeMs > 1) {
      const middleMs = Math.floor((beforeMs + afterMs) / 2)
      if (localDate(middleMs) < day) beforeMs = middleMs
      else afterMs = middleMs
    }
    return afterMs
  }

  return {
    dayAt(ms) {
      if (ms >= latest.startMs && ms < latest.endMs) return latest.day
      const span = ms >= other.startMs && ms < other.endMs ? other : spanAt(ms)
      other = latest
      latest = span
      return span.day
    },
    endOf: (day) => (day === latest.day ? latest.endMs : firstMomentFrom(shift(day, 1))),
    // Every month has a 28th, and four days later the next month has begun.
    endOfMonth: (day) => firstMomentFrom(`${monthOf(shift(`${monthOf(day)}-28`, 4))}-01`),
    dayAfter: (day) => localDate(firstMomentFrom(shift(day, 1))),
  }
}

export function isCalendarDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && toDay(Date.parse(`${text}T00:00:00Z`)) === text
}

/** Dates before this day, the latest first; a time zone may have skipped one of them. */
export function daysBefore(day: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => shift(day, -index - 1))
}

/** Limit of remembered first moments: more than the days that are used together. */
const MOMENTS_MAX = 32
/** Maximum distance of any zone from UTC, past ones included. */
const OFFSET_MAX_MS = 16 * 3_600_000
/** Every current offset is a multiple of this step. */
const STEP_MS = 15 * 60_000
const DAY_MS = 24 * 3_600_000

function utcMidnight(day: string): number {
  if (!isCalendarDay(day)) throw new RangeError('a day is written as YYYY-MM-DD')
  return Date.parse(`${day}T00:00:00Z`)
}

function shift(day: string, days: number): string {
  return toDay(utcMidnight(day) + days * DAY_MS)
}

function toDay(ms: number): string {
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(0, 10)
}

function localDateIn(timeZone: string): (ms: number) => string {
  // UTC needs no language and zone data of the runtime, which take memory once they are used.
  if (timeZone === 'UTC') return toDay
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return (ms) => {
    const [month, day, year] = format.format(ms).split('/')
    return `${year?.padStart(4, '0')}-${month}-${day}`
  }
}

import { describe, expect, test } from 'vitest'
import { fc, runs } from '../../../test/random/properties.ts'
import { createCalendar, isCalendarDay } from './calendar-day.ts'

const HOUR_MS = 3_600_000
const at = (text: string) => Date.parse(text)

describe('the length of a day', () => {
  test.each([
    ['UTC', '2026-02-28', 24, '2026-03-01'],
    ['Europe/Berlin', '2026-03-29', 23, '2026-03-30'],
    ['Europe/Berlin', '2026-10-25', 25, '2026-10-26'],
    ['America/Sao_Paulo', '2017-10-15', 23, '2017-10-16'],
    ['Asia/Beirut', '2022-03-27', 23, '2022-03-28'],
    ['Australia/Lord_Howe', '2026-04-05', 24.5, '2026-04-06'],
    ['Pacific/Kiritimati', '2026-01-01', 24, '2026-01-02'],
    ['Pacific/Apia', '2011-12-29', 24, '2011-12-31'],
    ['Asia/Kathmandu', '2026-06-01', 24, '2026-06-02'],
  ])('%s on %s: %d hours, then %s', (zone, day, hours, next) => {
    const calendar = createCalendar(zone)
    const endMs = calendar.endOf(day)
    expect(calendar.dayAfter(day)).toBe(next)
    expect(calendar.dayAt(endMs)).toBe(next)
    expect(calendar.dayAt(endMs - 1)).toBe(day)
    expect(calendar.dayAt(endMs - hours * HOUR_MS)).toBe(day)
    expect(calendar.dayAt(endMs - hours * HOUR_MS - 1)).not.toBe(day)
  })

  test.each([
    ['America/Sao_Paulo', '2017-10-14', '2017-10-15T03:00:00Z'],
    ['Asia/Beirut', '2022-03-26', '2022-03-26T22:00:00Z'],
    ['Pacific/Apia', '2011-12-29', '2011-12-30T10:00:00Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2026-01-01T10:00:00Z'],
  ])('%s: %s ends at %s', (zone, day, moment) => {
    expect(createCalendar(zone).endOf(day)).toBe(at(moment))
  })

  test('a clock that is put back over midnight does not repeat yesterday', () => {
    const calendar = createCalendar('America/St_Johns')
    // At one minute past midnight on 29 October 2006 clocks went back to 23:01 on the 28th.
    const midnightMs = at('2006-10-29T02:30:00Z')
    expect(calendar.dayAt(midnightMs - 1)).toBe('2006-10-28')
    expect(calendar.endOf('2006-10-28')).toBe(midnightMs)
    for (let minute = 0; minute < 120; minute += 1)
      expect(calendar.dayAt(midnightMs + minute * 60_000)).toBe('2006-10-29')
  })
})

test.each([
  ['UTC', '2026-11-17', '2026-12-01T00:00:00Z'],
  ['UTC', '2026-12-31', '2027-01-01T00:00:00Z'],
  ['UTC', '2026-02-01', '2026-03-01T00:00:00Z'],
  ['UTC', '2028-02-29', '2028-03-01T00:00:00Z'],
  ['Europe/Berlin', '2026-10-01', '2026-10-31T23:00:00Z'],
  ['America/New_York', '2026-03-01', '2026-04-01T04:00:00Z'],
])('%s: the month of %s ends at %s', (zone, day, moment) => {
  expect(createCalendar(zone).endOfMonth(day)).toBe(at(moment))
})

const ZONES = Intl.supportedValuesOf('timeZone')
const moment = fc.integer({ min: at('1971-01-01T00:00:00Z'), max: at('2037-12-31T00:00:00Z') })

test('any moment of any zone is in its own day, and days follow each other without a gap', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), moment, (zone, ms) => {
      const calendar = createCalendar(zone)
      const day = calendar.dayAt(ms)
      const endMs = calendar.endOf(day)
      expect(isCalendarDay(day)).toBe(true)
      expect(endMs).toBeGreaterThan(ms)
      expect(endMs - ms).toBeLessThanOrEqual(48 * HOUR_MS)
      const next = calendar.dayAfter(day)
      expect(next > day).toBe(true)
      expect(calendar.dayAt(endMs - 1)).toBe(day)
      expect(calendar.dayAt(endMs)).toBe(next)
      expect(createCalendar(zone).dayAt(ms)).toBe(day)
    }),
    runs(150),
  )
})

test('UTC, without zone data, has the same days as a zone with it', () => {
  fc.assert(
    fc.property(moment, (ms) => {
      const [utc, zone] = [createCalendar('UTC'), createCalendar('Etc/UTC')]
      const day = zone.dayAt(ms)
      expect(utc.dayAt(ms)).toBe(day)
      expect(utc.endOf(day)).toBe(zone.endOf(day))
      expect(utc.endOfMonth(day)).toBe(zone.endOfMonth(day))
      expect(utc.dayAfter(day)).toBe(zone.dayAfter(day))
    }),
    runs(150),
  )
})

test('answers do not depend on earlier calls, even when the clock jumps', () => {
  const calendar = createCalendar('America/New_York')
  fc.assert(
    fc.property(fc.array(moment, { maxLength: 5 }), (moments) => {
      for (const ms of moments) {
        const day = calendar.dayAt(ms)
        expect(createCalendar('America/New_York').dayAt(ms)).toBe(day)
        expect(calendar.endOf(day)).toBeGreaterThan(ms)
      }
    }),
    runs(30),
  )
})

test('no zone data is read during a day, nor while a clock moves around midnight', () => {
  const reads = countFormats()
  try {
    const calendar = createCalendar('Europe/Berlin')
    const midnightMs = at('2026-05-01T22:00:00Z')
    for (const ms of [midnightMs - 1, midnightMs]) calendar.dayAt(ms)
    const before = reads.count()
    expect(before).toBeGreaterThan(0)
    for (let turn = 0; turn < 100; turn += 1) {
      expect(calendar.dayAt(midnightMs - 1 - turn)).toBe('2026-05-01')
      expect(calendar.dayAt(midnightMs + turn)).toBe('2026-05-02')
    }
    expect(calendar.endOf('2026-05-02')).toBe(midnightMs + 24 * HOUR_MS)
    expect(reads.count()).toBe(before)
  } finally {
    reads.restore()
  }
})

/** Replaces the getter that every formatting uses, and counts its calls. */
function countFormats() {
  const original = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format')
  if (original?.get === undefined) throw new Error('format is a getter')
  const { get } = original
  let count = 0
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
    ...original,
    get() {
      count += 1
      return get.call(this)
    },
  })
  return {
    count: () => count,
    restore: () => Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', original),
  }
}

test.each(['', '2026-02-30', '2026-2-3', '2026-13-01', '20260203', '2026-01-01T00:00:00Z'])(
  '%j is no day',
  (text) => {
    expect(isCalendarDay(text)).toBe(false)
    expect(() => createCalendar('UTC').endOf(text)).toThrow(RangeError)
  },
)

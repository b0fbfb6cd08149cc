import { expect, test } from 'vitest'
import { bucketExpiresAtMs } from './bucket-expiry.ts'
import { createCalendar } from './calendar-day.ts'

const calendar = createCalendar('Europe/Berlin')
const endMs = Date.parse('2026-10-25T23:00:00Z')

test.each([
  ['on the day itself', '2026-10-25T12:00:00Z'],
  ['a day later', '2026-10-26T12:00:00Z'],
  ['just before it goes', '2026-10-27T22:59:59.999Z'],
])('48 hours after the day has ended, asked %s', (_when, now) => {
  expect(bucketExpiresAtMs({ calendar, day: '2026-10-25', nowMs: Date.parse(now) })).toBe(
    endMs + 48 * 3_600_000,
  )
})

test('an hour from now when that is over', () => {
  const nowMs = endMs + 48 * 3_600_000
  expect(bucketExpiresAtMs({ calendar, day: '2026-10-25', nowMs })).toBe(nowMs + 3_600_000)
})

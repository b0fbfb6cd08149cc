import { expect, test } from 'vitest'
import { bucketExpiresAtMs, daysStillKept } from './bucket-expiry.ts'
import { createCalendar } from './calendar-day.ts'

const calendar = createCalendar('Europe/Berlin')
const endMs = Date.parse('2026-10-25T23:00:00Z')

test.each([
  ['on the day itself', '2026-10-25T12:00:00Z'],
  ['a day later', '2026-10-26T12:00:00Z'],
  ['just before it goes', '2026-10-27T22:59:59.999Z'],
])('a bucket expires 48 hours after its day has ended, asked %s', (_when, now) => {
  expect(bucketExpiresAtMs({ calendar, day: '2026-10-25', nowMs: Date.parse(now) })).toBe(
    endMs + 48 * 3_600_000,
  )
})

test('a bucket whose day is long over expires an hour from now', () => {
  const nowMs = endMs + 48 * 3_600_000
  expect(bucketExpiresAtMs({ calendar, day: '2026-10-25', nowMs })).toBe(nowMs + 3_600_000)
})

test.each(['Europe/Berlin', 'UTC', 'Asia/Shanghai', 'America/Sao_Paulo', 'Pacific/Apia'])(
  'no bucket of %s outlives the kept days, not even near days with a clock change',
  (zone) => {
    const local = createCalendar(zone)
    for (const start of ['2011-12-20', '2018-10-28', '2026-03-20', '2026-10-20']) {
      for (let hour = 0; hour < 24 * 20; hour += 1) {
        const nowMs = Date.parse(start) + hour * 3_600_000
        const [oldest = ''] = daysStillKept(local.dayAt(nowMs)).slice(-1)
        const expiresAtMs = local.endOf(oldest) + 48 * 3_600_000
        expect(expiresAtMs, `${zone} ${oldest}`).toBeLessThanOrEqual(nowMs)
      }
    }
  },
)

test('the kept days cross the turn of the year', () => {
  expect(daysStillKept('2027-01-02')).toEqual(['2027-01-01', '2026-12-31', '2026-12-30', '2026-12-29'])
})

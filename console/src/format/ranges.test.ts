import { expect, test } from 'vitest'
import { rangeBetween, rangeOf } from './ranges.ts'

const NOW_MS = Date.parse('2026-11-18T10:20:00Z')
const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(NOW_MS - days * DAY_MS).toISOString()
const byOf = (from: number, to: number) => rangeBetween(daysAgo(from), daysAgo(to), NOW_MS)?.by

test('a range of hours begins with the hour of its first moment, and a long one has days', () => {
  const range = rangeBetween('2026-11-18T10:20:00Z', '2026-11-18T13:00:00Z', NOW_MS)
  expect(range).toMatchObject({ by: 'hour', from: '2026-11-18T10:00Z', to: '2026-11-18T13:00Z' })
  expect(range?.times).toHaveLength(3)
  const days = rangeBetween('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z', NOW_MS)
  expect(days).toMatchObject({ by: 'day', from: '2026-10-01', to: '2026-11-01' })
  expect(rangeBetween('2026-11-18', '2026-11-18', NOW_MS)).toBeUndefined()
  expect(rangeBetween(undefined, '2026-11-18', NOW_MS)).toBeUndefined()
  expect(rangeOf('24h', NOW_MS)).toMatchObject({ to: '2026-11-18T11:00Z' })
})

test('a range has hours only if the gateway still has the hours of the range and of the period before it', () => {
  expect(byOf(5, 0)).toBe('hour')
  expect(byOf(84, 79)).toBe('hour')
  expect(byOf(88, 83)).toBe('day')
  expect(rangeBetween('2026-05-10T06:00:00Z', '2026-05-15T06:00:00Z', NOW_MS)).toMatchObject({
    ...{ by: 'day', from: '2026-05-10', to: '2026-05-16' },
    before: { from: '2026-05-04', to: '2026-05-10' },
  })
})

test('a range of years has all its days, and a longer one has its newest 3,660 days', () => {
  const years = rangeBetween('2024-01-01T00:00:00Z', '2026-11-18T00:00:00Z', NOW_MS)
  expect(years).toMatchObject({ from: '2024-01-01', to: '2026-11-18' })
  expect(years?.times).toHaveLength(1_052)
  const long = rangeBetween('2010-01-01T00:00:00Z', '2026-11-18T00:00:00Z', NOW_MS)
  expect(long?.to).toBe('2026-11-18')
  expect(long?.times).toHaveLength(3_660)
})

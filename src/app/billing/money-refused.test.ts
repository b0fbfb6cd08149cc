import { expect, test } from 'vitest'
import { createCalendar } from '../../domain/limits/calendar-day.ts'
import { moneyRefused } from './money-refused.ts'

const calendar = createCalendar('UTC')

test.each([
  ['an hour, in the middle of a month', '2030-01-15T12:00:00Z', 3_600],
  ['the rest of the month, in its last hour', '2030-01-31T23:58:30Z', 90],
])('Retry-After of budget_exceeded is %s', (_, moment, retryAfterSeconds) => {
  const clock = { nowMs: () => Date.parse(moment) }
  expect(moneyRefused('budget_exceeded', { calendar, clock })).toMatchObject({ retryAfterSeconds })
})

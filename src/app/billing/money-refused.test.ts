import { expect, test } from 'vitest'
import { micros } from '../../domain/billing/micros.ts'
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

test.each([
  [
    1_500_000,
    200_000,
    ' The request needs 1.5 USD, and 0.2 USD is available: 1.3 USD is missing. An operator adds it: sluice credit add --org <id> --usd 1.3',
  ],
  [
    1,
    -2_000_000,
    ' The request needs 0.000001 USD, and -2 USD is available: 2.000001 USD is missing. An operator adds it: sluice credit add --org <id> --usd 2.000001',
  ],
  // No figures: the balance has grown since the refusal, or is not known.
  [100, 100, ''],
  [100, undefined, ''],
])('insufficient_balance: %i micros are needed, %s are available', (needed, available, figures) => {
  const shortage = {
    neededMicros: micros(needed),
    availableMicros: available === undefined ? undefined : micros(available),
  }
  const apiError = moneyRefused('insufficient_balance', { calendar, clock: { nowMs: () => 0 } }, shortage)
  expect(apiError.message).toBe(`Insufficient credit balance.${figures}`)
})

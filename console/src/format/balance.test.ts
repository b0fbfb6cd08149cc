import { expect, test } from 'vitest'
import { daysLeft, isLow, paceRange } from './balance.ts'
import { isSandbox } from './sandbox.ts'

const account = (part = {}) => ({
  ...{ billing: 'prepaid', balance_micros: 14_000_000, held_micros: 0, low_balance_micros: null },
  ...part,
})

test('a balance of $14 lasts 14 days at $7 a week, and held money is not counted', () => {
  expect(daysLeft(account(), 7_000_000)).toBe(14)
  expect(daysLeft(account({ held_micros: 7_000_000 }), 7_000_000)).toBe(7)
  expect(daysLeft(account({ balance_micros: -1 }), 7_000_000)).toBe(0)
  expect(daysLeft(account(), 0)).toBeUndefined()
  expect(daysLeft(account({ billing: 'postpaid' }), 7_000_000)).toBeUndefined()
})

test('a balance is low when it ends within a week, or below its own threshold', () => {
  expect(isLow(account(), 7_000_000)).toBe(false)
  expect(isLow(account({ held_micros: 7_000_001 }), 7_000_000)).toBe(true)
  expect(isLow(account({ low_balance_micros: 14_000_001 }), 0)).toBe(true)
  expect(isLow(account({ billing: 'postpaid', low_balance_micros: 20_000_000 }), 7_000_000)).toBe(false)
})

test('the pace is the spend of seven days, today included', () => {
  expect(paceRange(Date.parse('2026-11-18T15:00:00Z'))).toEqual({ from: '2026-11-12', to: '2026-11-19' })
})

test('a provider is the sandbox if its address has the path of a sandbox vendor', () => {
  expect(isSandbox([{ base_url: 'http://127.0.0.1:4100/vendor-a/api/v3' }])).toBe(true)
  expect(isSandbox([{ base_url: 'http://127.0.0.1:8000/v1' }])).toBe(false)
  expect(isSandbox([])).toBe(false)
})

import { expect, test } from 'vitest'
import { micros } from '../billing/micros.ts'
import { costOfTask, type TaskPricing } from './cost-of-task.ts'
import type { Measured } from './snapshot.ts'

const BY_TOKEN: TaskPricing = {
  unit: 'video_token',
  priceMicros: micros(7_000_000),
  estimatedTokens: 100_000,
}
const BY_SECOND: TaskPricing = { unit: 'second', priceMicros: micros(50_000), estimatedSeconds: 5 }

test.each<[TaskPricing, Measured, number]>([
  [BY_TOKEN, {}, 700_000],
  [BY_TOKEN, { completionTokens: 108_900 }, 762_300],
  [BY_SECOND, {}, 250_000],
  [BY_SECOND, { seconds: 8 }, 400_000],
  [BY_SECOND, { seconds: 8, credits: 12.5 }, 125_000],
])('%j with %j costs %i', (pricing, measured, cost) => {
  expect(costOfTask(pricing, measured)).toBe(cost)
})

test.each<[TaskPricing, Measured]>([
  [BY_TOKEN, { completionTokens: Number.MAX_SAFE_INTEGER }],
  [BY_TOKEN, { completionTokens: Number.NaN }],
  [BY_SECOND, { seconds: 1e15 }],
  [BY_SECOND, { credits: 1e300 }],
  [BY_SECOND, { credits: Number.POSITIVE_INFINITY, seconds: -1 }],
])('of %j the estimate counts where a vendor measures %j', (pricing, measured) => {
  expect(costOfTask(pricing, measured)).toBe(costOfTask(pricing, {}))
})

test('an absurd number of credits leaves the seconds to count', () => {
  expect(costOfTask(BY_SECOND, { credits: 1e300, seconds: 8 })).toBe(400_000)
})

test('a price beyond reason makes no measure a task cannot end with', () => {
  const dear: TaskPricing = { ...BY_SECOND, priceMicros: micros(1_000_000_000_000), estimatedSeconds: 5 }
  expect(costOfTask(dear, { seconds: 86_400 })).toBe(5_000_000_000_000)
})

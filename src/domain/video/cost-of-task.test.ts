import { expect, test } from 'vitest'
import { fc, runs } from '../../../test/random/properties.ts'
import { micros } from '../billing/micros.ts'
import { costOfTask, costOfTerms, costTermsOf, lossByQuote, type TaskPricing } from './cost-of-task.ts'
import type { VendorMeasures } from './snapshot.ts'

const BY_TOKEN: TaskPricing = {
  unit: 'video_token',
  priceMicros: micros(7_000_000),
  estimatedTokens: 100_000,
}
const BY_SECOND: TaskPricing = { unit: 'second', priceMicros: micros(50_000), estimatedSeconds: 5 }

test.each<[TaskPricing, VendorMeasures, number]>([
  [BY_TOKEN, {}, 700_000],
  [BY_TOKEN, { completionTokens: 108_900 }, 762_300],
  [BY_SECOND, {}, 250_000],
  [BY_SECOND, { seconds: 8 }, 400_000],
  [BY_SECOND, { seconds: 8, credits: 12.5 }, 125_000],
  [BY_TOKEN, { completionTokens: 0 }, 700_000],
  [BY_SECOND, { seconds: 0 }, 250_000],
  [BY_SECOND, { seconds: 8, credits: 0 }, 0],
])('%j with %j costs %i', (pricing, measured, cost) => {
  expect(costOfTask(pricing, measured)).toBe(cost)
})

test.each<[TaskPricing, VendorMeasures]>([
  [BY_TOKEN, { completionTokens: Number.MAX_SAFE_INTEGER }],
  [BY_TOKEN, { completionTokens: Number.NaN }],
  [BY_SECOND, { seconds: 1e15 }],
  [BY_SECOND, { credits: 1e300 }],
  [BY_SECOND, { credits: Number.POSITIVE_INFINITY, seconds: -1 }],
])('%j costs its estimate if a vendor measures the absurd %j', (pricing, measured) => {
  expect(costOfTask(pricing, measured)).toBe(costOfTask(pricing, {}))
})

test('after an absurd number of credits, the seconds set the cost', () => {
  expect(costOfTask(BY_SECOND, { credits: 1e300, seconds: 8 })).toBe(400_000)
})

test('even an absurd price gives a cost with which a task can end', () => {
  const dear: TaskPricing = { ...BY_SECOND, priceMicros: micros(1_000_000_000_000), estimatedSeconds: 5 }
  expect(costOfTask(dear, { seconds: 86_400 })).toBe(5_000_000_000_000)
})

test.each<[TaskPricing, VendorMeasures, cost: number, loss: number]>([
  [{ ...BY_TOKEN, maxMicros: micros(700_000) }, {}, 700_000, 0],
  [{ ...BY_TOKEN, maxMicros: micros(700_000) }, { completionTokens: 108_900 }, 700_000, 62_300],
  [{ ...BY_TOKEN, maxMicros: micros(700_000) }, { completionTokens: 50_000 }, 350_000, 0],
  [{ ...BY_SECOND, maxMicros: micros(250_000) }, { seconds: 8, credits: 60 }, 250_000, 350_000],
])('a task by a quote: %j with %j costs %i, and %i is our loss', (pricing, measured, cost, loss) => {
  expect(costOfTask(pricing, measured)).toBe(cost)
  expect(lossByQuote(costTermsOf(pricing, measured))).toBe(loss)
})

test('a quote caps the cost of a task, and we bear the excess', () => {
  const amount = fc.double({ min: 0, max: 1e12, noNaN: true })
  const measured = fc.record(
    { completionTokens: amount, credits: amount, seconds: amount },
    { requiredKeys: [] },
  )
  const price = fc.integer({ min: 0, max: 10_000_000_000 })
  const pricing = fc.oneof(
    fc
      .record({ priceMicros: price, estimatedTokens: fc.double({ min: 0, max: 1e8, noNaN: true }) })
      .map((one) => ({ ...one, unit: 'video_token' as const })),
    fc
      .record({ priceMicros: price, estimatedSeconds: fc.integer({ min: 1, max: 60 }) })
      .map((one) => ({ ...one, unit: 'second' as const })),
  )
  fc.assert(
    fc.property(pricing, measured, fc.integer({ min: 0, max: 10_000_000 }), (plain, measures, max) => {
      const asked: TaskPricing = { ...plain, priceMicros: micros(plain.priceMicros) }
      const terms = costTermsOf({ ...asked, maxMicros: micros(max) }, measures)
      const without = costOfTask(asked, measures)
      expect(costOfTerms(terms)).toBe(Math.min(without, max))
      expect(costOfTerms(terms) + lossByQuote(terms)).toBe(without)
    }),
    runs(10_000),
  )
})

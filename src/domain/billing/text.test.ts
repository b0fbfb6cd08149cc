import { expect, test } from 'vitest'
import { PRICE_UNITS, type PriceRow, type PriceUnit } from '../catalog/price-row.ts'
import { micros } from './micros.ts'
import { costOfText, textPricesOf } from './text-prices.ts'

const rows = (prices: Partial<Record<PriceUnit, number>>): PriceRow[] =>
  PRICE_UNITS.flatMap((unit) => {
    const price = prices[unit]
    return price === undefined
      ? []
      : [{ unit, resolution: null, videoInput: null, audio: null, priceMicros: micros(price) }]
  })
const pricesOf = (prices: Partial<Record<PriceUnit, number>>) =>
  textPricesOf(rows(prices)) ?? expect.fail('not priced')

test.each([
  [{}],
  [{ input_token: 1 }],
  [{ output_token: 1 }],
  [{ cached_input_token: 1, cache_write_token: 1, output_token: 1 }],
  [{ video_token: 1, second: 1 }],
])('%j is not a price of a text model', (prices) => {
  expect(textPricesOf(rows(prices))).toBeUndefined()
})

test('cached input and cache writes cost the input price, unless they have a row', () => {
  expect(pricesOf({ input_token: 3, output_token: 15 })).toMatchObject({
    ...{ inputMicros: 3, cachedInputMicros: 3, cacheWriteMicros: 3, outputMicros: 15 },
    longCacheWriteMicros: 6,
  })
  const written = { input_token: 3, cached_input_token: 0, cache_write_token: 4, output_token: 15 }
  expect(pricesOf(written)).toMatchObject({
    ...{ inputMicros: 3, cachedInputMicros: 0, cacheWriteMicros: 4, outputMicros: 15 },
    longCacheWriteMicros: 6,
  })
  expect(pricesOf({ ...written, cache_write_token: 9 })).toMatchObject({ longCacheWriteMicros: 9 })
  expect(pricesOf({ ...written, long_cache_write_token: 5 })).toMatchObject({ longCacheWriteMicros: 5 })
})

test('each kind of token costs its own price, rounded once', () => {
  const prices = pricesOf({
    input_token: 3_000_000,
    cached_input_token: 300_000,
    cache_write_token: 3_750_000,
    output_token: 15_000_000,
  })
  expect(costOfText(prices, { input: 1, cachedInput: 0, cacheWrite: 0, output: 0 })).toBe(3)
  expect(costOfText(prices, { input: 0, cachedInput: 1, cacheWrite: 0, output: 0 })).toBe(0)
  expect(costOfText(prices, { input: 0, cachedInput: 0, cacheWrite: 1, output: 0 })).toBe(4)
  expect(costOfText(prices, { input: 0, cachedInput: 0, cacheWrite: 0, output: 1 })).toBe(15)
  expect(costOfText(prices, { input: 1_000, cachedInput: 1, cacheWrite: 1, output: 10 })).toBe(3_154)
})

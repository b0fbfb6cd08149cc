import type { Surcharges } from '@sluice/dialects/canonical/usage'
import { CALL_UNITS } from '@sluice/dialects/tools/call-units'
import { expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { FACTOR_UNITS, type PriceUnit } from '../catalog/price-row.ts'
import { micros } from './micros.ts'
import { costOfLines, priceText } from './price-text.ts'
import { costOfText, dearestOf, textPricesOf } from './text-prices.ts'

function pricesOf(prices: Partial<Record<PriceUnit, number>>) {
  const rows = Object.entries(prices).map(([unit, price]) => ({
    ...{ unit: unit as PriceUnit, resolution: null, videoInput: null, audio: null },
    priceMicros: micros(price),
  }))
  return textPricesOf(rows) ?? expect.fail('not priced')
}

const PRICES = pricesOf({ input_token: 3_000_000, cached_input_token: 300_000, output_token: 15_000_000 })
const TOKENS = { input: 1_000, cachedInput: 100, cacheWrite: 10, output: 1 }
const cost = (surcharges: Surcharges) => priceText(PRICES, { tokens: TOKENS, surcharges }).costMicros

test('without surcharges the price is plain, with a line for each kind', () => {
  const priced = priceText(PRICES, { tokens: TOKENS })
  expect(priced).toEqual({
    costMicros: 3_075,
    unpriced: [],
    lines: [
      { unit: 'input_token', quantity: 1_000, priceMicros: 3_000_000 },
      { unit: 'cached_input_token', quantity: 100, priceMicros: 300_000 },
      { unit: 'cache_write_token', quantity: 10, priceMicros: 3_000_000 },
      { unit: 'output_token', quantity: 1, priceMicros: 15_000_000 },
    ],
  })
  expect(priced.costMicros).toBe(costOfText(PRICES, TOKENS))
})

test('factors multiply each other, and leave calls alone', () => {
  expect(cost({ tier: 'priority' })).toBe(7_688)
  expect(cost({ tier: 'priority', speed: 'fast', region: 'us' })).toBe(50_738)
  expect(cost({ tier: 'priority', calls: { web_search_call: 2 } })).toBe(57_688)
})

test('usage without a price is charged at the highest price, and named', () => {
  const surcharges = {
    ...{ tier: 'warp', calls: { dream: 2 } },
    others: [{ model: 'x', ...TOKENS, longCacheWrite: 0 }],
  }
  const others = { find: () => undefined, dearest: pricesOf({ input_token: 9_000_000, output_token: 1 }) }
  const priced = priceText(PRICES, { tokens: TOKENS, surcharges }, others)
  expect(priced.unpriced).toEqual(['tier warp', 'model x', 'tool dream'])
  expect(priced.lines).toContainEqual({
    ...{ unit: 'input_token', quantity: 1_000, priceMicros: 54_000_000, of: 'x' },
  })
  expect(priced.lines).toContainEqual({
    ...{ unit: 'image_generation_call', quantity: 2, priceMicros: 500_000, of: 'dream' },
  })
})

test('the highest prices of several rows are combined', () => {
  const one = pricesOf({ input_token: 1, output_token: 9, web_search_call: 7, priority_tier: 3_000_000 })
  const other = pricesOf({ input_token: 2, output_token: 8, web_search_call: 6, priority_tier: 4_000_000 })
  const dearest = dearestOf([one, other])
  expect(dearest).toMatchObject({ inputMicros: 2, outputMicros: 9 })
  expect(dearest?.callMicros.web_search_call).toBe(7)
  expect(dearest?.factors.priority_tier).toBe(4_000_000)
  expect(dearestOf([])).toBeUndefined()
})

test('no surcharge makes a request cheaper, and its lines always come to its cost', () => {
  const count = fc.nat(1_000_000)
  const word = fc.option(fc.constantFrom('priority', 'fast', 'flex', 'warp'), { nil: undefined })
  const surcharges = fc.record(
    {
      longCacheWrite: count,
      contextTokens: count,
      tier: word,
      speed: word,
      region: fc.constant('us'),
      calls: fc.dictionary(fc.constantFrom(...CALL_UNITS, 'dream'), fc.nat(9)),
    },
    { requiredKeys: [] },
  )
  const tokens = fc.record({ input: count, cachedInput: count, cacheWrite: count, output: count })
  fc.assert(
    fc.property(tokens, surcharges, (used, found) => {
      const given = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
      const priced = priceText(PRICES, { tokens: used, surcharges: given })
      expect(priced.costMicros).toBeGreaterThanOrEqual(costOfText(PRICES, used))
      expect(costOfLines(priced.lines)).toBe(priced.costMicros)
    }),
  )
  expect(FACTOR_UNITS.every((unit) => PRICES.factors[unit] >= 1_000_000)).toBe(true)
})

test('cache writes without a lifetime are long if the request asks for that', () => {
  const tokens = { input: 0, cachedInput: 0, cacheWrite: 10, output: 0 }
  const linesOf = (surcharges: Surcharges, asks: boolean) =>
    priceText(PRICES, { tokens, surcharges, asksForLongCache: () => asks }).lines.map(
      ({ unit, quantity }) => `${unit} ${quantity}`,
    )
  expect(linesOf({}, false)).toEqual(['cache_write_token 10'])
  expect(linesOf({}, true)).toEqual(['long_cache_write_token 10'])
  expect(linesOf({ shortCacheWrite: 4 }, true)).toEqual(['cache_write_token 4', 'long_cache_write_token 6'])
  expect(linesOf({ shortCacheWrite: 10 }, true)).toEqual(['cache_write_token 10'])
  expect(linesOf({ longCacheWrite: 3 }, false)).toEqual(['cache_write_token 7', 'long_cache_write_token 3'])
})

test('the request decides only about cache writes without a lifetime', () => {
  const tokens = { input: 5, cachedInput: 5, cacheWrite: 10, output: 5 }
  const asksForLongCache = () => expect.fail('looked')
  for (const surcharges of [{ shortCacheWrite: 10 }, { longCacheWrite: 10 }])
    priceText(PRICES, { tokens, surcharges, asksForLongCache })
  priceText(PRICES, { tokens: { ...tokens, cacheWrite: 0 }, asksForLongCache })
})

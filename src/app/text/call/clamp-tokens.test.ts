import type { ReplyTokens } from '@sluice/dialects/canonical/reply-event'
import { describe, expect, test } from 'vitest'
import { routeTo } from '../../../../test/vendor-call/route-to.ts'
import { priceText } from '../../../domain/billing/price-text.ts'
import { builtInModels } from '../../../domain/catalog/built-in.ts'
import { clampTokens, inputBoundsOf, tokenBoundsOf } from './clamp-tokens.ts'

const ABSURD = 2_000_000_000
const NONE: ReplyTokens = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }

/** Charge for a count, at 3 USD a million tokens of input and 15 of output. */
function charge(
  tokens: Partial<ReplyTokens>,
  {
    tokensMax = 1_100,
    maxTokens = 100,
    choices = 1,
    outputBytes = 6,
  }: {
    tokensMax?: number
    maxTokens?: number
    choices?: number
    outputBytes?: number
  } = {},
) {
  const upstream = { dialect: 'messages' as const, upstream: 'up', countsTokens: false, reasons: true }
  const provider = { name: 'vendorD', hides: [], findModel: () => upstream, send: () => ({ stop() {} }) }
  const model = builtInModels(0).find(({ name }) => name === 'vendorD/text-large')
  const route = routeTo(provider, { model, endpoint: 'messages' })
  // -1: not known.
  const isHidden = tokensMax === -1
  const count = { tokens: 34, tokensMax: isHidden ? undefined : tokensMax, refersOutside: false, isHidden }
  const plan = { body: 'x'.repeat(100), sentInputBound: () => count }
  const bounds = tokenBoundsOf({
    route,
    plan,
    outputTokens: maxTokens === -1 ? undefined : maxTokens,
    choices,
  })
  const counted = { ...NONE, ...tokens }
  const clamped = clampTokens(counted, bounds, outputBytes)
  const { costMicros } = priceText(route.prices, { tokens: clamped, surcharges: clamped.surcharges })
  return { clamped, isClamped: clamped !== counted, costMicros }
}

describe('an absurd count', () => {
  test('of input is limited to four times the possible tokens of the body, plus 10,000: 43,215 micros', () => {
    const { clamped, costMicros } = charge({ input: ABSURD, output: 1 })
    expect(clamped).toMatchObject({ input: 14_400, output: 1 })
    expect(costMicros).toBe(43_215)
  })

  test('of several kinds of input is reduced by one factor', () => {
    const { clamped } = charge({ input: ABSURD, cachedInput: ABSURD, cacheWrite: 2 * ABSURD, output: 1 })
    expect(clamped).toMatchObject({ input: 3_600, cachedInput: 3_600, cacheWrite: 7_200 })
  })

  test('of output is clamped to twice what the request allows for each reply, plus 1,024', () => {
    expect(charge({ input: 10, output: ABSURD })).toMatchObject({
      clamped: { input: 10, output: 1_224 },
      costMicros: 18_390,
    })
    expect(charge({ input: 10, output: ABSURD }, { choices: 3 }).clamped.output).toBe(1_624)
  })

  test('of output without a bound in the request is clamped to twice what a model can write, plus 1,024', () => {
    expect(charge({ input: 10, output: ABSURD }, { maxTokens: -1 }).clamped.output).toBe(257_024)
  })

  test('of text is clamped to the output limit of the model: 1,920,030 micros', () => {
    expect(charge({ input: 10, output: 1_250_000 }, { outputBytes: 5_000_000 })).toMatchObject({
      clamped: { output: 128_000 },
      costMicros: 1_920_030,
    })
  })

  test('of reasoning is clamped to the output', () => {
    expect(charge({ input: 10, output: ABSURD, reasoning: ABSURD }).clamped).toMatchObject({
      output: 129_224,
      reasoning: 129_224,
    })
  })

  test('of hosted calls is clamped to 1,000 of each kind: 25,000,045 micros', () => {
    const surcharges = { calls: { web_search_call: ABSURD } }
    expect(charge({ input: 10, output: 1, surcharges })).toMatchObject({
      clamped: { surcharges: { calls: { web_search_call: 1_000 } } },
      costMicros: 25_000_045,
    })
  })

  test('of other models is clamped to the bounds of the model itself, for all of them together', () => {
    const other = { ...NONE, model: 'b', input: ABSURD, output: ABSURD, longCacheWrite: 0 }
    const { clamped } = charge({ input: 10, output: 1, surcharges: { others: [other, other] } })
    expect(clamped.surcharges?.others).toMatchObject([
      { input: 64_000_000, output: 78_336 },
      { input: 0, output: 0 },
    ])
  })

  test('of embeddings is limited to four times the possible tokens of the body, plus 10,000', () => {
    expect(clampTokens({ ...NONE, input: ABSURD }, inputBoundsOf('x'.repeat(100)), 0).input).toBe(10_400)
  })
})

describe('an honest count is unchanged', () => {
  test.each<[string, Partial<ReplyTokens>, Parameters<typeof charge>[1]]>([
    ['a short count', { input: 10, output: 9 }, {}],
    ['input that the vendor adds to', { input: 9_000, output: 9 }, {}],
    ['a long text', { input: 90_000, output: 9 }, { tokensMax: 100_000 }],
    ['a document at an address', { input: 199_000, output: 9 }, { tokensMax: -1 }],
    [
      'twenty rounds of hosted tools',
      { input: 2_500_000, output: 40_000 },
      { tokensMax: -1, maxTokens: 4_000 },
    ],
    ['a reply that is longer than its bound', { input: 10, output: 5_000 }, { outputBytes: 20_000 }],
    ['thoughts beyond the bound of the request', { input: 10, output: 30_000, reasoning: 29_900 }, {}],
    ['300 searches', { input: 10, output: 9, surcharges: { calls: { web_search_call: 300 } } }, {}],
    [
      'a compaction before the reply',
      { input: 90_000, output: 6_000, surcharges: { contextTokens: 80_000 } },
      { tokensMax: 100_000 },
    ],
  ])('%s', (_name, tokens, request) => {
    expect(charge(tokens, request).isClamped).toBe(false)
  })
})

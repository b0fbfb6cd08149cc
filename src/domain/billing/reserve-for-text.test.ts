import { expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { micros } from './micros.ts'
import { reserveForText, type TextBounds } from './reserve-for-text.ts'
import { costOfText, type TextPrices, textPricesOf } from './text-prices.ts'

const ROW = { resolution: null, videoInput: null, audio: null, priceMicros: micros(0) }
const FREE =
  textPricesOf([
    { unit: 'input_token', ...ROW },
    { unit: 'output_token', ...ROW },
  ]) ?? expect.fail('not priced')
const priced = (input: number, cacheWrite: number, output: number): TextPrices => ({
  ...FREE,
  inputMicros: micros(input),
  cachedInputMicros: micros(0),
  cacheWriteMicros: micros(cacheWrite),
  outputMicros: micros(output),
})
const PRICES = priced(2_000_000, 2_500_000, 8_000_000)
const BOUNDS: TextBounds = {
  inputTokens: 1_000,
  inputTokensMax: 3_000,
  refersOutside: false,
  maxOutputTokens: undefined,
  contextTokens: 200_000,
}
const reserve = (change: Partial<TextBounds>) => reserveForText(PRICES, { ...BOUNDS, ...change })

test.each([
  [undefined, 4_096, 128_000],
  [0, 0, 0],
  [100, 100, 100],
  [4_096, 4_096, 4_096],
  [128_000, 4_096, 128_000],
  [100_000_000, 4_096, 200_000],
])('a reply of at most %s tokens reserves %i and can come to %i', (maxOutputTokens, reserved, possible) => {
  expect(reserve({ maxOutputTokens })).toEqual({
    reserveMicros: 2_000 + 8 * reserved,
    possibleMicros: 7_500 + 8 * possible,
  })
})

test.each<[string, Partial<TextBounds>, number, number]>([
  ['input that is named and not sent counts as the whole context', { refersOutside: true }, 400_000, 500_000],
  ['a model of unknown context can read a million tokens', { contextTokens: undefined }, 2_000, 5_000_000],
  [
    'input that is named, for a model of unknown context',
    { refersOutside: true, contextTokens: undefined },
    4_000_000,
    5_000_000,
  ],
  ['input of unknown length may fill the context', {}, 2_000, 500_000],
])('%s', (_name, change, reserveMicros, possibleMicros) => {
  const bounds = { inputTokensMax: undefined, maxOutputTokens: 0, ...change }
  expect(reserve(bounds)).toEqual({ reserveMicros, possibleMicros })
})

test.each<[string, TextBounds['requested'], number, number]>([
  ['a tier', { tier: 'priority' }, 5_000, 18_750],
  ['a speed', { speed: 'fast' }, 12_000, 45_000],
  ['a tier without a price', { tier: 'warp' }, 12_000, 45_000],
  ['a region', { region: 'us' }, 2_200, 8_250],
  ['hosted tools', { calls: { web_search_call: 16, code_session: 4 } }, 2_000, 607_500],
])('%s of the request is part of its maximum cost', (_name, requested, reserveMicros, possibleMicros) => {
  expect(reserve({ maxOutputTokens: 0, requested })).toEqual({ reserveMicros, possibleMicros })
})

test('a long context and cache writes for an hour are part of the maximum cost too', () => {
  const long = {
    inputTokens: 300_000,
    inputTokensMax: 300_000,
    contextTokens: 1_000_000,
    maxOutputTokens: 100,
  }
  expect(reserve(long)).toEqual({ reserveMicros: 1_201_200, possibleMicros: 1_501_200 })
  const prices = { ...PRICES, longCacheWriteMicros: micros(4_000_000) }
  expect(reserveForText(prices, { ...BOUNDS, maxOutputTokens: 0 })).toEqual({
    ...{ reserveMicros: 2_000, possibleMicros: 12_000 },
  })
})

test('a request within its bounds never costs more than its maximum, which is never below its reserve', () => {
  const price = fc.nat(1_000_000_000)
  const count = fc.nat(2_000_000)
  fc.assert(
    fc.property(
      fc.tuple(price, price, price),
      fc.tuple(count, count, count),
      fc.nat(300_000),
      fc.boolean(),
      fc.nat(100),
      (
        [input, cacheWrite, output],
        [inputTokens, more, context],
        maxOutputTokens,
        refersOutside,
        percent,
      ) => {
        const prices = priced(input, cacheWrite, output)
        const inputTokensMax = inputTokens + more
        const contextTokens = context + 1
        const bounds = { inputTokens, inputTokensMax, refersOutside, maxOutputTokens, contextTokens }
        const { reserveMicros, possibleMicros } = reserveForText(prices, bounds)
        const read = Math.min(inputTokensMax, contextTokens)
        const written = Math.floor((read * percent) / 100)
        const cost = costOfText(prices, {
          input: read - written,
          cachedInput: 0,
          cacheWrite: written,
          output: Math.min(maxOutputTokens, contextTokens),
        })
        expect(cost).toBeLessThanOrEqual(possibleMicros)
        expect(reserveMicros).toBeLessThanOrEqual(possibleMicros)
      },
    ),
  )
})

import { expect, test } from 'vitest'
import { formatUsdDecimal } from '../billing/usd.ts'
import { builtInModels } from './built-in.ts'
import { choosePrice } from './choose-price.ts'
import { endpointsOf } from './endpoints-of.ts'
import { exampleCost } from './example-cost.ts'
import { orderPrices } from './order-prices.ts'
import type { PriceUnit } from './price-row.ts'

const MODELS = builtInModels(5)
const find = (name: string) => MODELS.find((model) => model.name === name) ?? expect.fail(`no ${name}`)

test('thirteen models, each with a number and a price', () => {
  expect(MODELS.map(({ modelId }) => modelId)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1_000_000])
  for (const model of MODELS) {
    expect(exampleCost(model), model.name).toBeDefined()
    expect(model.createdAtMs).toBe(5)
  }
})

test.each([
  ['vendorA/gen-2.0', '720p', false, '7'],
  ['vendorA/gen-2.0', '720p', true, '4.3'],
  ['vendorA/gen-2.0', '1080p', false, '7.7'],
  ['vendorA/gen-2.0', '1080p', true, '4.7'],
  ['vendorA/gen-2.0', '480p', false, '7'],
  ['vendorA/gen-2.0-fast', '1080p', false, '5.6'],
  ['vendorA/gen-2.0-fast', '1080p', true, '3.3'],
])('%s at %s, video input %s: %s USD for a million tokens', (name, resolution, videoInput, usd) => {
  const row = choosePrice(find(name).prices, { unit: 'video_token', resolution, videoInput, audio: true })
  expect(row && formatUsdDecimal(row.priceMicros)).toBe(usd)
})

test.each([
  ['vendorB/gen-v4-std', false, ['0.11', '0.14', '0.35', '0.35']],
  ['vendorB/gen-v4-std', true, ['0.18', '0.25', '0.625', '0.625']],
  ['vendorB/gen-v4-fast', false, ['0.08', '0.11', '0.275', '0.275']],
  ['vendorB/gen-v4-fast', true, ['0.15', '0.2', '0.5', '0.5']],
  ['vendorB/gen-v3', false, ['0.04', '0.04', '0.04', '0.04']],
])('%s, video input %s: a second at 480p, 720p, 1080p and 4k costs %j', (name, videoInput, usd) => {
  const prices = ['480p', '720p', '1080p', '4k'].map((resolution) =>
    choosePrice(find(name).prices, { unit: 'second', resolution, videoInput, audio: false }),
  )
  expect(prices.map((row) => row && formatUsdDecimal(row.priceMicros))).toEqual(usd)
})

test.each([
  ['vendorC/model-5.3-codex', ['1.25', '0.125', undefined, '10']],
  ['vendorC/model-4.1', ['2', '0.5', undefined, '8']],
  ['vendorC/model-4.1-mini', ['0.4', '0.1', undefined, '1.6']],
  ['vendorC/model-o3', ['2', '0.5', undefined, '8']],
  ['vendorC/model-o4-mini', ['1.1', '0.275', undefined, '4.4']],
  ['vendorD/text-large', ['3', '0.3', '3.75', '15']],
  ['vendorD/text-small', ['1', '0.1', '1.25', '5']],
])('%s: a million tokens in, cached, written to the cache and out cost %j', (name, usd) => {
  const units: PriceUnit[] = ['input_token', 'cached_input_token', 'cache_write_token', 'output_token']
  const { prices } = find(name)
  const found = units.map((unit) => prices.find((row) => row.unit === unit))
  expect(found.map((row) => row && formatUsdDecimal(row.priceMicros))).toEqual(usd)
})

test('only the built-in models of vendorC are offered on responses', () => {
  const offered = MODELS.filter((model) => endpointsOf(model).includes('responses'))
  expect(offered.map(({ modelId }) => modelId)).toEqual([6, 7, 8, 9, 10])
})

test('an example has the cost of a plain request', () => {
  expect(exampleCost(find('vendorA/gen-2.0'))).toEqual({ request: '5 s at 720p', costMicros: 762_300 })
  expect(exampleCost(find('vendorB/gen-v4-std'))).toEqual({ request: '5 s at 720p', costMicros: 700_000 })
  expect(exampleCost(find('vendorC/model-4.1'))).toEqual({
    request: '1,000 tokens in, 1,000 out',
    costMicros: 10_000,
  })
  expect(exampleCost(find('vendorC/embed-small'))).toEqual({ request: '1,000 tokens in', costMicros: 20 })
  expect(exampleCost({ ...find('vendorC/model-4.1'), prices: [] })).toBeUndefined()
})

test('price rows are sorted the same way, whatever order they come in', () => {
  const prices = MODELS.flatMap((model) => model.prices)
  const ordered = orderPrices(prices.toReversed()).map(({ unit, resolution, videoInput }) => [
    unit,
    resolution,
    videoInput,
  ])
  expect(ordered).toEqual(
    orderPrices(prices).map(({ unit, resolution, videoInput }) => [unit, resolution, videoInput]),
  )
  expect(orderPrices(find('vendorB/gen-v4-std').prices).map(({ resolution }) => resolution)).toEqual([
    '480p',
    '480p',
    '720p',
    '720p',
    '1080p',
    '1080p',
  ])
})

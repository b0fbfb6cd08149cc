import { describe, expect, test } from 'vitest'
import { micros } from '../../domain/billing/micros.ts'
import type { CatalogEntry, PricedModel, RouteTarget } from '../../domain/catalog/model.ts'
import type { PriceRow } from '../../domain/catalog/price-row.ts'
import { formatDifference, planCatalog } from './plan-catalog.ts'

const second = (priceMicros: number, part: Partial<PriceRow> = {}): PriceRow => ({
  unit: 'second',
  resolution: null,
  videoInput: null,
  audio: null,
  priceMicros: micros(priceMicros),
  ...part,
})
const STORED: PricedModel = {
  modelId: 3,
  name: 'vendorB/three',
  endpoints: ['messages'],
  maxOutputTokens: 100,
  contextTokens: 1_000,
  createdAtMs: 5,
  prices: [second(40_000), second(90_000, { resolution: '1080P', audio: true })],
}
const entry = (part: Partial<CatalogEntry> = {}): CatalogEntry => ({
  modelId: 3,
  name: 'vendorB/three',
  endpoints: ['messages'],
  maxOutputTokens: undefined,
  fallbacks: undefined,
  prices: undefined,
  ...part,
})
const plan = (part: Partial<CatalogEntry>) => {
  const [planned] = planCatalog([entry(part)], { stored: [STORED], nowMs: 9 })
  return planned ?? expect.fail('nothing planned')
}

test('members that the file leaves out stay', () => {
  expect(plan({})).toMatchObject({ model: STORED, change: 'unchanged', differences: [] })
})

test('the same rows in another order and spelling change nothing', () => {
  const prices = [second(90_000, { resolution: '1080p', audio: true }), second(40_000)]
  expect(plan({ prices, maxOutputTokens: 100 })).toMatchObject({ change: 'unchanged', differences: [] })
})

test.each<[string, Partial<CatalogEntry>, string[]]>([
  [
    'a more expensive row',
    { prices: [second(40_001), ...STORED.prices.slice(1)] },
    ['second: 0.04 -> 0.040001'],
  ],
  [
    'other rows',
    { prices: [second(40_000), second(1, { videoInput: false })] },
    ['second, video_input=false: none -> 0.000001', 'second, resolution=1080p, audio=true: 0.09 -> none'],
  ],
  ['no rows', { prices: [] }, ['second: 0.04 -> none', 'second, resolution=1080p, audio=true: 0.09 -> none']],
  ["the vendor's prices", { vendorPrices: [second(30_000)] }, ['vendor second: none -> 0.03']],
  ['a longer reply', { maxOutputTokens: 200 }, ['max_output_tokens: 100 -> 200']],
  ['a longer context', { contextTokens: 2_000 }, ['context_tokens: 1000 -> 2000']],
  ['the default endpoints', { endpoints: null }, ['endpoints: messages -> default']],
  ['another family', { likeModel: 'vendorB/gen-v3' }, ['like: none -> vendorB/gen-v3']],
  ['no endpoints', { endpoints: [] }, ['endpoints: messages -> none']],
])('%s', (_, part, reported) => {
  const planned = plan(part)
  expect(planned.change).toBe('changed')
  expect(planned.differences.map(formatDifference)).toEqual(reported)
  expect(planned.model).toMatchObject({ createdAtMs: 5 })
})

test('prices with a later date are planned, and a plan of the current prices cancels that plan', () => {
  const prices = [second(60_000)]
  const nextPrices = { fromMs: 20, prices }
  const later = plan({ prices, pricesFromMs: 20 })
  expect(later.model).toMatchObject({ prices: STORED.prices, nextPrices })
  expect(later.differences.map(formatDifference)).toEqual([
    'second from 1970-01-01T00:00:00.020Z: none -> 0.06',
  ])
  expect(plan({ prices, pricesFromMs: 9 }).model).toMatchObject({ prices, nextPrices: undefined })
  const planned = { stored: [{ ...STORED, nextPrices }], nowMs: 9 }
  const [kept] = planCatalog([entry({ prices: [second(1)] })], planned)
  expect(kept?.model).toMatchObject({ prices: [second(1)], nextPrices })
  const [back] = planCatalog([entry({ prices: STORED.prices, pricesFromMs: 30 })], planned)
  expect(back?.model).toMatchObject({ prices: STORED.prices, nextPrices: undefined })
})

test('a model that does not exist yet is new, and created now', () => {
  expect(plan({ modelId: 4, name: 'vendorB/four', endpoints: null, prices: [second(1)] })).toEqual({
    model: {
      modelId: 4,
      name: 'vendorB/four',
      endpoints: null,
      maxOutputTokens: null,
      createdAtMs: 9,
      prices: [second(1)],
    },
    change: 'new',
    differences: [{ what: 'second', from: null, to: '0.000001' }],
    warnings: ['no such video model is known: clients get 404'],
  })
})

describe('fallbacks', () => {
  const KEPT = ['acme/eight', 'acme/six']
  const text = (part: Partial<CatalogEntry>): CatalogEntry =>
    entry({ modelId: 7, name: 'acme/seven', ...part })
  const stored: PricedModel = {
    ...{ modelId: 7, name: 'acme/seven', endpoints: ['messages'], maxOutputTokens: null, createdAtMs: 5 },
    fallbacks: KEPT,
    prices: [],
  }
  const others = KEPT.map((name, index) => ({ ...stored, modelId: 10 + index, name }))
  const planText = (part: Partial<CatalogEntry>) =>
    planCatalog([text(part), text({ modelId: 9, name: 'acme/nine' })], {
      stored: [stored, ...others],
      nowMs: 9,
    })[0]

  test.each<[string, Partial<CatalogEntry>, string[] | undefined, string[]]>([
    ['left out stay', {}, [...KEPT], []],
    ['given again stay', { fallbacks: [...KEPT] }, [...KEPT], []],
    ['none', { fallbacks: [] }, undefined, ['fallbacks: acme/eight acme/six -> none']],
    [
      'another model of the same file',
      { fallbacks: ['acme/nine'] },
      ['acme/nine'],
      ['fallbacks: acme/eight acme/six -> acme/nine'],
    ],
  ])('%s', (_, part, fallbacks, reported) => {
    const planned = planText(part)
    expect(planned?.model.fallbacks).toEqual(fallbacks)
    expect(planned?.differences.map(formatDifference)).toEqual(reported)
  })

  test('that the catalog does not have are refused', () => {
    expect(() => planText({ fallbacks: ['acme/nine', 'acme/ten'] })).toThrow(
      'The fallback acme/ten of acme/seven is not a model of the catalog.',
    )
  })
})

describe('a route', () => {
  const KEPT = [{ model: 'acme/eight', weight: 1 }]
  const rows = ['acme/seven', 'acme/eight', 'acme/nine'].map((name, at) => ({
    ...{ modelId: 7 + at, name, endpoints: null, maxOutputTokens: null, createdAtMs: 0, prices: [] },
    ...(at === 0 ? { route: KEPT } : {}),
  }))
  const planRoute = (modelId: number, route: RouteTarget[] | undefined) => {
    const name = rows[modelId - 7]?.name ?? ''
    const entry = { modelId, name, endpoints: null, maxOutputTokens: undefined, fallbacks: undefined }
    return planCatalog([{ ...entry, prices: undefined, route }], { stored: rows, nowMs: 0 })[0]
  }

  test('is kept if the file has none, reported with its weights if it changes, and removed if it is empty', () => {
    expect(planRoute(7, undefined)).toMatchObject({ change: 'unchanged', model: { route: KEPT } })
    const changed = planRoute(7, [{ model: 'acme/nine', weight: 2 }, ...KEPT])
    expect(changed?.differences.map(formatDifference)).toEqual([
      'route: acme/eight -> acme/nine*2 acme/eight',
    ])
    const none = planRoute(7, [])
    expect(none?.differences.map(formatDifference)).toEqual(['route: acme/eight -> none'])
    expect(none?.model.route).toBeUndefined()
  })

  test('to an unknown model is refused, and so is a cycle', () => {
    expect(() => planRoute(7, [{ model: 'acme/ten', weight: 1 }])).toThrow(
      'The target acme/ten in the route of acme/seven is not a model of the catalog.',
    )
    expect(() => planRoute(8, [{ model: 'acme/seven', weight: 1 }])).toThrow(
      'The routes of acme/eight and acme/seven name each other.',
    )
  })
})

test('a name with another number, or a number with another name, is refused', () => {
  expect(() => plan({ modelId: 4 })).toThrow('vendorB/three has the model_id 3')
  expect(() => plan({ name: 'vendorB/other' })).toThrow('The model_id 3 belongs to vendorB/three.')
})

test('a model that cannot be served is reported, even if it does not change', () => {
  const stored = { ...STORED, modelId: 5, name: 'vendorB/gen-v3', prices: [] }
  const listed = entry({ modelId: 5, name: 'vendorB/gen-v3' })
  expect(planCatalog([listed], { stored: [stored], nowMs: 9 })).toMatchObject([
    { change: 'unchanged', warnings: ['no price for second: clients get 503'] },
  ])
  const priced = entry({ modelId: 5, name: 'vendorB/gen-v3', prices: [second(1)] })
  expect(planCatalog([priced], { stored: [stored], nowMs: 9 })).toMatchObject([{ warnings: [] }])
})

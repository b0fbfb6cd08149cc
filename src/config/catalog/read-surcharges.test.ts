import { expect, test } from 'vitest'
import { readCatalogFile } from './load-catalog.ts'

function read(source: string) {
  const faults: string[] = []
  const entries = readCatalogFile({
    fileName: 'catalog.yaml',
    source,
    report: ({ setting, wrong, fix }) => faults.push(`${setting}: ${wrong}. ${fix}`),
  })
  return { entries, faults }
}

test('prices of surcharges that a request can cause', () => {
  const { entries, faults } = read(`
models:
  - model_id: 7
    name: vendorC/model-4.1
    long_context_tokens: 272000
    fallback_price: served
    prices:
      - { unit: long_cache_write_token, usd_per_million: 6 }
      - { unit: web_search_call, usd: 0.01 }
      - { unit: priority_tier, times: 1.75 }
`)
  expect(faults).toEqual([])
  expect(entries).toMatchObject([
    {
      longContextTokens: 272_000,
      fallbackPrice: 'served',
      prices: [
        { unit: 'long_cache_write_token', priceMicros: 6_000_000 },
        { unit: 'web_search_call', priceMicros: 10_000 },
        { unit: 'priority_tier', priceMicros: 1_750_000 },
      ],
    },
  ])
})

test('vendor prices have the form of prices and are checked like them', () => {
  const models = (part: string) =>
    `models:\n  - model_id: 7\n    name: vendorC/model-4.1\n    vendor_prices: ${part}\n`
  expect(read(models('[{ unit: input_token, usd_per_million: 1.5 }]'))).toMatchObject({
    entries: [{ vendorPrices: [{ unit: 'input_token', priceMicros: 1_500_000 }], prices: undefined }],
    faults: [],
  })
  const twice = read(models('[{ unit: second, usd: 1 }, { unit: second, usd: 2 }]'))
  expect(twice.faults.join()).toContain('models.0.vendor_prices')
  expect(read(models('[]'))).toMatchObject({ entries: [{ vendorPrices: [] }], faults: [] })
  for (const [part, fault] of [
    ['[{ unit: input_token, usd: 1 }]', 'models.0.vendor_prices.0.usd: tokens are priced by the million'],
    ['', 'models.0.vendor_prices: it is empty'],
    ['7', 'models.0.vendor_prices'],
  ] as const) {
    const { entries, faults } = read(models(part))
    expect([part, entries]).toEqual([part, []])
    expect(faults.join()).toContain(fault)
  }
})

const one = (part: string) => `models:\n  - { model_id: 1, name: a/b, ${part} }\n`
const priced = (part: string) => `models:\n  - model_id: 1\n    name: a/b\n    prices:\n      - { ${part} }\n`

test.each([
  [
    priced('unit: web_search_call, usd_per_million: 1'),
    'catalog.yaml:5:51 models.0.prices.0.usd_per_million: web_search_call is priced one by one. Write usd instead.',
  ],
  [
    priced('unit: priority_tier, usd: 2'),
    'catalog.yaml:5:37 models.0.prices.0.usd: priority_tier multiplies other prices. Write times instead, such as times: 2.',
  ],
  [
    priced('unit: priority_tier, times: 101'),
    'catalog.yaml:5:39 models.0.prices.0.times: "101" is above 100. Use a number from 0 to 100 with at most 6 decimals, such as 2 or 1.75.',
  ],
  [
    one('fallback_price: higher'),
    'catalog.yaml:2:47 models.0.fallback_price: "higher" is not one of the known words. Use one of lower, asked, served.',
  ],
])('%s', (source, fault) => {
  expect(read(source)).toEqual({ entries: [], faults: [fault] })
})

import { describe, expect, test } from 'vitest'
import { micros } from '../domain/billing/micros.ts'
import { builtInModels } from '../domain/catalog/built-in.ts'
import type { PricedModel } from '../domain/catalog/model.ts'
import { readConfig } from './config.ts'
import {
  idleStandIns,
  modelsWithoutProvider,
  servedModels,
  unservedModels,
  whyUnservable,
} from './served-models.ts'

const FILE = `
providers:
  vendorA: { driver: vendor-a, base_url: "https://a.example/api/v3", api_key: key, models: { gen-2.0: id } }
  vendorB: { driver: vendor-b, base_url: "https://b.example", api_key: key }
  elsewhere: { driver: vendor-b, base_url: "https://c.example", api_key: key }
  vendorC: { driver: text, base_url: "https://d.example", api_key: key, models: { model-4.1: chat, model-9: chat, model-o3: responses } }
`
const { providers } = readConfig({ environment: { SLUICE_CONFIG: 'sluice.yaml' }, readFile: () => FILE })

/** One of the configured models has lost its prices. */
const CATALOG = builtInModels(0).map((model) =>
  model.name === 'vendorC/model-o3' ? { ...model, prices: [] } : model,
)

function servedOf(catalog: readonly PricedModel[]): PricedModel[] {
  const isServed = servedModels(providers)
  return catalog.filter((row) => isServed(row, (name) => catalog.find((other) => other.name === name)))
}

test('a model is served when it is configured, in the catalog, and priced', () => {
  expect(servedOf(CATALOG).map(({ name }) => name)).toEqual([
    'vendorA/gen-2.0',
    'vendorB/gen-v4-std',
    'vendorB/gen-v4-fast',
    'vendorB/gen-v3',
    'vendorC/model-4.1',
  ])
})

test('a text model without an endpoint is not served', () => {
  const taken = CATALOG.map((row) => (row.name === 'vendorC/model-4.1' ? { ...row, endpoints: [] } : row))
  expect(servedOf(taken).map(({ name }) => name)).not.toContain('vendorC/model-4.1')
})

test.each([
  ['vendorA/gen-2.0', {}, undefined],
  ['vendorA/gen-2.0-fast', {}, 'the provider "vendorA" has no model "gen-2.0-fast"'],
  ['vendorD/text-large', {}, 'there is no provider "vendorD"'],
  ['vendorC/model-o3', {}, 'no price for input_token: clients get 503'],
  ['vendorC/model-4.1', { endpoints: [] }, 'its list of endpoints is empty'],
  ['vendorC/model-4.1', { route: [{ model: 'gone/m', weight: 1 }] }, 'no target of its route is configured'],
] as const)('%s with %j cannot be served, because: %s', (name, change, reason) => {
  const row = CATALOG.find((model) => model.name === name) ?? expect.fail()
  expect(
    whyUnservable({ serving: providers, disabled: new Set() })({ ...row, ...change }, () => undefined),
  ).toBe(reason)
})

test('a configured model that cannot be served is named with its reason', () => {
  expect(unservedModels(providers, CATALOG)).toEqual([
    { model: 'elsewhere/*', why: 'it makes no model that Sluice knows' },
    { model: 'vendorC/model-9', why: 'no row of the catalog has this name' },
    { model: 'vendorC/model-o3', why: 'no price for input_token: clients get 503' },
  ])
})

test('a catalog row without a provider is named, unless it is built in', () => {
  const [, , , , , , row] = CATALOG
  const added = ['vendorC/model-4.1', 'vendorC/model-8', 'mistral/small', 'vendorB/like-it'].map((name) => ({
    ...(row ?? expect.fail('the catalog is shorter')),
    name,
  }))
  expect(modelsWithoutProvider(providers, [...CATALOG, ...added])).toEqual([
    { model: 'vendorC/model-8', why: 'the provider "vendorC" has no model "model-8"' },
    { model: 'mistral/small', why: 'there is no provider "mistral"' },
  ])
})

const like = (name: string, likeModel: string): PricedModel => ({
  modelId: 100,
  name,
  likeModel,
  endpoints: null,
  maxOutputTokens: null,
  createdAtMs: 0,
  prices: [
    {
      unit: 'second',
      resolution: null,
      videoInput: null,
      audio: null,
      priceMicros: micros(100_000),
    },
  ],
})

test.each([
  ['elsewhere/gen-x', 'vendorB/gen-v4-std', true],
  ['vendorB/gen-x', 'vendorB/gen-v3', true],
  ['elsewhere/gen-x', 'vendorA/gen-2.0', false],
  ['vendorA/gen-x', 'vendorB/gen-v4-std', false],
  ['vendorC/model-4.1', 'vendorB/gen-v4-std', false],
  ['nowhere/gen-x', 'vendorB/gen-v4-std', false],
])('%s like %s is served: %s', (name, likeModel, isServed) => {
  expect(servedModels(providers)(like(name, likeModel), () => undefined)).toBe(isServed)
})

test('a model like a model of another family is named with its reason', () => {
  const catalog = [like('elsewhere/gen-x', 'vendorA/gen-2.0'), like('elsewhere/gen-y', 'vendorB/gen-v3')]
  expect(unservedModels(providers, catalog)).toContainEqual({
    model: 'elsewhere/gen-x',
    why: 'the driver vendor-b does not make videos like vendorA/gen-2.0: clients get 503',
  })
  expect(JSON.stringify(unservedModels(providers, catalog))).not.toContain('elsewhere/gen-y')
})

describe('a model with a route', () => {
  const prices = builtInModels(0).find(({ name }) => name === 'vendorC/model-4.1')?.prices ?? []
  const row = (name: string, more: Partial<PricedModel> = {}): PricedModel => ({
    ...{ modelId: 90, name, endpoints: null, maxOutputTokens: null, createdAtMs: 0, prices, ...more },
  })
  const to = (...models: string[]) => ({ route: models.map((model) => ({ model, weight: 1 })) })
  const isServed = (...rows: PricedModel[]) => servedOf([...CATALOG, ...rows]).includes(rows[0] ?? row(''))

  test('is served by a target whose provider is configured, without a provider of its own name', () => {
    expect(isServed(row('pool/m', to('gone/m', 'vendorC/model-4.1')))).toBe(true)
  })

  test('needs a price of its own, an endpoint and a target', () => {
    expect(isServed(row('pool/m', { ...to('vendorC/model-4.1'), prices: [] }))).toBe(false)
    expect(isServed(row('pool/m', { ...to('vendorC/model-4.1'), endpoints: [] }))).toBe(false)
    expect(isServed(row('pool/m', to('gone/m')), row('gone/m'))).toBe(false)
    expect(isServed(row('pool/m', to('two/m')), row('two/m', to('vendorC/model-4.1')))).toBe(false)
  })

  test('needs no provider, and its missing targets are named', () => {
    const catalog = [
      row('pool/m', to('vendorC/model-4.1', 'gone/m', 'two/m')),
      row('two/m', to('vendorC/model-4.1')),
    ]
    expect(modelsWithoutProvider(providers, [...CATALOG, ...catalog])).toEqual([
      { model: 'pool/m', why: 'its route names gone/m, which is not a model of the catalog' },
      { model: 'pool/m', why: 'its route names two/m, which has a route itself' },
    ])
  })

  test('needs no prices of targets that are hidden from clients', () => {
    const target = row('vendorC/model-9', { prices: [], endpoints: [] })
    const named = (catalog: PricedModel[]) => unservedModels(providers, catalog).map(({ model }) => model)
    expect(named([...CATALOG, target])).toContain('vendorC/model-9')
    expect(named([...CATALOG, target, row('pool/m', to('vendorC/model-9'))])).not.toContain('vendorC/model-9')
  })
})

test('a text model is not served by a video driver, and is named with its reason', () => {
  const { providers: acme } = readConfig({
    environment: { SLUICE_CONFIG: 'sluice.yaml' },
    readFile: () => `
providers:
  listed: { driver: vendor-a, base_url: "https://a.example/api/v3", api_key: key, models: { words: id } }
  unlisted: { driver: vendor-b, base_url: "https://b.example", api_key: key }
`,
  })
  const text = CATALOG.find(({ name }) => name === 'vendorC/model-4.1') ?? expect.fail('no such row')
  const rows = ['listed/words', 'unlisted/words'].map((name) => ({ ...text, name }))
  expect(rows.filter((row) => servedModels(acme)(row, () => undefined))).toEqual([])
  expect(unservedModels(acme, rows)).toContainEqual({
    model: 'listed/words',
    why: 'the driver vendor-a has no text models: clients get 503',
  })
})

test('a stand-in that would be skipped is named, for models of a configured provider', () => {
  const standIns: Record<string, string[]> = {
    'vendorA/gen-2.0': ['vendorB/gen-v4-std', 'vendorA/gen-2.0-fast', 'vendorC/model-4.1', 'vendorB/gen-v9'],
    'vendorA/gen-2.0-fast': ['vendorA/gen-1.5'],
  }
  const catalog = CATALOG.map((row) => ({ ...row, standIns: standIns[row.name] ?? [] }))
  expect(idleStandIns(providers, catalog)).toEqual([
    {
      ...{ model: 'vendorA/gen-2.0', standIn: 'vendorA/gen-2.0-fast' },
      why: 'the provider "vendorA" has no model "gen-2.0-fast"',
    },
    {
      ...{ model: 'vendorA/gen-2.0', standIn: 'vendorC/model-4.1' },
      why: 'it is not a video model',
    },
    {
      ...{ model: 'vendorA/gen-2.0', standIn: 'vendorB/gen-v9' },
      why: 'no row of the catalog has this name',
    },
  ])
})

test('a stand-in without prices is not named, and a model without prices has its stand-ins checked', () => {
  const standIns: Record<string, string[]> = {
    'vendorA/gen-2.0': ['vendorB/gen-v4-std', 'vendorB/gen-v9'],
    'vendorB/gen-v4-std': ['vendorA/gen-2.0', 'vendorA/gen-2.0-fast'],
  }
  const catalog = CATALOG.map((row) => ({ ...row, standIns: standIns[row.name] ?? [], prices: [] }))
  expect(idleStandIns(providers, catalog)).toMatchObject([
    { model: 'vendorA/gen-2.0', standIn: 'vendorB/gen-v9' },
    { model: 'vendorB/gen-v4-std', standIn: 'vendorA/gen-2.0-fast' },
  ])
})

test.each([
  ['org_1', 'org_2', ['its provider belongs to org_2, and that of the model to org_1']],
  ['org_1', 'org_1', []],
  ['org_1', undefined, []],
  [undefined, 'org_2', []],
])('a model of %s with a stand-in of %s', (owner, standInOwner, why) => {
  const owned = providers.map((provider) => {
    const organizationId = { vendorA: owner, vendorB: standInOwner }[provider.name]
    return organizationId === undefined ? provider : { ...provider, organizationId }
  })
  const catalog = CATALOG.map((row) =>
    row.name === 'vendorA/gen-2.0' ? { ...row, standIns: ['vendorB/gen-v3'] } : row,
  )
  expect(idleStandIns(owned, catalog).map((idle) => idle.why)).toEqual(why)
})

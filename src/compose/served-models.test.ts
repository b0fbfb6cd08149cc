import { expect, test } from 'vitest'
import { micros } from '../domain/billing/micros.ts'
import { builtInModels } from '../domain/catalog/built-in.ts'
import type { PricedModel } from '../domain/catalog/model.ts'
import { readConfig } from './config.ts'
import { modelsWithoutProvider, servedModels, unservedModels } from './served-models.ts'

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

test('served is what is configured, in the catalog, and priced', () => {
  expect(CATALOG.filter(servedModels(providers)).map(({ name }) => name)).toEqual([
    'vendorA/gen-2.0',
    'vendorB/gen-v4-std',
    'vendorB/gen-v4-fast',
    'vendorB/gen-v3',
    'vendorC/model-4.1',
  ])
})

test('a text model without an endpoint is not served', () => {
  const taken = CATALOG.map((row) => (row.name === 'vendorC/model-4.1' ? { ...row, endpoints: [] } : row))
  expect(taken.filter(servedModels(providers)).map(({ name }) => name)).not.toContain('vendorC/model-4.1')
})

test('what is configured and cannot be served is named with its reason', () => {
  expect(unservedModels(providers, CATALOG)).toEqual([
    { model: 'elsewhere/*', why: 'it makes no model that Sluice knows' },
    { model: 'vendorC/model-9', why: 'no row of the catalog has this name' },
    { model: 'vendorC/model-o3', why: 'no price for input_token: clients get 503' },
  ])
})

test('what is in the catalog and has no provider is named, unless it was built in', () => {
  const [, , , , , , row] = CATALOG
  const added = ['vendorC/model-4.1', 'vendorC/model-8', 'mistral/small', 'vendorB/like-it'].map((name) => ({
    ...(row ?? expect.fail('the catalog is shorter')),
    name,
  }))
  expect(modelsWithoutProvider(providers, [...CATALOG, ...added])).toEqual([
    { model: 'vendorC/model-8', why: 'sluice.yaml has no model "model-8" under providers.vendorC' },
    { model: 'mistral/small', why: 'sluice.yaml has no provider "mistral"' },
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
  expect(servedModels(providers)(like(name, likeModel))).toBe(isServed)
})

test('a model that is like one of another family is named with its reason', () => {
  const catalog = [like('elsewhere/gen-x', 'vendorA/gen-2.0'), like('elsewhere/gen-y', 'vendorB/gen-v3')]
  expect(unservedModels(providers, catalog)).toContainEqual({
    model: 'elsewhere/gen-x',
    why: 'the driver vendor-b does not make videos like vendorA/gen-2.0: clients get 503',
  })
  expect(JSON.stringify(unservedModels(providers, catalog))).not.toContain('elsewhere/gen-y')
})

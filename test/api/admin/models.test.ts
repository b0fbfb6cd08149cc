import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { message, response, textClientOf } from '../text/call-text.ts'
import { expectPublished } from './expect-published.ts'
import { type AdminApi, startAdminApi } from './start-admin-api.ts'

const PROVIDERS = `
providers:
  acme:
    driver: text
    base_url: SANDBOX/text
    api_key: own
    models: { one: { dialect: messages, upstream: text-small }, two: { dialect: messages, upstream: text-small } }
`
const PRICES = [
  { unit: 'input_token', usd_per_million: 1 },
  { unit: 'output_token', usd_per_million: 5 },
]

let api: AdminApi
beforeAll(async () => {
  api = await startAdminApi({ providers: PROVIDERS })
})
afterAll(() => api.close())

const ask = (model: string) => textClientOf(api, api.tenant).messages(message('hello', { model }))
const listed = async () => {
  const answer = await fetch(`${api.url}/v1/models`, { headers: { 'x-api-key': api.tenant.key } })
  return Object(await answer.json()).data.map(({ id }: { id: string }) => id)
}

describe('POST /models', () => {
  test('200 adds a model that answers immediately, on responses too, with an id of the store and an audit row', async () => {
    expect((await ask('acme/one')).status).toBe(404)
    const added = await api.ask('POST /models', { body: { name: 'acme/one', prices: PRICES } })
    expectPublished('adminAddModel', added.body)
    expect(added.body).toMatchObject({ model_id: 13, name: 'acme/one', change: 'new' })
    expect((await ask('acme/one')).status).toBe(200)
    const client = textClientOf(api, api.tenant)
    expect((await client.responses(response('hello', { model: 'acme/one' }))).status).toBe(200)
    expect(await listed()).toEqual(['acme/one'])
    const { body } = await api.ask('GET /audit?action=model.add')
    expect(body.data).toMatchObject([{ subject: 'acme/one', actor: 'admin key' }])
  })

  test.each([
    [
      'a name in use',
      { name: 'vendorC/model-4.1', prices: PRICES },
      'There is a model vendorC/model-4.1 already',
    ],
    ['no price', { name: 'acme/two' }, 'no price for input_token'],
    [
      'a misspelled member',
      { name: 'acme/two', prices: PRICES, max_output_token: 5 },
      'Did you mean max_output_tokens?',
    ],
    ['a number', { name: 'acme/two', model_id: 99, prices: PRICES }, 'the store gives it'],
    ['a name without a provider', { name: 'two', prices: PRICES }, 'name'],
    ['no name and no number', { prices: PRICES }, 'model_id is required'],
  ])('400 for %s, and nothing is stored', async (_what, body, words) => {
    const before = await api.ask('GET /models?limit=100')
    const answer = await api.ask('POST /models', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toContain(words)
    expect((await api.ask('GET /models?limit=100')).body).toEqual(before.body)
  })
})

describe('PATCH /models/{name}', () => {
  test('200 unpublishes and publishes: 404 for clients and not listed, but kept', async () => {
    const hidden = await api.ask('PATCH /models/acme%2Fone', { body: { published: false } })
    expectPublished('adminUpdateModel', hidden.body)
    expect(hidden.body.differences).toEqual([{ what: 'published', from: null, to: 'no' }])
    expect((await ask('acme/one')).status).toBe(404)
    expect(await listed()).toEqual([])
    const { body } = await api.ask('GET /models?limit=100')
    expect(body.data).toContainEqual(
      expect.objectContaining({
        name: 'acme/one',
        published: false,
        servable: false,
        reason: 'it is not published',
      }),
    )
    await api.ask('PATCH /models/acme%2Fone', { body: { published: true } })
    expect((await ask('acme/one')).status).toBe(200)
  })

  test('200 changes the given members and keeps the rest; the next request costs the new price', async () => {
    const tenant = await api.openTenant()
    const client = textClientOf(api, tenant)
    await client.messages(message('hello', { model: 'acme/one' }))
    const dearer = PRICES.map((row) => ({ ...row, usd_per_million: row.usd_per_million * 1_000 }))
    await api.ask('PATCH /models/acme%2Fone', { body: { endpoints: ['messages'], max_output_tokens: 500 } })
    const changed = await api.ask('PATCH /models/acme%2Fone', { body: { prices: dearer } })
    expect(changed.body).toMatchObject({ change: 'changed', model_id: 13 })
    await client.messages(message('hello', { model: 'acme/one' }))
    const [first, second] = await api.usageOf(tenant, 2)
    expect(second?.cost_micros).toBe((first?.cost_micros ?? 0) * 1_000)
    const { body } = await api.ask('GET /models?limit=100')
    expect(body.data).toContainEqual(
      expect.objectContaining({ name: 'acme/one', endpoints: ['messages'], max_output_tokens: 500 }),
    )
  })

  test('200 plans prices: the next request costs the old price, and the list shows both', async () => {
    const tenant = await api.openTenant()
    const client = textClientOf(api, tenant)
    await client.messages(message('hello', { model: 'acme/one' }))
    const prices = PRICES.map((row) => ({ ...row, usd_per_million: 9 }))
    const later = { prices, prices_from: '2999-12-01T00:00:00Z' }
    const planned = await api.ask('PATCH /models/acme%2Fone', { body: later })
    expectPublished('adminUpdateModel', planned.body)
    await client.messages(message('hello', { model: 'acme/one' }))
    const [first, second] = await api.usageOf(tenant, 2)
    expect(second?.cost_micros).toBe(first?.cost_micros)
    const listedRow = async () => {
      const { body } = await api.ask('GET /models?limit=100')
      expectPublished('adminListModels', body)
      return (body.data as { name: string }[]).find(({ name }) => name === 'acme/one')
    }
    const row = await listedRow()
    expect(row).toMatchObject({
      next_prices: { from: '2999-12-01T00:00:00.000Z', prices: prices.map((price) => ({ ...price })) },
    })
    const now = { prices: later.prices, prices_from: '2026-11-01' }
    expect(await api.ask('PATCH /models/acme%2Fone', { body: now })).toMatchObject({ status: 200 })
    expect(await listedRow()).toMatchObject({ prices: [{ usd_per_million: 9 }, { usd_per_million: 9 }] })
  })

  test.each([
    ['prices_from without prices', { prices_from: '2999-12-01' }, 'no prices stand beside it'],
    ['a moment that is not a date', { prices: PRICES, prices_from: 'tomorrow' }, 'is not a moment'],
    [
      'planned prices of one unit',
      { prices: PRICES.slice(1), prices_from: '2999-12-01' },
      'no price for input_token',
    ],
  ])('400 for %s', async (_what, body, words) => {
    const answer = await api.ask('PATCH /models/acme%2Fone', { body })
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(words) } })
    expect(await api.ask('POST /models', { body: { model_id: 13, ...body } })).toMatchObject({ status: 400 })
  })

  test('GET /models?search= 200 finds models by a part of their name', async () => {
    const { body } = await api.ask('GET /models?limit=100&search=GEN-V3')
    expect((body.data as { name: string }[]).map(({ name }) => name)).toEqual(['vendorB/gen-v3'])
    expect((await api.ask('GET /models?search=none')).body.data).toEqual([])
  })

  test('404 for an unknown model, 400 for another name or an unknown member', async () => {
    expect(await api.ask('PATCH /models/acme%2Fnone', { body: { published: false } })).toMatchObject({
      status: 404,
    })
    for (const body of [{ name: 'acme/two' }, { publishd: true }, { prices: [{ unit: 'input_token' }] }])
      expect(await api.ask('PATCH /models/acme%2Fone', { body })).toMatchObject({ status: 400 })
  })
})

test('GET /aliases: 200 with the page after an alias of 200 characters', async () => {
  const names = [`a${'b'.repeat(199)}`, 'c']
  for (const alias of names)
    await api.ask('POST /aliases', {
      body: { alias, model: 'acme/one', organization_id: api.tenant.organizationId },
    })
  const { body: first } = await api.ask('GET /aliases?limit=1')
  expect(first.data).toMatchObject([{ alias: names[0] }])
  const second = await api.ask(`GET /aliases?limit=1&cursor=${encodeURIComponent(String(first.next_cursor))}`)
  expect(second).toMatchObject({ status: 200, body: { data: [{ alias: 'c' }] } })
  for (const alias of names)
    await api.ask(`DELETE /aliases/${alias}?organization_id=${api.tenant.organizationId}`)
})

describe('DELETE /models/{name}', () => {
  test('200 removes it, unless an alias needs it: 400', async () => {
    await api.ask('POST /aliases', { body: { alias: 'one', model: 'acme/one' } })
    const refused = await api.ask('DELETE /models/acme%2Fone')
    expect(refused).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('one is an alias of it') },
    })
    await api.ask('DELETE /aliases/one')
    const removed = await api.ask('DELETE /models/acme%2Fone')
    expectPublished('adminRemoveModel', removed.body)
    expect(removed.body).toEqual({ model_id: 13, name: 'acme/one' })
    expect((await ask('acme/one')).status).toBe(404)
    expect(await api.ask('DELETE /models/acme%2Fone')).toMatchObject({ status: 404 })
  })
})

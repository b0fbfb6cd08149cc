import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, readAnswer } from '../http-edge/answer.ts'
import { MESSAGES_MODEL, message, textClientOf } from '../text/call-text.ts'
import { startTextApi, type TextApi } from '../text/start-text-api.ts'
import type { Tenant } from '../video/tenants.ts'

let api: TextApi
let other: Tenant
beforeAll(async () => {
  api = await startTextApi()
  other = await api.openTenant({ creditMicros: 5_000_000 })
  for (const tenant of [api.tenant, api.tenant, other])
    expect(await textClientOf(api, tenant).messages(message())).toMatchObject({ status: 200 })
  await api.usageOf(api.tenant, 2)
  await api.usageOf(other, 1)
})
afterAll(() => api.close())

const ask = async (path: string, { key }: Tenant = api.tenant) =>
  readAnswer(await fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${key}` } }))

async function read(path: string, tenant?: Tenant) {
  const answer = await ask(path, tenant)
  expect(answer.status).toBe(200)
  return JSON.parse(answer.body)
}

function expectError({ status, body }: Answer, expected: number, code: string): void {
  expect({ status, code: JSON.parse(body).error.code }).toEqual({ status: expected, code })
}

const today = () => new Date().toISOString().slice(0, 10)

describe('GET /v1/usage', () => {
  test('200: the days of the own organization, with the cost of their rows in micros', async () => {
    const rows = await api.usageOf(api.tenant, 2)
    const cost = rows.reduce((sum, row) => sum + row.cost_micros, 0)
    expect(cost).toBeGreaterThan(0)
    const { data, ...page } = await read('/v1/usage')
    expect(page).toEqual({ object: 'list', has_more: false, next_cursor: '' })
    expect(data).toEqual([
      {
        day: today(),
        requests: 2,
        errors: 0,
        input_tokens: rows.reduce((sum, row) => sum + row.input_tokens, 0),
        cached_input_tokens: 0,
        cache_write_tokens: 0,
        output_tokens: rows.reduce((sum, row) => sum + row.output_tokens, 0),
        video_seconds: 0,
        cost_micros: cost,
        cached_input_share: 0,
      },
    ])
  })

  test('200: all groupings in one request, and each tenant gets its own usage', async () => {
    for (const [tenant, requests] of [
      [api.tenant, 2],
      [other, 1],
    ] as const) {
      const { data } = await read('/v1/usage?by=model,key,user,org,hour', tenant)
      expect(data).toMatchObject([
        { hour: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00:00Z$/), model: MESSAGES_MODEL, requests },
      ])
      expect(data[0]).toMatchObject({ organization_id: tenant.organizationId, user_id: tenant.userId })
    }
  })

  test('200: no rows for the time before or after the usage', async () => {
    expect((await read('/v1/usage?from=2026-01-01&to=2026-01-02')).data).toEqual([])
    expect((await read(`/v1/usage?by=model&to=${today()}`)).data).toEqual([])
  })

  test('200: pages follow each other by the cursor, and the last one has none', async () => {
    const second = await api.openKey(other)
    expect(await textClientOf(api, second).messages(message())).toMatchObject({ status: 200 })
    await api.usageOf(other, 2)
    const first = await read('/v1/usage?by=key&limit=1', other)
    expect(first).toMatchObject({ data: [{ requests: 1 }], has_more: true })
    const cursor = encodeURIComponent(first.next_cursor)
    const last = await read(`/v1/usage?by=key&limit=1&cursor=${cursor}`, other)
    expect(last).toMatchObject({ data: [{ requests: 1 }], has_more: false, next_cursor: '' })
    const keys = [first, last].map(({ data }) => data[0].key_id)
    expect(keys).toEqual([other.keyId, second.keyId].toSorted())
    for (const wrong of [`by=user&cursor=${cursor}`, `from=2026-01-01&cursor=${cursor}`, `cursor=${cursor}x`])
      expectError(await ask(`/v1/usage?${wrong}`, other), 400, 'invalid_cursor')
    // A cursor works only for the organization that got it.
    expectError(await ask(`/v1/usage?by=key&cursor=${cursor}`, api.tenant), 400, 'invalid_cursor')
  })

  test.each(['0', '1000', '1001', '99999999999999999999'])('200: limit=%s', async (limit) => {
    expect(await read(`/v1/usage?by=key&limit=${limit}`)).toMatchObject({ data: [{ requests: 2 }] })
  })

  test.each([
    ['by=week', 'by'],
    ['by=day,hour', 'by'],
    ['by=day&by=model', 'by'],
    ['by=day%00', 'by'],
    ['from=yesterday', 'from'],
    ['from=2026-02-30', 'from'],
    ['from=2026-02-03&to=2026-02-03', 'from'],
    ['from=2026-01-01&from=2026-01-02', 'from'],
    ['by=hour&from=2020-01-01', 'from'],
    ['from=1990-01-01', 'from'],
    ['to=2026-1-1', 'to'],
    ['to=1e9', 'to'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=1&limit=2', 'limit'],
  ])('400: %s', async (query, param) => {
    const answer = await ask(`/v1/usage?${query}`)
    expectError(answer, 400, 'invalid_parameter')
    expect(JSON.parse(answer.body).error.param).toBe(param)
  })

  test.each(['cursor=abc', 'cursor=a&cursor=b'])('400: %s', async (query) => {
    expectError(await ask(`/v1/usage?${query}`), 400, 'invalid_cursor')
  })

  test('401: without a key, and with a wrong key', async () => {
    expectError(await readAnswer(await fetch(`${api.url}/v1/usage`)), 401, 'invalid_api_key')
    expectError(await ask('/v1/usage', { ...api.tenant, key: 'sk-sluice-wrong' }), 401, 'invalid_api_key')
  })
})

describe('GET /v1/balance', () => {
  test('200: balance, held money and available money, in micros', async () => {
    const { balance, held } = await api.moneyOf(other)
    const rows = await api.usageOf(other, 2)
    expect(balance).toBe(5_000_000 - rows.reduce((sum, row) => sum + row.cost_micros, 0))
    expect(await read('/v1/balance', other)).toEqual({
      object: 'balance',
      organization_id: other.organizationId,
      billing: 'prepaid',
      balance_micros: balance,
      held_micros: held,
      available_micros: balance - held,
    })
  })

  test('401: without a key', async () => {
    expectError(await readAnswer(await fetch(`${api.url}/v1/balance`)), 401, 'invalid_api_key')
  })
})

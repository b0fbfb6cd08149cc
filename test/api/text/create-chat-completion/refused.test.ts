import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CHAT_MODEL,
  completion,
  expectResponsesError,
  MESSAGES_MODEL,
  RESPONSES_MODEL,
  type TextClient,
  textClientOf,
} from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

const UNPRICED = 'vendorC/model-o3'
const MODELS = [CHAT_MODEL, RESPONSES_MODEL, MESSAGES_MODEL]

describe('POST /v1/chat/completions', () => {
  let api: TextApi
  let client: TextClient
  beforeAll(async () => {
    api = await startTextApi({ unpriced: [UNPRICED], environment: { BODY_LIMIT_BYTES: '1048576' } })
    client = textClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each([
    ['streamed', { stream: true }],
    ['converted', { model: MESSAGES_MODEL }],
  ])('402 an empty prepaid balance, %s: the vendor is not asked', async (_name, more) => {
    const tenant = await api.openTenant({ creditMicros: 0 })
    const before = (await api.vendor.requests()).length
    expectResponsesError(await textClientOf(api, tenant).chat(completion('hello', more)), {
      ...{ status: 402, type: 'insufficient_quota', code: 'insufficient_balance' },
    })
    expect((await api.vendor.requests()).length).toBe(before)
    expect(await api.moneyOf(tenant)).toEqual({ balance: 0, held: 0 })
  })

  test('413 a body beyond BODY_LIMIT_BYTES', async () => {
    const answer = await client.chat(completion('x'.repeat(1024 * 1024)))
    expectResponsesError(answer, { status: 413, code: 'body_too_large' })
  })

  test('429 beyond the rate of the key, before the body is looked at', async () => {
    const { chat } = textClientOf(api, await api.openTenant({ requestsPerMinute: 1 }))
    const first = await chat(completion())
    expect(first.status).toBe(200)
    expect(first.headers.get('x-ratelimit-remaining')).toBe('0')
    const refused = await chat('{')
    expectResponsesError(refused, { status: 429, type: 'rate_limit_error', message: /Too many requests/ })
    expect(refused.headers.get('x-ratelimit-limit')).toBe('1')
  })

  test('429 beyond the daily limit of the user', async () => {
    const tenant = await api.openTenant({ dailyUsd: '0.000001' })
    const refused = await textClientOf(api, tenant).chat(completion())
    expectResponsesError(refused, { status: 429, type: 'rate_limit_error', message: /daily/i })
  })

  test('503 the model has no price', async () => {
    const answer = await client.chat(completion('hello', { model: UNPRICED }))
    expectResponsesError(answer, { status: 503, type: 'service_unavailable_error', message: /no price/ })
  })

  test('503 an error frees the Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'again' }
    expectResponsesError(await client.chat(completion('[fail]'), key), { status: 503 })
    expect(await client.chat(completion(), key)).toMatchObject({ status: 200 })
  })

  describe.each(MODELS)('%s', (model) => {
    test.each([
      [429, '[busy 7]', 'rate_limit_error', /busy/],
      [503, '[fail]', 'service_unavailable_error', /./],
      [529, '[overloaded]', 'overloaded_error', /overloaded/],
    ])('%i of the vendor to %s, whole and streamed: 0 micros', async (status, says, type, message) => {
      const tenant = await api.openTenant()
      for (const stream of [false, true]) {
        const refused = await textClientOf(api, tenant).chat(completion(says, { model, stream }))
        expectResponsesError(refused, { status, type, message })
        expect(refused.headers.get('x-sluice-cost-usd')).toBeNull()
        expect(refused.headers.get('x-sluice-served-by')).toBeNull()
        if (status === 429) expect(refused.headers.get('retry-after')).toBe('7')
      }
      expect(await api.usageOf(tenant, 2)).toMatchObject([
        { outcome: 'failed', cost_micros: 0 },
        { outcome: 'failed', cost_micros: 0 },
      ])
    })

    test('200 a heavy body, whole and streamed, is charged for all of it', async () => {
      const tenant = await api.openTenant()
      const long = 'lorem ipsum '.repeat(25_000)
      const prices: Record<string, number[]> = {
        [CHAT_MODEL]: [0.4, 1.6],
        [RESPONSES_MODEL]: [1.1, 4.4],
        [MESSAGES_MODEL]: [1, 5],
      }
      const [input = 0, output = 0] = prices[model] ?? []
      for (const stream of [false, true])
        expect(
          (await textClientOf(api, tenant).chat(completion(`${stream} ${long}`, { model, stream }))).status,
        ).toBe(200)
      for (const row of await api.usageOf(tenant, 2)) {
        expect(row).toMatchObject({ model, outcome: 'completed' })
        expect(row.input_tokens).toBeGreaterThan(50_000)
        expect(row.cost_micros).toBe(Math.round(row.input_tokens * input + row.output_tokens * output))
      }
    })
  })

  test('402 for a heavy body without money; 400 for a parameter that the model lacks', async () => {
    const long = 'lorem ipsum '.repeat(25_000)
    const poor = textClientOf(api, await api.openTenant({ creditMicros: 0 }))
    expectResponsesError(await poor.chat(completion(long)), { status: 402 })
    const refused = await client.chat(completion(long, { model: MESSAGES_MODEL, n: 2 }))
    expectResponsesError(refused, { status: 400, param: 'n' })
  })
})

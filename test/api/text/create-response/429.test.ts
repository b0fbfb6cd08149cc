import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHAT_MODEL, expectResponsesError, RESPONSES_MODEL, response, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

describe('POST /v1/responses', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi()
  })
  afterAll(() => api.close())

  test('beyond the rate of the key, before the body is looked at', async () => {
    const { responses } = textClientOf(api, await api.openTenant({ requestsPerMinute: 1 }))
    const first = await responses(response())
    expect(first.status).toBe(200)
    expect(first.headers.get('x-ratelimit-remaining')).toBe('0')
    const refused = await responses('{')
    expectResponsesError(refused, { status: 429, type: 'rate_limit_error', message: /Too many requests/ })
    expect(refused.headers.get('x-ratelimit-limit')).toBe('1')
  })

  test('beyond the daily limit of the user', async () => {
    const tenant = await api.openTenant({ dailyUsd: '0.000001' })
    const refused = await textClientOf(api, tenant).responses(response())
    expectResponsesError(refused, { status: 429, type: 'rate_limit_error', message: /daily/i })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test.each([CHAT_MODEL, RESPONSES_MODEL])(
    '%s: the busy vendor sends Retry-After; 0 micros are charged',
    async (model) => {
      const tenant = await api.openTenant()
      for (const stream of [false, true]) {
        const refused = await textClientOf(api, tenant).responses(response('[busy 7]', { model, stream }))
        expectResponsesError(refused, { status: 429, type: 'rate_limit_error', message: /busy/ })
        expect(refused.headers.get('retry-after')).toBe('7')
      }
      expect(await api.usageOf(tenant, 2)).toMatchObject([
        { outcome: 'failed', cost_micros: 0 },
        { outcome: 'failed', cost_micros: 0 },
      ])
    },
  )
})

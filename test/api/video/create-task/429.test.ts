import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, expectApiError, textBody, textBodyB } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

describe('POST /v1/video/generations', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi()
  })
  afterAll(() => api.close())

  test('beyond the rate of the key, before the body is looked at', async () => {
    const { create } = clientOf(api, await api.openTenant({ requestsPerMinute: 1 }))
    expect(await create(textBody())).toMatchObject({ status: 200 })
    const refused = await create('{')
    expectApiError(refused, { status: 429, code: 'rate_limit_exceeded' })
    expect(refused.headers.get('x-ratelimit-limit')).toBe('1')
  })

  test('beyond the daily limit of the user, until the day is over', async () => {
    const tenant = await api.openTenant({ dailyUsd: '1' })
    const { create } = clientOf(api, tenant)
    expect(await create(textBody())).toMatchObject({ status: 200 })
    const refused = await create(textBody())
    expectApiError(refused, { status: 429, code: 'daily_limit_exceeded' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(11 * 3_600)
    expect(await api.moneyOf(tenant)).toMatchObject({ held: 762_300 })
  })

  test('429 budget_exceeded beyond the monthly budget of the organization: an open hold of 762,300 micros counts', async () => {
    const tenant = await api.openTenant()
    const { create } = clientOf(api, tenant)
    await api.setBudget(tenant, 2 * 762_300 - 1)
    expect(await create(textBody())).toMatchObject({ status: 200 })
    const refused = await create(textBody())
    expectApiError(refused, { status: 429, code: 'budget_exceeded' })
    expect(refused.headers.get('retry-after')).toBe('3600')
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 762_300 })
    await api.setBudget(tenant, 2 * 762_300)
    expect(await create(textBody())).toMatchObject({ status: 200 })
    expectApiError(await create(textBody()), { status: 429, code: 'budget_exceeded' })
    await api.expectSound()
  })

  test('429 budget_exceeded beyond the monthly budget of the key: other keys of its organization are served', async () => {
    const tenant = await api.openTenant()
    const limited = await api.openKey(tenant, { monthlyBudgetMicros: 2 * 762_300 - 1 })
    expect(await clientOf(api, limited).create(textBody())).toMatchObject({ status: 200 })
    const refused = await clientOf(api, limited).create(textBody())
    expectApiError(refused, { status: 429, code: 'budget_exceeded' })
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 762_300 })
    expect(await clientOf(api, tenant).create(textBody())).toMatchObject({ status: 200 })
    await api.expectSound()
  })

  test.each([
    ['[busy]', '1'],
    ['[concurrency]', '5'],
  ])('%s: the busy vendor sends Retry-After; 0 micros are charged', async (word, seconds) => {
    const tenant = await api.openTenant()
    const refused = await clientOf(api, tenant).create(textBody(word))
    expectApiError(refused, { status: 429, code: 'upstream_busy' })
    expect(refused.headers.get('retry-after')).toBe(seconds)
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 0 })
  })

  test('family B is busy too', async () => {
    const { create } = clientOf(api, api.tenant)
    expectApiError(await create(textBodyB('[concurrency]')), { status: 429, code: 'upstream_busy' })
  })
})

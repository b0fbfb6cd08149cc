import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, expectApiError, TASKS_PATH, textBody, textBodyB } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'
import type { Tenant } from '../tenants.ts'

const QUOTES_PATH = '/v1/video/quotes'

/** 108,900 tokens at 5.6 USD a million. */
const FAST_MICROS = 609_840
const UNMAPPED = textBody('', { model: 'vendorA/gen-2.0-fast' })

/** Orders whose model or provider is not configured, and their cost; the second: 5 seconds at 0.14 USD. */
const NOT_CONFIGURED = [
  ['a model that its provider is not configured for', UNMAPPED, FAST_MICROS],
  ['a provider that is not configured', textBodyB(), 700_000],
] as const

describe.each([
  ['createQuote', QUOTES_PATH],
  ['createTask', TASKS_PATH],
])('%s', (_operation, path) => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi({ without: ['vendorB'] })
    api.vendors.unmap('gen-2.0-fast')
  })
  afterAll(() => api.close())

  const post = (tenant: Tenant, body: object) => clientOf(api, tenant).call('POST', path, { body })

  test.each(NOT_CONFIGURED)(
    '503 for %s: no vendor is called, and 0 micros are held',
    async (_name, body, priceMicros) => {
      const tenant = await api.openTenant({ creditMicros: priceMicros })
      expectApiError(await post(tenant, body), { status: 503, code: 'provider_not_configured' })
      expect(await api.moneyOf(tenant)).toEqual({ balance: priceMicros, held: 0 })
      expect(await api.vendors.requests()).toEqual([])
      await api.expectSound()
    },
  )

  test.each(NOT_CONFIGURED)('402 before 503 for %s, one micro short', async (_name, body, priceMicros) => {
    const tenant = await api.openTenant({ creditMicros: priceMicros - 1 })
    expectApiError(await post(tenant, body), { status: 402, code: 'insufficient_balance' })
    expect(await api.moneyOf(tenant)).toEqual({ balance: priceMicros - 1, held: 0 })
  })

  test.each(NOT_CONFIGURED)(
    '429 before 503 for %s, one micro over a limit',
    async (_name, body, priceMicros) => {
      const limited = await api.openTenant({ dailyUsd: String((priceMicros - 1) / 1_000_000) })
      expectApiError(await post(limited, body), { status: 429, code: 'daily_limit_exceeded' })
      const tenant = await api.openTenant()
      await api.setBudget(tenant, priceMicros - 1)
      expectApiError(await post(tenant, body), { status: 429, code: 'budget_exceeded' })
      expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 0 })
    },
  )

  test.each(NOT_CONFIGURED)('400 before 402 for %s', async (_name, body) => {
    const tenant = await api.openTenant({ creditMicros: 0 })
    const answer = await post(tenant, { ...body, ratio: '4:3' })
    expectApiError(answer, { status: 400, code: 'invalid_parameter', param: 'ratio' })
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, expectApiError, textBody, textBodyB } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

describe('POST /v1/video/generations', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi({ without: ['vendorB'] })
  })
  afterAll(() => api.close())

  test('is refused when one micro is missing of its likely cost, and accepted with that micro', async () => {
    const tenant = await api.openTenant({ creditMicros: 762_299 })
    const { create } = clientOf(api, tenant)
    expectApiError(await create(textBody(), 'one'), {
      ...{ status: 402, code: 'insufficient_balance' },
      message:
        /^Insufficient credit balance. The request needs 0.7623 USD, and 0.762299 USD is available: 0.000001 USD is missing. An operator adds it: sluice credit add --org <id> --usd 0.000001$/,
    })
    expect(await api.moneyOf(tenant)).toEqual({ balance: 762_299, held: 0 })
    await api.addCredit(tenant, 1)
    expect(await create(textBody(), 'one')).toMatchObject({ status: 200 })
    // The hold of the first task is not available to the second one.
    expectApiError(await create(textBody(), 'two'), {
      ...{ status: 402, code: 'insufficient_balance' },
      message: /needs 0.7623 USD, and 0 USD is available: 0.7623 USD is missing/,
    })
    expect(await api.vendors.requests()).toEqual(['vendor-a create'])
  })

  test('does not count on the day of the user', async () => {
    const tenant = await api.openTenant({ creditMicros: 0, dailyUsd: '1' })
    const { create } = clientOf(api, tenant)
    for (let time = 0; time < 3; time += 1)
      expectApiError(await create(textBody()), { status: 402, code: 'insufficient_balance' })
    await api.addCredit(tenant, 10_000_000)
    expect(await create(textBody())).toMatchObject({ status: 200 })
  })

  test('is answered before a missing provider', async () => {
    const tenant = await api.openTenant({ creditMicros: 0 })
    expectApiError(await clientOf(api, tenant).create(textBodyB()), {
      status: 402,
      code: 'insufficient_balance',
    })
  })

  test('of many simultaneous requests exactly as many are accepted as the balance covers', async () => {
    const tenant = await api.openTenant({ creditMicros: 5 * 762_300 })
    const { create } = clientOf(api, tenant)
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(textBody())))
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(15)
    expect(await api.moneyOf(tenant)).toEqual({ balance: 5 * 762_300, held: 5 * 762_300 })
    await api.expectSound()
  })
})

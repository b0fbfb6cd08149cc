import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { message, textClientOf } from './call-text.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

/** About six of these replies, encrypted and with what the process adds to each, fill an organization's share. */
const LARGE = message('[long 900]', { max_tokens: 1_000_000 })
const SMALL = message('[words 500]', { max_tokens: 1_000 })
/** Cost of each reply in micro-USD. */
const LARGE_COST = 1_152_003
const SMALL_COST = 3_128
const CREDIT = 1_000_000_000

describe('replies that are kept for their Idempotency-Key', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi()
  })
  afterAll(() => api.close())

  test("one organization's replies push out its own oldest, which are not charged again, and never another's", async () => {
    const quiet = await api.openTenant({ creditMicros: CREDIT })
    const loud = await api.openTenant({ creditMicros: CREDIT })
    const small = (key: string) => textClientOf(api, quiet).messages(SMALL, { 'idempotency-key': key })
    const large = (key: string) => textClientOf(api, loud).messages(LARGE, { 'idempotency-key': key })

    const first = await small('mine')
    expect(first.status).toBe(200)
    for (let turn = 0; turn < 40; turn += 1) expect((await large(`large ${turn}`)).status).toBe(200)
    expect((await small('mine')).text).toBe(first.text)
    expect(await api.usageOf(quiet, 1)).toMatchObject([{ outcome: 'completed', cost_micros: SMALL_COST }])
    expect(await api.moneyOf(quiet)).toMatchObject({ balance: CREDIT - SMALL_COST })

    const charged = CREDIT - 40 * LARGE_COST
    expect((await api.usageOf(loud, 40)).map(({ cost_micros }) => cost_micros)).toEqual(
      Array(40).fill(LARGE_COST),
    )
    expect(await api.moneyOf(loud)).toMatchObject({ balance: charged })
    expect((await large('large 39')).status).toBe(200)
    expect(await large('large 0')).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('no longer kept') } },
    })
    await api.usageOf(loud, 40)
    expect(await api.moneyOf(loud)).toMatchObject({ balance: charged })
    await api.expectSound()
  })
})

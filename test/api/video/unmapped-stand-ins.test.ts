import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Client, clientOf, expectApiError, textBody, textBodyB } from './call-api.ts'
import { setStandIns } from './set-stand-ins.ts'
import { startVideoApi, type VideoApi } from './start-video-api.ts'
import type { Tenant } from './tenants.ts'

/** 1280 x 720 pixels, 24 pictures a second for 5 seconds and one more, by 1024: 108,900 tokens at 7 USD a million. */
const HELD = 762_300
const BALANCE = 100_000_000

let api: VideoApi
let tenant: Tenant
let client: Client

const attemptsOf = async (id: string) =>
  (await api.store.tasks.listAttempts(id)).map(({ model, state, reason }) => `${model} ${state} ${reason}`)
const sent = async () => {
  const all = await api.vendors.requests()
  return all.filter((request) => request.endsWith(' create') || request.endsWith(' submit'))
}
const failAtA = () =>
  api.vendors.breakDown({
    ...{ part: 'vendor-a', operation: 'get', times: 1 },
    fault: {
      kind: 'status',
      status: 200,
      body: { status: 'failed', error: { code: 'Oops', message: 'No.' } },
    },
  })

async function open(standIns: Record<string, string[]>): Promise<void> {
  api = await startVideoApi()
  await setStandIns(api, standIns)
}
const openTenant = async () => {
  await api.vendors.clearFaults()
  tenant = await api.openTenant()
  client = clientOf(api, tenant)
}

describe('when the provider of one stand-in is not configured for it', () => {
  beforeAll(async () => {
    await open({
      'vendorA/gen-2.0': ['vendorA/gen-2.0-fast', 'vendorB/gen-v4-std'],
      'vendorB/gen-v4-std': ['vendorA/gen-2.0-fast'],
    })
    api.vendors.unmap('gen-2.0-fast')
  })
  afterAll(() => api.close())
  beforeEach(openTenant)

  test('POST /v1/video/generations 200: the next stand-in makes it, for the held 762,300 micros', async () => {
    const before = await sent()
    await api.vendors.breakDown({
      ...{ part: 'vendor-a', operation: 'create' },
      fault: { kind: 'status', status: 500 },
    })
    const id = await client.make(textBody('', { duration: 5 }))
    expect((await sent()).slice(before.length)).toEqual(['vendor-a create', 'vendor-b submit'])
    expect(await attemptsOf(id)).toEqual([
      'vendorA/gen-2.0 refused server_error',
      'vendorB/gen-v4-std open null',
    ])
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: HELD })
    api.passSeconds(600)
    expect(await client.get(id)).toMatchObject({ status: 200, body: { status: 'succeeded' } })
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE - HELD, held: 0 })
    await api.expectSound()
  })

  test('POST /v1/video/generations 503 when it is the only stand-in: nothing is handed over, and 0 micros are held', async () => {
    await api.vendors.breakDown({
      ...{ part: 'vendor-b', operation: 'submit' },
      fault: { kind: 'status', status: 200, body: { code: 480, msg: 'no', status: 'failed' } },
    })
    const handedOver = () => api.lines.filter(({ event }) => event === 'task.handed_over').length
    const before = handedOver()
    expectApiError(await client.create(textBodyB()), { status: 503, code: 'provider_unavailable' })
    expect(handedOver()).toBe(before)
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 0 })
    await api.expectSound()
  })

  test('GET /v1/video/generations/{task_id} 200 after its vendor failed it: the next stand-in makes the video, for 762,300 micros', async () => {
    const id = await client.make(textBody('', { duration: 5 }))
    await failAtA()
    expect(await client.get(id)).toMatchObject({ status: 200, body: { status: 'queued' } })
    expect(await attemptsOf(id)).toEqual([
      'vendorA/gen-2.0 failed generation_failed',
      'vendorB/gen-v4-std open null',
    ])
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: HELD })
    await api.sweep('vendorB')
    api.passSeconds(600)
    expect(await client.get(id)).toMatchObject({ status: 200, body: { status: 'succeeded' } })
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE - HELD, held: 0 })
    await api.expectSound()
  })
})

describe('when the provider of one stand-in is no longer configured for it', () => {
  beforeAll(() => open({ 'vendorA/gen-2.0': ['vendorA/gen-2.0-fast', 'vendorB/gen-v4-std'] }))
  afterAll(() => api.close())
  beforeEach(openTenant)

  test('GET /v1/video/generations/{task_id} 200 while the task waits for that stand-in: the next one makes the video, for 762,300 micros', async () => {
    const id = await client.make(textBody('', { duration: 5 }))
    await failAtA()
    expect(await client.get(id)).toMatchObject({ status: 200, body: { status: 'queued' } })
    const before = await sent()
    api.vendors.unmap('gen-2.0-fast')
    await api.sweep('vendorA')
    expect(await attemptsOf(id)).toEqual([
      'vendorA/gen-2.0 failed generation_failed',
      'vendorA/gen-2.0-fast refused not_servable',
      'vendorB/gen-v4-std open null',
    ])
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: HELD })
    await api.sweep('vendorB')
    expect((await sent()).slice(before.length)).toEqual(['vendor-b submit'])
    api.passSeconds(600)
    expect(await client.get(id)).toMatchObject({ status: 200, body: { status: 'succeeded' } })
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE - HELD, held: 0 })
    await api.expectSound()
  })
})

describe('when the provider of the only stand-in is not configured for it', () => {
  beforeAll(async () => {
    await open({ 'vendorA/gen-2.0': ['vendorA/gen-2.0-fast'] })
    api.vendors.unmap('gen-2.0-fast')
  })
  afterAll(() => api.close())
  beforeEach(openTenant)

  test('GET /v1/video/generations/{task_id} 200 after its vendor failed it: the task fails, and the 762,300 micros are released', async () => {
    const id = await client.make(textBody('', { duration: 5 }))
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: HELD })
    await failAtA()
    const error = { code: 'generation_failed', message: 'No.' }
    expect(await client.get(id)).toMatchObject({ status: 200, body: { status: 'failed', error } })
    expect(await api.store.tasks.findForOperator(id)).toMatchObject({ attempt: 1 })
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 0 })
    await api.expectSound()
  })
})

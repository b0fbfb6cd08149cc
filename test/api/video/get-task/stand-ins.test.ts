import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Client, clientOf, expectApiError, textBody } from '../call-api.ts'
import { setStandIns } from '../set-stand-ins.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'
import type { Tenant } from '../tenants.ts'

/** 1280 x 720 pixels, 24 pictures a second for 5 seconds and one more, by 1024: 108,900 tokens at 7 USD a million. */
const HELD = 762_300
const BALANCE = 100_000_000
const DAY_SECONDS = 86_400

describe('GET /v1/video/generations/{task_id} 200 of a task that its vendor took and failed, with stand-ins', () => {
  let api: VideoApi
  let tenant: Tenant
  let client: Client

  beforeAll(async () => {
    api = await startVideoApi({ noticeBaseUrl: 'http://127.0.0.1:1' })
    await setStandIns(api, { 'vendorA/gen-2.0': ['vendorB/gen-v4-std', 'vendorA/gen-2.0-fast'] })
  })
  afterAll(() => api.close())
  beforeEach(async () => {
    await api.vendors.clearFaults()
    // Waiting work of the previous test must not meet the faults of this one.
    await api.sweep('vendorB')
    tenant = await api.openTenant()
    client = clientOf(api, tenant)
  })

  const attemptsOf = async (id: string) =>
    (await api.store.tasks.listAttempts(id)).map(({ model, state, reason }) => `${model} ${state} ${reason}`)
  const stored = async (id: string) => (await api.store.tasks.findForOperator(id)) ?? expect.fail('no task')
  const sent = async () => {
    const all = await api.vendors.requests()
    return all.filter((request) => request.endsWith(' create') || request.endsWith(' submit'))
  }
  const failAtA = (code = 'VideoGenerationFailed') =>
    api.vendors.breakDown({
      ...{ part: 'vendor-a', operation: 'get', times: 1 },
      fault: { kind: 'status', status: 200, body: { status: 'failed', error: { code, message: 'No.' } } },
    })
  const answerB = (body: object, times = 1) =>
    api.vendors.breakDown({
      ...{ part: 'vendor-b', operation: 'submit', times },
      fault: { kind: 'status', status: 200, body },
    })
  const REFUSED = { code: 481, msg: 'no', status: 'failed' }
  const make = (more: object = {}) =>
    client.make(textBody('', { duration: 5, callback_url: 'https://client.example/done', ...more }))

  /** Makes a task that began at family A and failed there for a reason of the vendor. */
  async function makeFailed(more: object = {}): Promise<string> {
    const id = await make(more)
    api.passSeconds(30)
    expect(await client.get(id)).toMatchObject({ body: { status: 'running' } })
    await failAtA()
    expect(await client.get(id)).toMatchObject({ status: 200, body: { id, status: 'running' } })
    return id
  }

  test('the stand-in makes the video: one charge of the 762300 held micros and one callback, at the end', async () => {
    const id = await makeFailed()
    const { expiresAtMs } = await stored(id)
    expect(await stored(id)).toMatchObject({ attempt: 2, attemptAtMs: null, encryptedTicket: null })
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: HELD })
    const before = await sent()
    await api.sweep('vendorA')
    expect(await sent()).toEqual(before)
    await api.sweep('vendorB')
    await api.sweep('vendorB')
    expect((await sent()).slice(before.length)).toEqual(['vendor-b submit'])
    // It was running before: a client never sees it go back.
    const open = await client.get(id)
    expect(open).toMatchObject({ body: { status: 'running' } })
    expect(open.headers.get('x-sluice-served-by')).toBe('vendorB/gen-v4-std')
    expect(await stored(id)).toMatchObject({ owesCallback: true, callbackState: null })
    api.passSeconds(600)
    expect(await client.get(id)).toMatchObject({ body: { status: 'succeeded', model: 'vendorA/gen-2.0' } })
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE - HELD, held: 0 })
    expect((await stored(id)).callbackState).toBe('pending')
    expect(await attemptsOf(id)).toEqual([
      'vendorA/gen-2.0 failed generation_failed',
      'vendorB/gen-v4-std succeeded null',
    ])
    expect(await stored(id)).toMatchObject({ expiresAtMs })
    expect(await api.store.tasks.findRequest(id)).toBeUndefined()
    await api.expectSound()
  })

  test('the sweep hands the task over like a Get', async () => {
    const id = await make()
    await failAtA('ServiceUnavailable')
    api.passSeconds(600)
    await api.sweep('vendorA')
    expect(await attemptsOf(id)).toEqual([
      'vendorA/gen-2.0 failed generation_failed',
      'vendorB/gen-v4-std open null',
    ])
    expect(await stored(id)).toMatchObject({ status: 'queued', provider: 'vendorB' })
    const lines = api.lines.filter(
      ({ event, fields }) => event === 'task.handed_over' && fields.taskId === id,
    )
    expect(lines).toMatchObject([
      { fields: { provider: 'vendorA', reason: 'generation_failed', code: 'vendorB/gen-v4-std' } },
    ])
  })

  test.each([
    ['content_policy_violation', { code: 'OutputVideoSensitiveContentDetected' }, 'failed'],
    ['invalid_parameter', { code: 'InvalidParameter.MediaDownloadFailed' }, 'failed'],
    ['task_expired', {}, 'expired'],
  ])(
    'failed with %s: the vendor is not at fault, and nothing is held or charged',
    async (code, error, status) => {
      const id = await make()
      const fault = { kind: 'status', status: 200, body: { status, error } } as const
      await api.vendors.breakDown({ part: 'vendor-a', operation: 'get', times: 1, fault })
      expect(await client.get(id)).toMatchObject({ body: { status: 'failed', error: { code } } })
      expect(await attemptsOf(id)).toEqual([])
      expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 0 })
      expect((await stored(id)).callbackState).toBe('pending')
      expect(await api.store.tasks.findRequest(id)).toBeUndefined()
    },
  )

  test('a stand-in that refuses the task is skipped, and the next one gets it', async () => {
    const id = await makeFailed()
    await answerB(REFUSED)
    await api.sweep('vendorB')
    await api.sweep('vendorA')
    expect(await attemptsOf(id)).toEqual([
      'vendorA/gen-2.0 failed generation_failed',
      'vendorB/gen-v4-std refused concurrency',
      'vendorA/gen-2.0-fast open null',
    ])
    // No stand-in is left that could need it.
    expect(await api.store.tasks.findRequest(id)).toBeUndefined()
    api.passSeconds(600)
    expect(await client.get(id)).toMatchObject({ body: { status: 'succeeded' } })
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE - HELD, held: 0 })
  })

  test('failed with the error of the vendor that failed it, once every stand-in has refused it; nothing is charged', async () => {
    const id = await makeFailed()
    await answerB(REFUSED)
    await api.vendors.breakDown({
      part: 'vendor-a',
      operation: 'create',
      fault: { kind: 'status', status: 500 },
    })
    await api.sweep('vendorB')
    await api.sweep('vendorA')
    const error = { code: 'generation_failed', message: 'No.' }
    expect(await client.get(id)).toMatchObject({ body: { status: 'failed', error } })
    expect((await attemptsOf(id)).at(-1)).toBe('vendorA/gen-2.0-fast refused server_error')
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 0 })
    expect((await stored(id)).callbackState).toBe('pending')
    await api.expectSound()
  })

  test('failed immediately when a stand-in refuses the order itself: the third model is not called', async () => {
    const id = await makeFailed()
    const before = await sent()
    await answerB({ code: 482, msg: 'no', status: 'failed' })
    await api.sweep('vendorB')
    expect(await client.get(id)).toMatchObject({ body: { status: 'failed', error: { message: 'No.' } } })
    expect((await sent()).slice(before.length)).toEqual(['vendor-b submit'])
    expect((await attemptsOf(id)).at(-1)).toBe('vendorB/gen-v4-std refused content_policy_violation')
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 0 })
  })

  test('failed with upstream_error when the answer of the stand-in was lost: no further stand-in is called', async () => {
    const id = await makeFailed()
    const before = await sent()
    await api.vendors.breakDown({ part: 'vendor-b', operation: 'submit', fault: { kind: 'lose-answer' } })
    await api.sweep('vendorB')
    expect(await stored(id)).toMatchObject({ status: 'running', attempt: 2, encryptedTicket: null })
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: HELD })
    await api.sweep('vendorB')
    expect((await stored(id)).status).toBe('running')
    api.time.nowMs += 601_000
    await api.sweep('vendorB')
    await api.sweep('vendorA')
    expect(await client.get(id)).toMatchObject({
      body: { status: 'failed', error: { code: 'upstream_error' } },
    })
    expect((await sent()).slice(before.length)).toEqual(['vendor-b submit'])
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 0 })
    expect((await stored(id)).callbackState).toBe('pending')
  })

  test('failed with task_expired when the deadline passes before the stand-in is called', async () => {
    const id = await makeFailed()
    const before = await sent()
    api.time.nowMs += 3 * DAY_SECONDS * 1_000
    await api.sweep('vendorB')
    expect(await client.get(id)).toMatchObject({
      body: { status: 'failed', error: { code: 'task_expired' } },
    })
    expect(await sent()).toEqual(before)
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 0 })
  })

  test('a stand-in whose vendor is no longer configured is skipped, and the next one gets the task', async () => {
    const id = await makeFailed()
    const before = await sent()
    api.withdraw('vendorB')
    await api.sweep('vendorB')
    expect(await attemptsOf(id)).toContain('vendorB/gen-v4-std refused not_servable')
    await api.sweep('vendorA')
    expect((await sent()).slice(before.length)).toEqual(['vendor-a create'])
  })
})

describe('DELETE /v1/video/generations/{task_id} during a hand-over', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi()
    await setStandIns(api, {
      'vendorA/gen-2.0': ['vendorA/gen-2.0-fast'],
      'vendorA/gen-2.0-fast': ['vendorB/gen-v4-std'],
    })
  })
  afterAll(() => api.close())
  beforeEach(() => api.vendors.clearFaults())
  const failAtA = () =>
    api.vendors.breakDown({
      ...{ part: 'vendor-a', operation: 'get', times: 1 },
      fault: { kind: 'status', status: 200, body: { status: 'failed', error: { code: 'Oops' } } },
    })

  test('200 while the task waits for its stand-in: it is cancelled, no vendor is called, nothing stays held', async () => {
    const tenant = await api.openTenant()
    const client = clientOf(api, tenant)
    const id = await client.make(textBody())
    await failAtA()
    await client.get(id)
    const before = await api.vendors.requests()
    expect(await client.delete(id)).toMatchObject({ status: 200, body: { id, deleted: true } })
    expect(await client.get(id)).toMatchObject({ body: { status: 'cancelled' } })
    await api.sweep('vendorA')
    expect(await api.vendors.requests()).toEqual(before)
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 0 })
    await api.expectSound()
  })

  test('400 while the task waits for a vendor that cannot delete', async () => {
    const client = clientOf(api, await api.openTenant())
    const id = await client.make({ ...textBody(), model: 'vendorA/gen-2.0-fast' })
    await failAtA()
    await client.get(id)
    expectApiError(await client.delete(id), { status: 400, code: 'task_not_deletable' })
  })

  test('503 while the answer of its stand-in is missing: the task stays unchanged', async () => {
    const tenant = await api.openTenant()
    const client = clientOf(api, tenant)
    const id = await client.make(textBody())
    await failAtA()
    await client.get(id)
    await api.vendors.breakDown({ part: 'vendor-a', operation: 'create', fault: { kind: 'lose-answer' } })
    await api.sweep('vendorA')
    expectApiError(await client.delete(id), { status: 503, code: 'provider_unavailable' })
    expect((await api.moneyOf(tenant)).held).toBeGreaterThan(0)
  })

  test('200 when the delete itself finds the failure: the task ends, and is not handed over', async () => {
    const tenant = await api.openTenant()
    const client = clientOf(api, tenant)
    const id = await client.make(textBody())
    await failAtA()
    expect(await client.delete(id)).toMatchObject({ status: 200 })
    expect(await api.store.tasks.findForOperator(id)).toMatchObject({ status: 'failed', attempt: 1 })
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 0 })
  })
})

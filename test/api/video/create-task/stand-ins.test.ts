import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { REFUSAL_REASONS } from '../../../../src/domain/video/hand-over.ts'
import { clientOf, expectApiError, textBody, textBodyB } from '../call-api.ts'
import { setStandIns } from '../set-stand-ins.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

/** 1280 x 720 pixels, 24 pictures a second for 5 seconds and one more, by 1024: 108,900 tokens at 7 USD a million. */
const HELD = 762_300

const CREATES = { 'vendor-a': 'create', 'vendor-b': 'submit' } as const

const refused = (part: keyof typeof CREATES, status: number, body: object = {}) =>
  ({ part, operation: CREATES[part], fault: { kind: 'status', status, body } }) as const

describe('POST /v1/video/generations with stand-ins', () => {
  let api: VideoApi
  const attemptsOf = async (id: string) =>
    (await api.store.tasks.listAttempts(id)).map(({ model, state, reason }) => `${model} ${state} ${reason}`)
  const sent = async () => {
    const all = await api.vendors.requests()
    return all.filter((request) => request.endsWith(' create') || request.endsWith(' submit'))
  }

  beforeAll(async () => {
    api = await startVideoApi()
    await setStandIns(api, {
      'vendorA/gen-2.0': ['vendorB/gen-v4-std', 'vendorA/gen-2.0-fast'],
      'vendorB/gen-v4-std': ['vendorA/gen-2.0'],
    })
  })
  afterAll(() => api.close())
  beforeEach(() => api.vendors.clearFaults())

  test.each([
    [401, { error: { code: 'AuthenticationError' } }, 'unauthorized'],
    [403, { error: { code: 'AccountOverdueError' } }, 'forbidden'],
    [429, { error: { code: 'RateLimitExceeded' } }, 'rate_limited'],
    [404, { error: { code: 'ModelNotOpen' } }, 'model_not_open'],
    [500, {}, 'server_error'],
    [503, { error: { code: 'InternalServiceError' } }, 'server_error'],
  ] as const)('200 when family A answers %s %j: the stand-in takes it', async (status, body, reason) => {
    expect(Object.keys(REFUSAL_REASONS)).toContain(reason)
    const tenant = await api.openTenant()
    const client = clientOf(api, tenant)
    await api.vendors.breakDown(refused('vendor-a', status, body))
    const id = await client.make(textBody('', { duration: 5 }))
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: HELD })
    expect(await attemptsOf(id)).toEqual([
      `vendorA/gen-2.0 refused ${reason}`,
      'vendorB/gen-v4-std open null',
    ])
    api.passSeconds(600)
    const shown = await client.get(id)
    expect(shown).toMatchObject({ status: 200, body: { status: 'succeeded', model: 'vendorA/gen-2.0' } })
    expect(shown.headers.get('x-sluice-served-by')).toBe('vendorB/gen-v4-std')
    // The client pays the estimate at the requested model's price, whatever the stand-in measured and billed.
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000 - HELD, held: 0 })
    await api.expectSound()
  })

  test.each([
    [401, 'unauthorized'],
    [429, 'rate_limited'],
    [480, 'no_credit'],
    [481, 'concurrency'],
    [500, 'server_error'],
  ])('200 when family B answers the code %s: the stand-in makes the video', async (code, reason) => {
    const tenant = await api.openTenant()
    await api.vendors.breakDown(refused('vendor-b', 200, { code, msg: 'no', status: 'failed' }))
    const id = await clientOf(api, tenant).make(textBodyB('', { duration: 4 }))
    expect(await attemptsOf(id)).toEqual([
      `vendorB/gen-v4-std refused ${reason}`,
      'vendorA/gen-2.0 open null',
    ])
    const task = await api.store.tasks.findForOperator(id)
    expect(task).toMatchObject({ provider: 'vendorA', model: 'vendorB/gen-v4-std', attempt: 2 })
    await api.expectSound()
  })

  test.each([
    ['content_policy_violation', 400, { error: { code: 'InputTextSensitiveContentDetected' } }],
    ['content_policy_violation', 403, { error: { code: 'OutputVideoSensitiveContentDetected' } }],
    ['invalid_parameter', 400, { error: { code: 'InvalidParameter.Duration', param: 'duration' } }],
  ])('400 %s of the ordered vendor (%s): no stand-in is called', async (code, status, body) => {
    const tenant = await api.openTenant()
    const before = await sent()
    await api.vendors.breakDown(refused('vendor-a', status, body))
    expectApiError(await clientOf(api, tenant).create(textBody()), { status: 400, code })
    expect((await sent()).slice(before.length)).toEqual(['vendor-a create'])
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 0 })
  })

  test('503 for a fault that is no reason of the vendor, such as 404 without a code', async () => {
    const before = await sent()
    await api.vendors.breakDown(refused('vendor-a', 404))
    const answer = await clientOf(api, api.tenant).create(textBody())
    expectApiError(answer, { status: 503, code: 'provider_unavailable' })
    expect((await sent()).slice(before.length)).toEqual(['vendor-a create'])
  })

  test.each(['lose-answer', 'garbage'] as const)(
    '503 after %s: no stand-in is called when an answer was lost',
    async (kind) => {
      const tenant = await api.openTenant()
      const before = await sent()
      await api.vendors.breakDown({ part: 'vendor-a', operation: 'create', fault: { kind } })
      const answer = await clientOf(api, tenant).create(textBody('', { duration: 5 }))
      expectApiError(answer, { status: 503, code: 'provider_unavailable', message: /may or may not/ })
      expect((await sent()).slice(before.length)).toEqual(['vendor-a create'])
      expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: HELD })
    },
  )

  test("503 after a stand-in's lost answer: no other attempt follows", async () => {
    const tenant = await api.openTenant()
    const before = await sent()
    await api.vendors.breakDown(refused('vendor-a', 429, {}))
    await api.vendors.breakDown({ part: 'vendor-b', operation: 'submit', fault: { kind: 'lose-answer' } })
    const answer = await clientOf(api, tenant).create(textBody('', { duration: 5 }), 'once')
    expectApiError(answer, { status: 503, code: 'provider_unavailable', message: /same Idempotency-Key/ })
    expect((await sent()).slice(before.length)).toEqual(['vendor-a create', 'vendor-b submit'])
    const [task] = await api.store.tasks.listForOperator({ organizationId: tenant.organizationId, limit: 1 })
    expect(task).toMatchObject({ status: 'submitting', provider: 'vendorB', attempt: 2 })
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: HELD })
    const again = await clientOf(api, tenant).create(textBody('', { duration: 5 }), 'once')
    expectApiError(again, { status: 409 })
  })

  test('429 when every vendor refuses: the error of the ordered model, and nothing is held', async () => {
    const tenant = await api.openTenant()
    await api.vendors.breakDown(refused('vendor-a', 429, { error: { code: 'RateLimitExceeded' } }))
    await api.vendors.breakDown({ part: 'vendor-b', fault: { kind: 'status', status: 500 } })
    expectApiError(await clientOf(api, tenant).create(textBody(), 'once'), {
      status: 429,
      code: 'upstream_busy',
    })
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 0 })
    expect(
      await api.store.tasks.listForOperator({ organizationId: tenant.organizationId, limit: 1 }),
    ).toEqual([])
    await api.vendors.clearFaults()
    expect(await clientOf(api, tenant).create(textBody(), 'once')).toMatchObject({ status: 200 })
    await api.expectSound()
  })

  test.each([
    ['an image', { content: [{ type: 'image_url', image_url: { url: 'https://media.example/a.png' } }] }],
    ['a seed, which family B has no use for', { seed: 7 }],
    ['frames per second', { framespersecond: 24 }],
    ['a service tier', { service_tier: 'flex' }],
  ])('200 for %s: it is accepted, and never handed to the other family', async (_name, more) => {
    const id = await clientOf(api, api.tenant).make(textBody('', more))
    const task = await api.store.tasks.findForOperator(id)
    expect(task).toMatchObject({ attempt: 1, standIns: ['vendorA/gen-2.0-fast'] })
  })

  test('DELETE 200 of a task of family B that family A makes: it is cancelled there, and nothing is held', async () => {
    const tenant = await api.openTenant()
    const client = clientOf(api, tenant)
    await api.vendors.breakDown(refused('vendor-b', 200, { code: 480, msg: 'no', status: 'failed' }))
    const id = await client.make(textBodyB('', { duration: 4 }))
    expect(await client.delete(id)).toMatchObject({ status: 200, body: { id, deleted: true } })
    expect((await api.vendors.requests()).at(-1)).toBe('vendor-a delete')
    expect(await attemptsOf(id)).toEqual([
      'vendorB/gen-v4-std refused no_credit',
      'vendorA/gen-2.0 cancelled null',
    ])
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 0 })
  })

  test('DELETE 400 of a task of family A that family B makes: that vendor cannot delete', async () => {
    const tenant = await api.openTenant()
    const client = clientOf(api, tenant)
    await api.vendors.breakDown(refused('vendor-a', 500))
    const id = await client.make(textBody('', { duration: 5 }))
    expectApiError(await client.delete(id), { status: 400, code: 'task_not_deletable' })
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: HELD })
  })

  test('the second stand-in takes a task that the first stand-in cannot make', async () => {
    await api.vendors.breakDown({ ...refused('vendor-a', 500), times: 1 })
    const id = await clientOf(api, api.tenant).make(textBody('', { seed: 7 }))
    expect(await attemptsOf(id)).toEqual([
      'vendorA/gen-2.0 refused server_error',
      'vendorA/gen-2.0-fast open null',
    ])
  })
})

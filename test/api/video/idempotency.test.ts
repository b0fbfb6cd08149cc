import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleCost } from '../../engines/store/sample-money.ts'
import { clientOf, expectApiError, textBody, textBodyB } from './call-api.ts'
import { startVideoApi, type VideoApi } from './start-video-api.ts'

const DAY_MS = 24 * 3_600_000

describe('a create call with an Idempotency-Key', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi()
  })
  afterAll(() => api.close())

  const sent = async () =>
    (await api.vendors.requests()).filter((request) => request.endsWith('create')).length

  test('returns the same task, which is made once', async () => {
    const { create } = clientOf(api, api.tenant)
    const first = await create(textBody('', { metadata: { a: 1 } }), 'same')
    const before = await sent()
    const again = await create(textBody('', { metadata: { a: 1 } }), 'same')
    expect(again.body).toEqual(first.body)
    expect(await sent()).toBe(before)
  })

  test('is the same request with other blanks or another order of its members', async () => {
    const { create } = clientOf(api, api.tenant)
    const first = await create('{"model":"vendorA/gen-2.0","content":[{"type":"text","text":"a"}]}', 'order')
    const again = await create(
      '{ "content":[{"text":"a","type":"text"}],\n"model":"vendorA/gen-2.0" }',
      'order',
    )
    expect(again.body).toEqual(first.body)
    const other = '{"model":"vendorA/gen-2.0","content":[{"type":"text","text":"a "}]}'
    expect(await create(other, 'order')).toMatchObject({ status: 422 })
  })

  test('needs neither money nor room in the daily limit the second time', async () => {
    const tenant = await api.openTenant({ creditMicros: 762_300, dailyUsd: '0.7623' })
    const { create } = clientOf(api, tenant)
    const first = await create(textBody(), 'broke')
    expect(first).toMatchObject({ status: 200 })
    expect((await create(textBody(), 'broke')).body).toEqual(first.body)
    expect(await create(textBody(), 'other')).toMatchObject({ status: 429 })
    expect(await create(textBody('x'), 'broke')).toMatchObject({ status: 422 })
  })

  test('shows the task as it is by now', async () => {
    const { create, get } = clientOf(api, api.tenant)
    const { body } = await create(textBodyB('[fail]'), 'later')
    api.passSeconds(120)
    const { body: failed } = await get(String(body.id))
    expect((await create(textBodyB('[fail]'), 'later')).body).toEqual(failed)
  })

  test('still returns a deleted task, in the shape of a new one', async () => {
    const { create, delete: remove } = clientOf(api, api.tenant)
    for (const [words, status] of [
      ['', 'cancelled'],
      ['[instant]', 'succeeded'],
      ['[fail] [instant]', 'failed'],
    ] as const) {
      const { body } = await create(textBody(words), `deleted ${words}`)
      expect(await remove(String(body.id))).toMatchObject({ status: 200 })
      const again = await create(textBody(words), `deleted ${words}`)
      expect(again).toMatchObject({ status: 200, body: { id: body.id, status } })
      expect(again.body).toEqual({ ...body, status })
    }
  })

  test('belongs to its API key alone', async () => {
    const first = await clientOf(api, api.tenant).create(textBody(), 'mine')
    for (const other of [await api.openKey(api.tenant), await api.openTenant()]) {
      const answer = await clientOf(api, other).create(textBody('not yours'), 'mine')
      expect(answer).toMatchObject({ status: 200 })
      expect(answer.body.id).not.toBe(first.body.id)
    }
  })

  test('makes a new task when a day has passed', async () => {
    const { create } = clientOf(api, api.tenant)
    const { body } = await create(textBody(), 'daily')
    api.time.nowMs += DAY_MS - 1
    expect((await create(textBody(), 'daily')).body.id).toBe(body.id)
    api.time.nowMs += 1
    const next = await create(textBody('new'), 'daily')
    expect(next).toMatchObject({ status: 200 })
    expect(next.body.id).not.toBe(body.id)
  })

  test('ends with the failed task when its answer was lost for good', async () => {
    const { create } = clientOf(api, api.tenant)
    await api.vendors.breakDown({ operation: 'create', times: 1, fault: { kind: 'lose-answer' } })
    expectApiError(await create(textBody(), 'lost'), { status: 503, code: 'provider_unavailable' })
    const [task] = await api.store.tasks.listForOperator({
      organizationId: api.tenant.organizationId,
      limit: 1,
    })
    await api.store.tasks.move({
      id: task?.id ?? '',
      attempt: 1,
      status: 'failed',
      encryptedContent: null,
      error: { code: 'upstream_error', message: 'The answer was lost.' },
      atMs: api.time.nowMs,
      cost: sampleCost(0),
      entryId: 'ent_of_the_test',
      videoMs: 5_000,
      callbackId: 'msg_of_the_test',
    })
    expect(await create(textBody(), 'lost')).toMatchObject({
      status: 200,
      body: { id: task?.id, status: 'failed', error: { code: 'upstream_error' } },
    })
    await api.expectSound()
  })
})

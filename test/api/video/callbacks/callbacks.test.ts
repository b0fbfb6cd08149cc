import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectPublished } from '../../admin/expect-published.ts'
import { type Client, clientOf, expectApiError, textBody, textBodyB } from '../call-api.ts'
import { START_MS, startVideoApi, type VideoApi } from '../start-video-api.ts'

const PATH = '/v1/video/callbacks'
const SECONDS = START_MS / 1_000

describe('callbacks of the clients', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi({ callbacksBySweep: true })
  })
  afterAll(() => api.close())

  /** The id of a task that has ended and owes a callback. */
  async function endTask(client: Client, order = textBodyB): Promise<string> {
    const id = await client.make(order('[instant]', { callback_url: 'https://client.example/done' }))
    expect(await client.get(id)).toMatchObject({ body: { status: 'succeeded' } })
    return id
  }

  /** Claims what is due, and records this end of the attempt. */
  async function attempt(outcome: 'delivered' | 'given-up', status: number | null): Promise<void> {
    const { callbacks } = api.store
    const nowMs = api.time.nowMs
    const { due } = await callbacks.claimDue({ nowMs, leaseUntilMs: nowMs + 45_000, limit: 100 })
    for (const { id: callbackId, taskId, fence, attempt: number } of due)
      await callbacks.recordAttempt({
        ...{ callbackId, fence, outcome, nextAttemptAtMs: null },
        attempt: { taskId, attempt: number, atMs: nowMs, status, error: status === null ? 'refused' : null },
      })
  }

  test('GET 200 in each state, GET 200 filtered by state, POST resend 200', async () => {
    const client = clientOf(api, await api.openTenant())
    const empty = { object: 'list', data: [], has_more: false, next_cursor: '' }
    expect((await client.call('GET', PATH)).body).toEqual(empty)
    const delivered = await endTask(client)
    await attempt('delivered', 204)
    const failed = await endTask(client)
    await attempt('given-up', 410)
    const unanswered = await endTask(client)
    await attempt('given-up', null)
    const pending = await endTask(client)
    const all = await client.call('GET', PATH)
    expectPublished('listCallbacks', all.body)
    const id = expect.stringMatching(/^msg_/)
    const rows = [
      { id, task_id: pending, state: 'pending', attempts: 0, next_attempt_at: SECONDS, last_status: null },
      { id, task_id: unanswered, state: 'failed', attempts: 1, next_attempt_at: null, last_status: null },
      { id, task_id: failed, state: 'failed', attempts: 1, next_attempt_at: null, last_status: 410 },
      { id, task_id: delivered, state: 'delivered', attempts: 1, next_attempt_at: null, last_status: 204 },
    ]
    expect(all.body).toEqual({ ...empty, data: rows })
    for (const state of ['pending', 'delivered', 'failed'])
      expect((await client.call('GET', `${PATH}?state=${state}`)).body).toEqual({
        ...empty,
        data: rows.filter((row) => row.state === state),
      })
    const { body } = await client.call('GET', `${PATH}?state=failed&limit=1`)
    expect(body).toMatchObject({ data: [rows[1]], has_more: true })
    const next = `${PATH}?state=failed&limit=1&cursor=${encodeURIComponent(String(body.next_cursor))}`
    expect((await client.call('GET', next)).body).toEqual({ ...empty, data: [rows[2]] })

    const [{ id: callbackId }] = body.data as [{ id: string }]
    const resent = await client.call('POST', `${PATH}/${callbackId}/resend`)
    expectPublished('resendCallback', resent.body)
    expect(resent).toMatchObject({
      status: 200,
      body: { id: callbackId, state: 'pending', attempts: 1, next_attempt_at: SECONDS },
    })
    await attempt('delivered', 200)
    const { body: again } = await client.call('GET', `${PATH}?state=delivered&limit=2`)
    expect(again.data).toMatchObject([
      { task_id: pending },
      { id: callbackId, attempts: 2, last_status: 200 },
    ])
  })

  test('a deleted task has no callback: it is not listed, and resend is 404', async () => {
    const client = clientOf(api, await api.openTenant())
    const taskId = await endTask(client, textBody)
    const { body } = await client.call('GET', PATH)
    const [{ id }] = body.data as [{ id: string }]
    expect(await client.delete(taskId)).toMatchObject({ status: 200 })
    expect((await client.call('GET', PATH)).body.data).toEqual([])
    expectApiError(await client.call('POST', `${PATH}/${id}/resend`), { status: 404, code: 'not_found' })
  })

  test('the callback of another key is answered like an unknown one', async () => {
    const owner = await api.openTenant()
    const client = clientOf(api, owner)
    await endTask(client)
    await attempt('given-up', 500)
    const { body } = await client.call('GET', PATH)
    const [{ id }] = body.data as [{ id: string }]
    for (const stranger of [await api.openKey(owner), await api.openTenant()]) {
      const { call } = clientOf(api, stranger)
      expect((await call('GET', PATH)).body.data).toEqual([])
      const foreign = await call('POST', `${PATH}/${id}/resend`)
      const unknown = await call('POST', `${PATH}/msg_${'0'.repeat(32)}/resend`)
      expectApiError(foreign, { status: 404, code: 'not_found' })
      expect(foreign.body).toEqual(unknown.body)
    }
    expect((await client.call('GET', PATH)).body).toEqual(body)
  })

  test('POST resend 404 for a malformed id', async () => {
    const { call } = clientOf(api, api.tenant)
    for (const id of ['%00', 'a%20b', 'x'.repeat(65), '..%2f'])
      expectApiError(await call('POST', `${PATH}/${id}/resend`), { status: 404, code: 'not_found' })
  })

  test('GET 400 for a wrong state, limit or cursor', async () => {
    const { call } = clientOf(api, api.tenant)
    for (const [query, param] of [
      ['state=given-up', 'state'],
      ['state=', 'state'],
      ['state=failed&state=pending', 'state'],
      ['limit=-1', 'limit'],
      ['cursor=none', 'cursor'],
    ])
      expectApiError(await call('GET', `${PATH}?${query}`), { status: 400, param: param ?? '' })
  })
})

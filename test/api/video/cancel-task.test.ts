import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectPublished } from '../admin/expect-published.ts'
import { clientOf, textBody, textBodyB } from './call-api.ts'
import { startVideoApi, type VideoApi } from './start-video-api.ts'

const ADMIN_KEY = 'an-admin-key-of-the-tests'
const WHOLE = { balance: 100_000_000, held: 0 }

describe('POST /admin/v1/tasks/{id}/cancel', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi({ noticeBaseUrl: 'http://127.0.0.1:1', adminKey: ADMIN_KEY })
  })
  afterAll(() => api.close())

  async function cancel(id: string, idempotencyKey?: string) {
    const answer = await fetch(`${api.url}/admin/v1/tasks/${id}/cancel`, {
      method: 'POST',
      headers: {
        'x-admin-key': ADMIN_KEY,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const begin = async (body: object) => {
    const tenant = await api.openTenant()
    const client = clientOf(api, tenant)
    return { tenant, client, id: await client.make(body) }
  }
  const auditOf = (subject: string) => api.store.audit.list({ subject, limit: 10 })

  test('200: a queued task is cancelled, costs 0 micros, stays in the list of its owner and still owes its callback', async () => {
    api.callbacksDue.count = 0
    const { tenant, client, id } = await begin(textBody('', { callback_url: 'https://client.example/a' }))
    expect((await api.moneyOf(tenant)).held).toBeGreaterThan(0)
    const cancelled = await cancel(id, 'cancel 1')
    expectPublished('adminCancelTask', cancelled.body)
    expect(cancelled).toMatchObject({
      status: 200,
      body: { id, status: 'cancelled', held_micros: 0, charged_micros: 0, deleted_at: null },
    })
    expect(await api.moneyOf(tenant)).toEqual(WHOLE)
    expect(api.callbacksDue.count).toBe(1)
    expect(await client.list()).toMatchObject({ body: { data: [{ id, status: 'cancelled' }] } })
    expect(await cancel(id, 'cancel 1')).toEqual(cancelled)
    expect(await auditOf(id)).toMatchObject([
      {
        action: 'task.cancel',
        actor: 'admin key',
        organizationId: tenant.organizationId,
        detail: { status: 'queued' },
      },
    ])
    await api.expectSound()
  })

  test('400: a task whose success was not polled yet is settled and keeps its video', async () => {
    const { tenant, client, id } = await begin(textBody('[instant]'))
    expect(await cancel(id)).toMatchObject({
      status: 400,
      body: { error: 'This task has ended: succeeded.' },
    })
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000 - 762_300, held: 0 })
    expect(await client.get(id)).toMatchObject({ status: 200, body: { status: 'succeeded' } })
    expect(await cancel(id)).toMatchObject({ status: 400 })
    expect(await auditOf(id)).toEqual([])
  })

  test('400: the task is running, or its vendor deletes no tasks of this model; its money stays held', async () => {
    const running = await begin(textBody())
    api.passSeconds(30)
    const other = await begin(textBodyB())
    for (const { tenant, id } of [running, other]) {
      const { held } = await api.moneyOf(tenant)
      expect(await cancel(id)).toMatchObject({ status: 400 })
      expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held })
      expect(await auditOf(id)).toEqual([])
    }
  })

  test('404: there is no such task', async () => {
    expect(await cancel('task_none')).toMatchObject({ status: 404 })
  })

  test.each(['get', 'delete'])(
    '503: the vendor does not answer a %s, and nothing changes',
    async (operation) => {
      const { tenant, id } = await begin(textBody())
      const { held } = await api.moneyOf(tenant)
      await api.vendors.breakDown({ operation, times: 1, fault: { kind: 'status', status: 500 } })
      expect(await cancel(id)).toMatchObject({ status: 503 })
      expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held })
      expect(await cancel(id)).toMatchObject({ status: 200 })
      expect(await api.moneyOf(tenant)).toEqual(WHOLE)
    },
  )
})

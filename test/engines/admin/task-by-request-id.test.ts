import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { ADMIN_KEY, type AdminApi, ENGINES, startAdminApi } from '../../api/admin/start-admin-api.ts'
import { type CallbackReceiver, openCallbackReceiver } from '../video-work/open-receiver.ts'

/** Operations that accept the id of a task: in the path, the query or the body. */
const TAKE_TASKS = OPERATIONS.filter(({ access }) => access === 'admin')
  .filter(
    ({ path, query, body }) =>
      /\/(?:tasks|callbacks)\/:id/.test(path) ||
      query?.task_id !== undefined ||
      JSON.stringify(body?.schema ?? {}).includes('"task_id"'),
  )
  .map(({ method, path }) => `${method} ${path.replace('/admin/v1', '')}`)

describe.each(ENGINES)('a video task by the request id of its create call on %s', (engine) => {
  let api: AdminApi
  let receiver: CallbackReceiver
  beforeAll(async () => {
    receiver = await openCallbackReceiver()
    api = await startAdminApi({ engine, environment: { OUTBOUND_ALLOW: '127.0.0.1/32' }, sandboxSpeed: 1 })
  })
  afterAll(async () => {
    await api.close()
    await receiver.close()
  })

  async function make(model: string, words: string) {
    const answer = await fetch(`${api.url}/v1/video/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.tenant.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ model, content: [{ type: 'text', text: `a boat ${words}` }], duration: 5 },
        callback_url: receiver.urlOf('/done'),
      }),
    })
    const { id } = (await answer.json()) as { id: string }
    return { id, requestId: String(answer.headers.get('x-request-id')) }
  }

  const actOn = async (taskId: string, action: string) =>
    (await api.ask(`GET /audit?subject=${taskId}&action=${action}`)).body.data

  test('the tests of this file cover every operation with a task id', () => {
    expect(TAKE_TASKS.toSorted()).toEqual([
      'GET /callbacks',
      'GET /ledger',
      'GET /tasks/:id',
      'GET /tasks/:id/content',
      'POST /callbacks/:id/resend',
      'POST /ledger/refunds',
      'POST /tasks/:id/cancel',
      'POST /tasks/:id/resume',
    ])
  })

  test('an ended task is shown, refunded, and its callback sent again', async () => {
    const { id, requestId } = await make('vendorB/gen-v4-std', '[instant]')
    const attempts = async (of: string) =>
      (await api.ask(`GET /callbacks?task_id=${of}`)).body.data as { task_id: string }[]
    const stateOfCallback = async () => {
      // A Get of its owner brings the task forward.
      const headers = { authorization: `Bearer ${api.tenant.key}` }
      await (await fetch(`${api.url}/v1/video/generations/${id}`, { headers })).text()
      return (await api.ask(`GET /tasks/${id}`)).body.callback
    }
    await expect.poll(stateOfCallback, { timeout: 10_000 }).toBe('delivered')
    expect(await attempts(requestId)).toEqual(await attempts(id))
    expect((await api.ask(`GET /callbacks?state=delivered&task_id=${requestId}`)).body.data).toHaveLength(1)
    expect((await api.ask(`GET /tasks/${requestId}`)).body).toMatchObject({ id, status: 'succeeded' })
    const content = (of: string) =>
      fetch(`${api.url}/admin/v1/tasks/${of}/content`, { headers: { 'x-admin-key': ADMIN_KEY } })
    const [byTask, byRequest] = [await content(id), await content(requestId)]
    expect(byRequest.status).toBe(byTask.status)
    expect(await byRequest.text()).toBe(await byTask.text())
    expect((await api.ask(`GET /ledger?task_id=${requestId}`)).body.data).toMatchObject([{ task_id: id }])
    const refund = { task_id: requestId, amount_micros: 100, note: 'broken' }
    expect(await api.ask('POST /ledger/refunds', { body: refund })).toMatchObject({ status: 200 })
    const resent = await api.ask(`POST /callbacks/${requestId}/resend`)
    expect(resent).toMatchObject({ status: 200, body: { task_id: id, callback: 'pending' } })
    expect(await actOn(id, 'callback.resend')).toHaveLength(1)
  })

  test('an open task is resumed and cancelled', async () => {
    const { id, requestId } = await make('vendorA/gen-2.0', '[slow]')
    expect(await api.ask(`POST /tasks/${requestId}/resume`)).toMatchObject({ status: 404 })
    await api.store.tasks.setAside({ id, atMs: 1 })
    const resumed = await api.ask(`POST /tasks/${requestId}/resume`)
    expect(resumed).toMatchObject({ status: 200, body: { task_id: id } })
    expect(await actOn(id, 'task.resume')).toHaveLength(1)
    const cancelled = await api.ask(`POST /tasks/${requestId}/cancel`)
    expect(cancelled).toMatchObject({ status: 200, body: { id, status: 'cancelled' } })
  })

  test.each(['/tasks/req_none/resume', '/callbacks/req_none/resend', '/tasks/req_none/cancel'])(
    '404 for POST %s',
    async (path) => {
      expect(await api.ask(`POST ${path}`)).toMatchObject({ status: 404 })
    },
  )
})

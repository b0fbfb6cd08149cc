import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectPublished } from '../../api/admin/expect-published.ts'
import { type AdminApi, ENGINES, startAdminApi } from '../../api/admin/start-admin-api.ts'

const VIDEO = { model: 'vendorA/gen-2.0', content: [{ type: 'text', text: 'a boat' }], duration: 4 }

interface Figures {
  cost_micros: number
  tasks: { succeeded: number }
}

describe.each(ENGINES)('tasks and money on %s', (engine) => {
  let api: AdminApi
  beforeAll(async () => {
    api = await startAdminApi({ engine })
  })
  afterAll(() => api.close())

  async function makeTask() {
    const tenant = await api.openTenant()
    const headers = { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' }
    const url = `${api.url}/v1/video/generations`
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(VIDEO) })
    const { id } = (await answer.json()) as { id: string }
    await expect
      .poll(
        async () => ((await (await fetch(`${url}/${id}`, { headers })).json()) as { status: string }).status,
      )
      .toBe('succeeded')
    return { ...tenant, taskId: id }
  }

  test('GET /tasks/{id} 200 has the charge; a refund appears in the history and in the ledger', async () => {
    const { organizationId, taskId } = await makeTask()
    const before = await api.ask(`GET /tasks/${taskId}`)
    expectPublished('adminGetTask', before.body)
    const charged = Number(before.body.charged_micros)
    expect(charged).toBeGreaterThan(0)
    expect(before.body).toMatchObject({
      status: 'succeeded',
      snapshots: expect.arrayContaining([
        expect.objectContaining({ status: 'queued' }),
        expect.objectContaining({ status: 'succeeded', completion_tokens: expect.any(Number) }),
      ]),
      entries: [{ kind: 'settlement', amount_micros: -charged }],
    })
    const body = { task_id: taskId, amount_micros: 100, note: 'broken' }
    const refund = await api.ask('POST /ledger/refunds', { body, idempotencyKey: 'refund 1' })
    expectPublished('adminRefund', refund.body)
    await api.ask('POST /ledger/refunds', { body, idempotencyKey: 'refund 1' })
    const after = await api.ask(`GET /tasks/${taskId}`)
    expect(after.body).toMatchObject({
      refunded_micros: 100,
      entries: [
        { kind: 'settlement' },
        { kind: 'refund', amount_micros: 100, note: 'broken', task_id: taskId },
      ],
    })
    const ledger = await api.ask(`GET /ledger?organization_id=${organizationId}`)
    expectPublished('adminListLedger', ledger.body)
    const [refunded, settled] = ledger.body.data as { id: string; kind: string }[]
    const entry = await api.ask(`GET /ledger/${settled?.id}`)
    expectPublished('adminGetLedgerEntry', entry.body)
    expect(entry.body).toMatchObject({
      kind: 'settlement',
      amount_micros: -charged,
      task_id: taskId,
      hold: { kind: 'task', state: 'settled', ended_at: expect.any(String) },
      requests: [],
    })
    const back = await api.ask(`GET /ledger/${refunded?.id}`)
    expect(back.body).toMatchObject({ kind: 'refund', amount_micros: 100, task_id: taskId })
    expect(back.body.hold).toEqual(entry.body.hold)
    const { id: holdId } = Object(entry.body.hold) as { id: string }
    const ofHold = await api.ask(`GET /ledger?hold_id=${holdId}`)
    expect(ofHold.body.data).toMatchObject([{ id: refunded?.id }, { id: settled?.id }])
    expect(ledger.body.data).toMatchObject([{ kind: 'refund' }, { kind: 'settlement' }, { kind: 'credit' }])
    const tooMuch = { task_id: taskId, amount_micros: charged, note: 'again' }
    expect(await api.ask('POST /ledger/refunds', { body: tooMuch })).toMatchObject({ status: 400 })
    const list = await api.ask(`GET /tasks?organization_id=${organizationId}`)
    expectPublished('adminListTasks', list.body)
    expect(list.body.data).toMatchObject([{ id: taskId }])
    await api.expectSound()
  })

  test('POST /ledger/check 200 reports a sound ledger, the same to two concurrent requests', async () => {
    await makeTask()
    const [one, other] = await Promise.all([api.ask('POST /ledger/check'), api.ask('POST /ledger/check')])
    expectPublished('adminCheckLedger', one?.body)
    expect(one).toMatchObject({ status: 200, body: { ok: true, violations: [], cut_invariants: [] } })
    expect(other?.text).toBe(one?.text)
  })

  test('POST /ledger/refunds 400 without a note, 404 for a task without a charge', async () => {
    const without = await api.ask('POST /ledger/refunds', { body: { task_id: 'task_1' } })
    expect(without).toMatchObject({ status: 400 })
    const none = await api.ask('POST /ledger/refunds', { body: { task_id: 'task_1', note: 'x' } })
    expect(none).toMatchObject({ status: 404 })
  })

  test('GET /tasks, /ledger, /callbacks and /audit 200, narrowed', async () => {
    const { organizationId, taskId } = await makeTask()
    const of = `organization_id=${organizationId}`
    const listed = async (list: string) => {
      const { status, body } = await api.ask(`GET ${list}`)
      expect(status).toBe(200)
      return (body.data as unknown[]).length
    }
    const today = new Date().toISOString().slice(0, 10)
    for (const [list, rows] of [
      [`/tasks?${of}&status=succeeded&model=vendorA/gen-2.0&created_from=${today}&stuck=false`, 1],
      [`/tasks?${of}&status=failed`, 0],
      [`/tasks?${of}&stuck=true`, 0],
      [`/tasks?${of}&created_to=2026-01-01T00:00:00Z`, 0],
      [`/ledger?${of}&kind=settlement`, 1],
      [`/ledger?task_id=${taskId}&kind=settlement`, 1],
      [`/ledger?${of}&kind=refund`, 0],
      ['/ledger?hold_id=hold_none', 0],
      ['/ledger?usage_id=req_none', 0],
      ['/callbacks?state=given-up', 0],
      [`/audit?${of}&action=credit.add`, 1],
      ['/audit?subject=none&actor=cli', 0],
      [`/assets?${of}&status=failed`, 0],
      [`/groups?${of}&kind=person`, 0],
      [`/verifications?${of}&state=expired`, 0],
    ] as const)
      expect([list, await listed(list)]).toEqual([list, rows])
  })

  test.each([
    ['/tasks?status=done', 'status'],
    ['/tasks?stuck=yes', 'stuck'],
    ['/tasks?created_from=yesterday', 'created_from'],
    ['/tasks?created_to=2026-02-30', 'created_to'],
    ['/tasks?status=failed&status=queued', 'status'],
    ['/tasks?model=%00', 'model'],
    ['/ledger?kind=gift', 'kind'],
    ['/ledger?task_id=a%20b', 'task_id'],
    ['/callbacks?state=lost', 'state'],
    [`/audit?actor=${'x'.repeat(201)}`, 'actor'],
    [`/organizations?search=${'x'.repeat(201)}`, 'search'],
    [`/organizations?ids=${Array(101).fill('org_1')}`, 'ids'],
    ['/assets?status=Active', 'status'],
    ['/groups?kind=none', 'kind'],
    ['/verifications?state=done', 'state'],
  ])('GET %s 400', async (list, param) => {
    const { status, body } = await api.ask(`GET ${list}`)
    expect(status).toBe(400)
    expect(body.error).toContain(param)
  })

  test('POST /tasks/{id}/resume and /callbacks/{id}/resend 404 without anything to do', async () => {
    expect(await api.ask('POST /tasks/task_1/resume')).toMatchObject({ status: 404 })
    expect(await api.ask('POST /callbacks/task_1/resend')).toMatchObject({ status: 404 })
  })

  test('POST /tasks/{id}/resume 200 makes a task due again that was set aside, once', async () => {
    const headers = { authorization: `Bearer ${api.tenant.key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ ...VIDEO, content: [{ type: 'text', text: 'a boat [stuck]' }] })
    const made = await fetch(`${api.url}/v1/video/generations`, { method: 'POST', headers, body })
    const { id } = (await made.json()) as { id: string }
    await api.store.tasks.setAside({ id, atMs: Date.now() })
    expect((await api.ask('GET /tasks?stuck=true')).body.data).toMatchObject([{ id }])
    const resumed = await api.ask(`POST /tasks/${id}/resume`)
    expectPublished('adminResumeTask', resumed.body)
    expect(resumed).toMatchObject({ status: 200, body: { task_id: id } })
    expect(await api.ask(`POST /tasks/${id}/resume`)).toMatchObject({ status: 404 })
    expect((await api.ask(`GET /audit?subject=${id}`)).body.data).toMatchObject([{ action: 'task.resume' }])
  })

  test('DELETE /groups/{id} 200 erases a person, 404 for a group of no person', async () => {
    const { organizationId } = api.tenant
    const group = { organizationId, kind: 'person', provider: 'vendorA', createdAtMs: 1 } as const
    await api.store.assets.bindPerson({ ...group, id: 'group_person', ticket: 'person-1' }, undefined)
    const erased = await api.ask('DELETE /groups/group_person')
    expectPublished('adminErasePerson', erased.body)
    expect(erased).toMatchObject({ status: 200, body: { group_id: 'group_person', erased: true } })
    expect(await api.ask('GET /groups/group_person')).toMatchObject({ status: 404 })
    for (const id of ['group_person', 'none'])
      expect(await api.ask(`DELETE /groups/${id}`)).toMatchObject({ status: 404 })
  })

  test('GET /usage 200 by organization, 400 for unknown groups', async () => {
    const { organizationId } = await makeTask()
    const usage = await api.ask(`GET /usage?by=org&organization_id=${organizationId}`)
    expectPublished('adminGetUsage', usage.body)
    expect(usage.body.data).toMatchObject([{ organization_id: organizationId, requests: 1 }])
    for (const query of ['by=nothing', 'from=yesterday', 'limit=0', 'limit=1001', 'cursor=made-up'])
      expect(await api.ask(`GET /usage?${query}`)).toMatchObject({ status: 400 })
  })

  test('GET /usage/{id} 200 traces a charge, 404 without a charge', async () => {
    const { taskId } = await makeTask()
    const video = await api.ask(`GET /usage/${taskId}`)
    expectPublished('adminGetCharge', video.body)
    expect(video.body).toMatchObject({ task_id: taskId, cost_micros: expect.any(Number) })
    const { key } = await api.openTenant()
    const body = { model: 'vendorC/model-4.1', input: 'hi', max_output_tokens: 20 }
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const url = `${api.url}/v1/responses`
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const requestId = reply.headers.get('x-request-id')
    // The row is written a moment after the answer.
    await expect.poll(async () => (await api.ask(`GET /usage/${requestId}`)).status).toBe(200)
    const text = await api.ask(`GET /usage/${requestId}`)
    expectPublished('adminGetCharge', text.body)
    expect(text.body).toMatchObject({ request_id: requestId, outcome: 'completed' })
    expect(await api.ask('GET /usage/req_none')).toMatchObject({ status: 404 })
    const entry = await api.ask(`GET /ledger/${text.body.entry_id}`)
    expectPublished('adminGetLedgerEntry', entry.body)
    const { usage_id, model, cost_micros } = text.body
    const request = { usage_id, request_id: requestId, model, cost_micros }
    expect(entry.body).toMatchObject({ kind: 'usage', usage_id: null, hold: null, requests: [request] })
    const refund = { task_id: requestId, amount_micros: 1, note: 'broken' }
    expect(await api.ask('POST /ledger/refunds', { body: refund })).toMatchObject({ status: 200 })
    const { body: entries } = await api.ask(`GET /ledger?usage_id=${requestId}`)
    const [refunded] = entries.data as { id: string }[]
    const back = await api.ask(`GET /ledger/${refunded?.id}`)
    expect(back.body).toMatchObject({ kind: 'refund', amount_micros: 1, usage_id, requests: [request] })
    expect(await api.ask('GET /ledger/ent_none')).toMatchObject({ status: 404 })
  })

  test('GET /overview 200 with the period before, 400 for dates that cannot be', async () => {
    const { taskId } = await makeTask()
    const charged = Number((await api.ask(`GET /tasks/${taskId}`)).body.charged_micros)
    const overview = await api.ask('GET /overview')
    expectPublished('adminGetOverview', overview.body)
    const { current, previous } = overview.body as { current: Figures; previous: Figures }
    expect(current.cost_micros).toBeGreaterThanOrEqual(charged)
    expect(current.tasks.succeeded).toBeGreaterThan(0)
    expect(previous).toMatchObject({ requests: 0, latency_ms: { p50: null, p95: null, p99: null } })
    const days = await api.ask('GET /overview?from=2020-01-01&to=2020-02-01')
    expectPublished('adminGetOverview', days.body)
    expect(days.body).toMatchObject({ current: { requests: 0 }, previous: { requests: 0 } })
    for (const query of ['from=yesterday', 'from=2026-02-30', 'to=2020-01-01T05:00Z', 'from=2999-01-01'])
      expect(await api.ask(`GET /overview?${query}`)).toMatchObject({ status: 400 })
  })

  test('GET /organizations 200 by the beginning of the name or id, and by ids', async () => {
    const body = { name: 'Lock & Barge 100%_x', billing: 'prepaid' }
    const { id } = (await api.ask('POST /organizations', { body })).body
    const found = async (query: string) =>
      ((await api.ask(`GET /organizations?${query}`)).body.data as { id: string }[]).map((row) => row.id)
    for (const search of ['lock', 'LOCK & b', ' lock & barge 100%_x ', String(id)])
      expect(await found(`search=${encodeURIComponent(search)}`), search).toEqual([id])
    for (const search of ['barge', 'l%', 'l_ck', '\\', "' or 1=1 --"])
      expect(await found(`search=${encodeURIComponent(search)}`), search).toEqual([])
    expect(await found(`ids=${api.tenant.organizationId},org_none,${id}`)).toHaveLength(2)
  })

  test('POST and GET /organizations/{id}/budget 200', async () => {
    const { organizationId: id } = await api.openTenant()
    const set = await api.ask(`POST /organizations/${id}/budget`, {
      body: { monthly_budget_micros: 5_000_000 },
    })
    expectPublished('adminSetBudget', set.body)
    expect(set.body).toMatchObject({ monthly_budget_micros: 5_000_000, warn_at_percent: 80 })
    expect((await api.ask(`GET /organizations/${id}/budget`)).body).toEqual(set.body)
    const none = await api.ask(`POST /organizations/${id}/budget`, { body: { monthly_budget_micros: null } })
    expect(none.body).toMatchObject({ monthly_budget_micros: null, warn_at_percent: null })
  })

  test('GET /models 200 in pages, each model once', async () => {
    const seen: number[] = []
    for (let cursor = '', more = true; more; ) {
      const { body } = await api.ask(`GET /models?limit=2&cursor=${cursor}`)
      expectPublished('adminListModels', body)
      seen.push(...(body.data as { model_id: number }[]).map(({ model_id }) => model_id))
      more = body.has_more === true
      cursor = String(body.next_cursor)
    }
    expect(seen.length).toBeGreaterThan(2)
    expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => one - other))
  })

  test('GET /assets, /groups and /verifications 200', async () => {
    const { key, organizationId } = await api.openTenant()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const post = async (path: string, body: object) =>
      (
        await fetch(`${api.url}/v1/video/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      ).json()
    const asset = await post('assets', { url: 'https://a.example/b.png', asset_type: 'Image', name: 'b' })
    await post('assets/sessions', { callback_url: 'https://a.example/done' })
    for (const [path, name] of [
      ['assets', 'Asset'],
      ['groups', 'Group'],
      ['verifications', 'Verification'],
    ]) {
      const list = await api.ask(`GET /${path}?organization_id=${organizationId}`)
      expectPublished(`adminList${name}s`, list.body)
      const [row] = list.body.data as { id: string }[]
      const shown = await api.ask(`GET /${path}/${row?.id}`)
      expectPublished(`adminGet${name}`, shown.body)
      expect(shown.body).toMatchObject({ id: row?.id, organization_id: organizationId })
      if (path === 'assets') expect(row?.id).toBe((asset as { id: string }).id)
    }
  })
})

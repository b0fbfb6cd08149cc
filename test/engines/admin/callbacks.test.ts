import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectPublished } from '../../api/admin/expect-published.ts'
import { type AdminApi, ENGINES, startAdminApi } from '../../api/admin/start-admin-api.ts'
import { isFullRun } from '../../random/full-run.ts'
import { type CallbackReceiver, openCallbackReceiver } from '../video-work/open-receiver.ts'

/** The full run tries every store engine; `npm test` tries only the first. */
describe.each(isFullRun() ? ENGINES : ENGINES.slice(0, 1))('on %s', (engine) => {
  let api: AdminApi
  let receiver: CallbackReceiver

  beforeAll(async () => {
    receiver = await openCallbackReceiver()
    api = await startAdminApi({ engine, environment: { OUTBOUND_ALLOW: '127.0.0.1/32' } })
  })
  afterAll(async () => {
    await api.close()
    await receiver.close()
  })

  const sentTo = (path: string) => receiver.received.filter((each) => each.path === path)

  test('POST /organizations/{id} 200 with keep_replies, 400 for another word', async () => {
    const { organizationId: id } = await api.openTenant()
    const set = (keep_replies: unknown) => api.ask(`POST /organizations/${id}`, { body: { keep_replies } })
    for (const keep_replies of ['default', 'asked', null]) {
      const answer = await set(keep_replies)
      expect(answer).toMatchObject({ status: 200, body: { keep_replies } })
      expectPublished('adminUpdateOrganization', answer.body)
      expect(await set('all')).toMatchObject({ status: 400 })
      expect(await api.ask(`GET /organizations/${id}`)).toMatchObject({ body: { keep_replies } })
    }
  })

  test('POST /organizations/{id} 200 with callback_retries, 400 for another word', async () => {
    const { organizationId: id } = await api.openTenant()
    const set = (callback_retries: unknown) =>
      api.ask(`POST /organizations/${id}`, { body: { callback_retries } })
    expect(await api.ask(`GET /organizations/${id}`)).toMatchObject({ body: { callback_retries: 'default' } })
    for (const callback_retries of ['extended', 'default']) {
      const answer = await set(callback_retries)
      expect(answer).toMatchObject({ status: 200, body: { callback_retries } })
      expectPublished('adminUpdateOrganization', answer.body)
      for (const wrong of ['all', null, 3]) expect(await set(wrong)).toMatchObject({ status: 400 })
      expect(await api.ask(`GET /organizations/${id}`)).toMatchObject({ body: { callback_retries } })
    }
  })

  test('POST /organizations/{id} 200 with events_url, 400 for an address that no message may go to', async () => {
    const { organizationId: id } = await api.openTenant()
    const set = (events_url: unknown) => api.ask(`POST /organizations/${id}`, { body: { events_url } })
    const url = 'https://client.example/events?of=us'
    const answer = await set(url)
    expect(answer).toMatchObject({ status: 200, body: { events_url: url } })
    expectPublished('adminUpdateOrganization', answer.body)
    for (const wrong of [
      ...[
        'http://client.example/',
        'https://10.0.0.1/',
        'https://user:pass@client.example/',
        'https://[::1]/',
      ],
      ...['https://', 'client.example', 7, `https://client.example/${'x'.repeat(2_048)}`],
    ])
      expect(await set(wrong)).toMatchObject({ status: 400 })
    expect(await api.ask(`GET /organizations/${id}`)).toMatchObject({ body: { events_url: url } })
    expect(await api.ask(`POST /organizations/${id}`, { body: { name: 'New' } })).toMatchObject({
      ...{ body: { events_url: url } },
    })
    expect(await set(null)).toMatchObject({ status: 200, body: { events_url: null } })
    const { body } = await api.ask(`GET /audit?subject=${id}&action=organization.update`)
    expect(JSON.stringify(body)).toContain('client.example')
    expect(JSON.stringify(body)).not.toContain('of=us')
  })

  test('POST /callbacks/test 200: one callback, signed like a real one, with the answer of its receiver', async () => {
    const { organizationId: organization_id } = api.tenant
    const body = { organization_id, url: receiver.urlOf('/test') }
    const tested = await api.ask('POST /callbacks/test', { body, idempotencyKey: 'test 1' })
    expectPublished('adminTestCallback', tested.body)
    expect(tested).toMatchObject({ status: 200, body: { status: 204, error: null } })
    const again = await api.ask('POST /callbacks/test', { body, idempotencyKey: 'test 1' })
    expect(again.text).toBe(tested.text)
    const [got, ...others] = sentTo('/test')
    expect(others).toEqual([])
    expect(got?.headers['webhook-id']).toBe(tested.body.id)
    const { body: rotated } = await api.ask(`POST /organizations/${organization_id}/secret`)
    // The test callback was signed before the rotation. The test rotates only because a secret is shown once.
    expect(() => verify(String(rotated.webhook_secret), got)).toThrow()
    await api.ask('POST /callbacks/test', { body: { ...body, url: receiver.urlOf('/signed') } })
    const [signed] = sentTo('/signed')
    expect(verify(String(rotated.webhook_secret), signed)).toMatchObject({ metadata: { test: true } })
    const audit = await api.ask(`GET /audit?organization_id=${organization_id}&action=callback.test`)
    expect(audit.body.data).toHaveLength(2)
    expect(audit.text).not.toContain('/signed')
  })

  function verify(
    secret: string,
    got: { body: string; headers: Record<string, string> } | undefined,
  ): unknown {
    return new Webhook(secret).verify(got?.body ?? '', got?.headers ?? {})
  }

  test('POST /callbacks/test 200: a receiver that fails, and an address that is not allowed', async () => {
    const { organizationId: organization_id } = api.tenant
    receiver.answer = () => 500
    const failing = await api.ask('POST /callbacks/test', {
      body: { organization_id, url: receiver.urlOf('/failing') },
    })
    receiver.answer = () => 204
    expect(failing.body).toMatchObject({ status: 500, error: null })
    expect(sentTo('/failing')).toHaveLength(1)
    for (const url of ['https://10.0.0.1/', 'https://user:pass@a.example/', 'https://a.example:22/']) {
      const refused = await api.ask('POST /callbacks/test', { body: { organization_id, url } })
      expect(refused).toMatchObject({ status: 200, body: { status: null, error: 'forbidden' } })
    }
  })

  test.each(['http://a.example/', 'ftp://a.example', '', 'https://', 'https://a b', 7])(
    'POST /callbacks/test 400 for %s',
    async (url) => {
      const body = { organization_id: api.tenant.organizationId, url }
      expect(await api.ask('POST /callbacks/test', { body })).toMatchObject({ status: 400 })
    },
  )

  test('POST /callbacks/test 404 for an unknown organization', async () => {
    const body = { organization_id: 'org_none', url: receiver.urlOf('/none') }
    expect(await api.ask('POST /callbacks/test', { body })).toMatchObject({ status: 404 })
    expect(sentTo('/none')).toEqual([])
  })

  test('GET lists 200 of a range of time, 400 for a day that does not exist', async () => {
    const { organizationId } = await api.openTenant({ creditMicros: 1_000_000 })
    const of = `organization_id=${organizationId}`
    const today = new Date().toISOString().slice(0, 10)
    for (const [list, rows] of [
      [`/ledger?${of}&from=${today}`, 1],
      [`/ledger?${of}&to=2026-01-01T00:00:00Z`, 0],
      [`/audit?${of}&action=credit.add&from=${today}`, 1],
      [`/audit?${of}&from=2100-01-01`, 0],
      [`/keys?${of}&from=${today}&to=2100-01-01`, 1],
      [`/users?${of}&to=2026-01-01`, 0],
      ['/organizations?from=2100-01-01', 0],
      [`/assets?${of}&from=${today}`, 0],
      [`/groups?${of}&from=${today}`, 0],
      [`/verifications?${of}&from=${today}`, 0],
      ['/operators?from=2100-01-01', 0],
      ['/callbacks?to=2026-01-01', 0],
    ] as const) {
      const { status, body } = await api.ask(`GET ${list}`)
      expect([list, status, (body.data as unknown[]).length]).toEqual([list, 200, rows])
    }
    for (const wrong of ['/callbacks?from=yesterday', '/ledger?to=2026-02-30'])
      expect(await api.ask(`GET ${wrong}`)).toMatchObject({ status: 400 })
  })

  test('POST /callbacks/{id}/resend 200: the same message once more', async () => {
    const headers = { authorization: `Bearer ${api.tenant.key}`, 'content-type': 'application/json' }
    const content = [{ type: 'text', text: 'a boat [instant]' }]
    const order = { model: 'vendorB/gen-v4-std', content, duration: 5, callback_url: receiver.urlOf('/done') }
    const answer = await fetch(`${api.url}/v1/video/generations`, {
      method: 'POST',
      headers,
      body: JSON.stringify(order),
    })
    const { id } = (await answer.json()) as { id: string }
    const read = async () => {
      await fetch(`${api.url}/v1/video/generations/${id}`, { headers })
      return sentTo('/done').length
    }
    await expect.poll(read).toBe(1)
    await expect.poll(async () => (await api.ask(`GET /tasks/${id}`)).body.callback).toBe('delivered')
    const resent = await api.ask(`POST /callbacks/${id}/resend`)
    expectPublished('adminResendCallback', resent.body)
    expect(resent).toMatchObject({ status: 200, body: { task_id: id, callback: 'pending' } })
    await expect.poll(() => sentTo('/done').length).toBe(2)
    const [first, second] = sentTo('/done')
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    await expect
      .poll(async () => (await api.ask(`GET /callbacks?state=delivered&task_id=${id}`)).body.data)
      .toHaveLength(2)
    // The host alone: the rest of an address may be a secret.
    const listed = await api.ask(`GET /callbacks?task_id=${id}`)
    expectPublished('adminListCallbacks', listed.body)
    const { host } = new URL(order.callback_url)
    expect(listed.body.data).toMatchObject(
      [2, 1].map((attempt) => ({ attempt, organization_id: api.tenant.organizationId, host })),
    )
    expect(JSON.stringify(listed.body)).not.toContain('/done')
  })
})

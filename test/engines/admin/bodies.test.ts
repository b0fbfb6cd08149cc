import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectPublished } from '../../api/admin/expect-published.ts'
import { type AdminApi, ENGINES, startAdminApi } from '../../api/admin/start-admin-api.ts'
import { completion, message, response, textClientOf } from '../../api/text/call-text.ts'
import type { Tenant } from '../../api/video/tenants.ts'

describe.each(ENGINES)('GET /admin/v1/requests/{id}/body on %s', (engine) => {
  let api: AdminApi
  beforeAll(async () => {
    api = await startAdminApi({ engine, environment: { HOLD_BACK_MS: '0' } })
  })
  afterAll(() => api.close())

  async function openTenant(record_bodies: string): Promise<Tenant> {
    const tenant = await api.openTenant()
    const changed = await api.ask(`POST /organizations/${tenant.organizationId}`, { body: { record_bodies } })
    expect(changed).toMatchObject({ status: 200, body: { record_bodies } })
    return tenant
  }

  const idOf = ({ headers }: { headers: Headers }) => String(headers.get('x-request-id'))
  const show = (id: string, key?: string) => api.ask(`GET /requests/${id}/body`, key ? { key } : {})

  async function bodyOf(answer: { headers: Headers }) {
    await expect.poll(async () => (await show(idOf(answer))).status).toBe(200)
    return show(idOf(answer))
  }

  test('200 with request and reply, whole and as a stream, and an audit row for each look', async () => {
    const tenant = await openTenant('all')
    const client = textClientOf(api, tenant)
    const sent = message('How many locks?')
    const whole = await client.messages(sent)
    const shown = await bodyOf(whole)
    expectPublished('adminShowRequestBody', shown.body)
    expect(shown.body).toEqual({
      ...{ request_id: idOf(whole), request: JSON.stringify(sent), response: whole.text, truncated: false },
    })
    const stream = await client.chat(completion('[count 3]', { stream: true }))
    expect((await bodyOf(stream)).body).toMatchObject({ response: stream.text, truncated: false })
    const refused = await client.responses(response('hi', { model: 'vendorC/none' }))
    expect((await bodyOf(refused)).body).toMatchObject({ response: refused.text })
    const before = await api.ask(`GET /audit?subject=${idOf(whole)}`)
    await show(idOf(whole))
    const after = (await api.ask(`GET /audit?subject=${idOf(whole)}`)).body.data as object[]
    expect(after).toHaveLength((before.body.data as object[]).length + 1)
    expect(after[0]).toMatchObject({
      ...{ action: 'request.body', actor: 'admin key', organization_id: tenant.organizationId },
    })
  })

  test('200: media are replaced by their size, and 256 KiB of a long body are kept', async () => {
    const { messages } = textClientOf(api, await openTenant('all'))
    const data = Buffer.alloc(3_000, 1).toString('base64')
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
    const shown = await bodyOf(await messages(message([image, { type: 'text', text: 'What is it?' }])))
    expect(shown.body.request).toContain('"data":"[image, 3000 bytes]"')
    expect(shown.body.truncated).toBe(false)
    const long = await bodyOf(await messages(message('long words '.repeat(60_000))))
    expect(long.body.truncated).toBe(true)
    expect(String(long.body.request)).toHaveLength(256 * 1024)
    expect(long.body.response).toContain('"type":"message"')
  })

  test('200 only for errors and broken streams with the value errors, 404 for others and with off', async () => {
    const { chat } = textClientOf(api, await openTenant('errors'))
    const good = await chat(completion())
    expect((await bodyOf(await chat(completion('[overloaded]')))).body.request).toContain('[overloaded]')
    const broken = await chat(completion('[count 9] [cut 3]', { stream: true }))
    expect(broken.status).toBe(200)
    expect((await bodyOf(broken)).body.response).toBe(broken.text)
    expect((await show(idOf(good))).status).toBe(404)
    const off = await textClientOf(api, await api.openTenant()).chat(completion('[overloaded]'))
    expect((await show(idOf(off))).status).toBe(404)
  })

  test('200 for a video create', async () => {
    const tenant = await openTenant('all')
    const text = 'A barge passes a lock'
    const answer = await fetch(`${api.url}/v1/video/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'vendorB/gen-v4-std', content: [{ type: 'text', text }], duration: 5 }),
    })
    expect((await bodyOf(answer)).body.request).toContain(text)
  })

  test('403 for a viewer, 404 after the erasure of the organization, and nothing readable in the store', async () => {
    const tenant = await openTenant('all')
    const answer = await textClientOf(api, tenant).chat(completion('a secret of the lock keeper'))
    await bodyOf(answer)
    const kept = await api.store.keptValues.find({ key: `body:${idOf(answer)}`, nowMs: Date.now() })
    expect(kept).not.toContain('lock keeper')
    const nextDay = { key: `body:${idOf(answer)}`, nowMs: Date.now() + 24 * 3_600_000 }
    expect(await api.store.keptValues.find(nextDay)).toBeUndefined()
    const { body } = await api.ask('POST /operators', { body: { name: `v ${engine}`, role: 'viewer' } })
    expect(await show(idOf(answer), String(body.token))).toMatchObject({ status: 403 })
    await api.ask(`DELETE /organizations/${tenant.organizationId}`)
    expect((await show(idOf(answer))).status).toBe(404)
    expect(
      await api.ask(`POST /organizations/${tenant.organizationId}`, { body: { record_bodies: 'some' } }),
    ).toMatchObject({ status: 400 })
  })
})

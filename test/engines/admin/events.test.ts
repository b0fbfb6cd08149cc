import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectPublished } from '../../api/admin/expect-published.ts'
import { type AdminApi, ENGINES, startAdminApi } from '../../api/admin/start-admin-api.ts'
import { isFullRun } from '../../random/full-run.ts'
import { type CallbackReceiver, openCallbackReceiver } from '../video-work/open-receiver.ts'

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

/** The full run tries every store engine; `npm test` tries only the first. */
describe.each(isFullRun() ? ENGINES : ENGINES.slice(0, 1))('events on %s', (engine) => {
  let api: AdminApi
  let receiver: CallbackReceiver

  beforeAll(async () => {
    receiver = await openCallbackReceiver()
    const environment = {
      OUTBOUND_ALLOW: '127.0.0.1/32',
      EVENTS_URL: receiver.urlOf('/operators'),
      EVENTS_SECRET: SECRET,
    }
    api = await startAdminApi({ engine, environment })
  })
  afterAll(async () => {
    await api.close()
    await receiver.close()
  })

  const typesAt = (path: string, organizationId: string) =>
    receiver.received
      .filter((each) => each.path === path)
      .map(({ body }) => JSON.parse(body))
      .filter(({ data }) => data.organization_id === organizationId)
      .map(({ type }) => type)

  test('POST /events/test 200: signed with EVENTS_SECRET, listed as delivered, and resent with its id', async () => {
    const tested = await api.ask('POST /events/test', { body: {} })
    expectPublished('adminTestEvent', tested.body)
    expect(tested).toMatchObject({ status: 200, body: { type: 'event.test', receiver: 'operator' } })
    const { id } = tested.body
    const sent = () => receiver.received.filter(({ headers }) => headers['webhook-id'] === id)
    await expect.poll(() => sent().length).toBe(1)
    const [got] = sent()
    expect(new Webhook(SECRET).verify(got?.body ?? '', got?.headers ?? {})).toMatchObject({
      ...{ type: 'event.test', data: { test: true } },
    })
    const read = async () => (await api.ask('GET /events?type=event.test')).body.data
    await expect.poll(read).toMatchObject([{ id, state: 'delivered', attempts: 1, last_status: 204 }])
    const resent = await api.ask(`POST /events/${id}/resend`)
    expectPublished('adminResendEvent', resent.body)
    expect(resent).toMatchObject({ status: 200, body: { id, state: 'pending' } })
    await expect.poll(() => sent().length).toBe(2)
    expect(sent()[1]?.body).toBe(got?.body)
    const audit = await api.ask('GET /audit?action=event.resend')
    expect(audit.body.data).toHaveLength(1)
  })

  test('POST /events/test 400 for an organization without an address, 404 for an unknown one', async () => {
    const { organizationId: organization_id } = await api.openTenant()
    expect(await api.ask('POST /events/test', { body: { organization_id } })).toMatchObject({ status: 400 })
    const unknown = { organization_id: 'org_none' }
    expect(await api.ask('POST /events/test', { body: unknown })).toMatchObject({ status: 404 })
  })

  test('POST /events/{id}/resend 404 for an unknown event', async () => {
    expect(await api.ask('POST /events/evt_none/resend')).toMatchObject({ status: 404 })
  })

  test('GET /events 400 for an unknown type, 200 by organization', async () => {
    expect(await api.ask('GET /events?type=none')).toMatchObject({ status: 400 })
    const { organizationId } = await api.openTenant()
    const list = await api.ask(`GET /events?organization_id=${organizationId}`)
    expectPublished('adminListEvents', list.body)
    expect(list).toMatchObject({ status: 200, body: { data: [] } })
  })

  test('a balance below its threshold and the first of many 402 are reported once, to customer and operators', async () => {
    const { organizationId: id, key } = await api.openTenant()
    const change = { events_url: receiver.urlOf('/customer'), low_balance_micros: 1_000_000_000_000 }
    expect(await api.ask(`POST /organizations/${id}`, { body: change })).toMatchObject({
      ...{ status: 200, body: { low_balance_micros: 1_000_000_000_000 } },
    })
    const { body: organization } = await api.ask(`GET /organizations/${id}`)
    const amount_micros = -Number(organization.balance_micros)
    const payOut = { organization_id: id, amount_micros, note: 'paid out' }
    expect(await api.ask('POST /credit', { body: payOut })).toMatchObject({ status: 200 })
    for (let times = 0; times < 5; times += 1) {
      const answer = await fetch(`${api.url}/v1/video/generations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ model: 'vendorB/gen-v4-std', content: [{ type: 'text', text: 'a boat' }], duration: 5 },
        }),
      })
      expect(answer.status).toBe(402)
    }
    const expected = ['balance.empty', 'balance.low']
    await expect.poll(() => typesAt('/customer', id).toSorted(), { timeout: 15_000 }).toEqual(expected)
    await expect.poll(() => typesAt('/operators', id).toSorted()).toEqual(expected)
  })
})

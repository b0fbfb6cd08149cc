import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectPublished } from '../../api/admin/expect-published.ts'
import { type AdminApi, ENGINES, startAdminApi } from '../../api/admin/start-admin-api.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let api: AdminApi
  beforeAll(async () => {
    api = await startAdminApi({ engine })
  })
  afterAll(() => api.close())

  test('POST and GET /organizations 200, with the members of the command line', async () => {
    const created = await api.ask('POST /organizations', { body: { name: ' Acme ', billing: 'prepaid' } })
    expect(created).toMatchObject({
      status: 200,
      body: { name: 'Acme', billing: 'prepaid', balance_micros: 0, requests_per_minute: null },
    })
    expectPublished('adminCreateOrganization', created.body)
    const { webhook_secret: _, ...organization } = created.body
    const shown = await api.ask(`GET /organizations/${organization.id}`)
    expect(shown).toMatchObject({ status: 200, body: organization })
    expectPublished('adminGetOrganization', shown.body)
  })

  test('GET /organizations 200 in pages, newest first, each row once', async () => {
    const made: string[] = []
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      const { body } = await api.ask('POST /organizations', { body: { name, billing: 'postpaid' } })
      made.unshift(String(body.id))
    }
    const seen: string[] = []
    for (let cursor = '', more = true; more; ) {
      const page = await api.ask(`GET /organizations?limit=2&cursor=${cursor}`)
      expectPublished('adminListOrganizations', page.body)
      const rows = page.body.data as { id: string }[]
      expect(rows.length).toBeLessThanOrEqual(2)
      seen.push(...rows.map(({ id }) => id))
      more = page.body.has_more === true
      cursor = String(page.body.next_cursor)
      expect(cursor === '').toBe(!more)
    }
    expect(seen.slice(0, 5)).toEqual(made)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.toSorted().toReversed()).toEqual(seen)
  })

  test('POST /organizations/{id} 200 changes the given members, disable and enable 200', async () => {
    const { organizationId: id, key } = await api.openTenant()
    const use = () => fetch(`${api.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    const first = await api.ask(`POST /organizations/${id}`, {
      body: { name: 'New', requests_per_minute: 60 },
    })
    expect(first).toMatchObject({
      status: 200,
      body: { name: 'New', billing: 'prepaid', requests_per_minute: 60 },
    })
    const second = await api.ask(`POST /organizations/${id}`, {
      body: { billing: 'postpaid', requests_per_minute: null },
    })
    expect(second).toMatchObject({ body: { name: 'New', billing: 'postpaid', requests_per_minute: null } })
    const disabled = await api.ask(`POST /organizations/${id}/disable`)
    expect(disabled).toMatchObject({ status: 200, body: { disabled_at: expect.any(String) } })
    expectPublished('adminDisableOrganization', disabled.body)
    await expect.poll(async () => (await use()).status).toBe(403)
    expect(await api.ask(`POST /organizations/${id}/enable`)).toMatchObject({ body: { disabled_at: null } })
    await expect.poll(async () => (await use()).status).toBe(200)
  })

  test('POST /users/{id}/disable and enable 200', async () => {
    const { userId: id } = await api.openTenant()
    const disabled = await api.ask(`POST /users/${id}/disable`)
    expect(disabled).toMatchObject({ status: 200, body: { disabled_at: expect.any(String) } })
    expectPublished('adminDisableUser', disabled.body)
    expect(await api.ask(`POST /users/${id}/enable`)).toMatchObject({ body: { disabled_at: null } })
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=', 'limit'],
    ['limit=a', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=%00', 'cursor'],
    ['cursor=a&cursor=b', 'cursor'],
    [`cursor=${'x'.repeat(201)}`, 'cursor'],
  ])('GET lists 400 for %s', async (query, param) => {
    for (const list of [
      'organizations',
      'users',
      'keys',
      'credit',
      'operators',
      'audit',
      'ledger',
      'models',
      'tasks',
      'callbacks',
      'assets',
      'groups',
      'verifications',
    ]) {
      const answer = await api.ask(`GET /${list}?${query}`)
      expect(answer.status).toBe(400)
      expect(answer.body.error).toContain(param)
    }
  })

  test('users: POST, GET and limit 200; a list has one organization', async () => {
    const { organizationId } = await api.openTenant()
    const made = await api.ask('POST /users', { body: { organization_id: organizationId, name: 'ana' } })
    expect(made).toMatchObject({ status: 200, body: { name: 'ana', enable_limit: false } })
    expectPublished('adminCreateUser', made.body)
    const limit = { max_daily_user_limit: '05.250', enable_limit: true }
    const limited = await api.ask(`POST /users/${made.body.id}/limit`, { body: limit })
    expect(limited).toMatchObject({ status: 200, body: { max_daily_user_limit: 5.25, enable_limit: true } })
    expect((await api.ask(`GET /users/${made.body.id}`)).body).toEqual(limited.body)
    const list = await api.ask(`GET /users?organization_id=${organizationId}`)
    expectPublished('adminListUsers', list.body)
    expect((list.body.data as { name: string }[]).map(({ name }) => name)).toEqual(['ana', 'test'])
    expect((await api.ask('GET /users?organization_id=org_none')).body.data).toEqual([])
  })

  test('POST /users/{id}/limit 400 for a limit of 0, and 200 for it while the limit is off', async () => {
    const { userId } = await api.openTenant()
    for (const limit of ['0', '0.000']) {
      const answer = await api.ask(`POST /users/${userId}/limit`, { body: { max_daily_user_limit: limit } })
      expect(answer.status).toBe(400)
    }
    const off = { max_daily_user_limit: '0', enable_limit: false }
    expect(await api.ask(`POST /users/${userId}/limit`, { body: off })).toMatchObject({ status: 200 })
  })

  test('keys: POST 200 makes a working key, DELETE 200 ends it', async () => {
    const { organizationId, userId } = await api.openTenant()
    const made = await api.ask('POST /keys', { body: { organization_id: organizationId, user_id: userId } })
    expectPublished('adminCreateKey', made.body)
    const use = () => fetch(`${api.url}/v1/models`, { headers: { authorization: `Bearer ${made.body.key}` } })
    expect((await use()).status).toBe(200)
    const revoked = await api.ask(`DELETE /keys/${made.body.id}`)
    expect(revoked).toMatchObject({ status: 200, body: { revoked_at: expect.any(String) } })
    expectPublished('adminRevokeKey', revoked.body)
    expect((await use()).status).toBe(401)
    expect((await api.ask(`GET /keys/${made.body.id}`)).body).toEqual(revoked.body)
    const list = await api.ask(`GET /keys?organization_id=${organizationId}&limit=1`)
    expect(list.body).toMatchObject({ data: [{ id: made.body.id }], has_more: true })
  })

  test('POST /credit 200 adds 2,500,000 micros', async () => {
    const { organizationId } = await api.openTenant({ creditMicros: 1_000_000 })
    const body = { organization_id: organizationId, amount_micros: 2_500_000, note: 'invoice 17' }
    const added = await api.ask('POST /credit', { body })
    expect(added).toMatchObject({ status: 200, body: { balance_micros: 3_500_000, held_micros: 0 } })
    expectPublished('adminAddCredit', added.body)
    expect((await api.ask(`GET /credit/${organizationId}`)).body).toEqual(added.body)
    await api.expectSound()
  })

  test.each([0, 0.5, 1e16, '5', null, undefined])('POST /credit 400 for %s micros', async (amount) => {
    const { organizationId } = await api.openTenant({ creditMicros: 1 })
    const body = { organization_id: organizationId, amount_micros: amount }
    expect(await api.ask('POST /credit', { body })).toMatchObject({ status: 400 })
    expect((await api.ask(`GET /credit/${organizationId}`)).body.balance_micros).toBe(1)
  })

  test('DELETE /users/{id} and /organizations/{id} 200 erase names and revoke keys; the ledger stays', async () => {
    const { organizationId, userId, key } = await api.openTenant({ creditMicros: 5_000_000 })
    const user = await api.ask(`DELETE /users/${userId}`)
    expectPublished('adminEraseUser', user.body)
    expect(user).toMatchObject({ status: 200, body: { id: userId, organization_id: organizationId } })
    const erased = await api.ask(`DELETE /organizations/${organizationId}`)
    expectPublished('adminEraseOrganization', erased.body)
    expect(erased).toMatchObject({ status: 200, body: { id: organizationId, groups: [] } })
    const use = await fetch(`${api.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    expect([401, 403]).toContain(use.status)
    const ledger = await api.ask(`GET /ledger?organization_id=${organizationId}`)
    expect(ledger.body.data).toMatchObject([{ kind: 'credit', amount_micros: 5_000_000 }])
    for (const path of ['users', 'organizations'])
      expect(await api.ask(`DELETE /${path}/none`)).toMatchObject({ status: 404 })
  })

  test('POST /models 200 changes prices for the next request, with an audit row', async () => {
    const find = async () => {
      const { body } = await api.ask('GET /models?limit=100')
      return (body.data as { model_id: number; name: string; prices: object[] }[]).find(
        ({ name }) => name === 'vendorC/model-4.1',
      )
    }
    const { model_id, prices = [] } = (await find()) ?? {}
    const dearer = [
      { unit: 'input_token', usd_per_million: 12.5 },
      { unit: 'output_token', usd_per_million: 0.000001 },
    ]
    const changed = await api.ask('POST /models', { body: { model_id, prices: dearer } })
    expectPublished('adminAddModel', changed.body)
    expect(changed).toMatchObject({ status: 200, body: { model_id, change: 'changed' } })
    expect((await find())?.prices).toMatchObject(dearer)
    const audit = await api.ask('GET /audit?action=catalog.apply&limit=1')
    expect(audit.body.data).toMatchObject([{ actor: 'admin key', subject: 'catalog' }])
    const again = await api.ask('POST /models', { body: { model_id, prices: dearer } })
    expect(again.body).toMatchObject({ change: 'unchanged', differences: [] })
    expect(await api.ask('POST /models', { body: { model_id, prices } })).toMatchObject({ status: 200 })
  })

  test.each([
    [[], 'prices'],
    [[{ unit: 'input_token' }], 'usd_per_million'],
    [[{ unit: 'input_token', usd: 1 }], 'usd_per_million'],
    [[{ unit: 'second', usd: 1, usd_per_million: 1 }], 'usd'],
    [[{ unit: 'priority_tier', usd: 1 }], 'times'],
    [[{ unit: 'input_token', usd_per_million: 0.0000001 }], 'decimals'],
    [[{ unit: 'input_token', usd_per_million: -1 }], 'usd_per_million'],
    [[{ unit: 'input_token', usd_per_million: 1, resolution: '720p' }], 'videos'],
    [[{ unit: 'second', usd: 1, resolution: '720' }], 'resolution'],
    [[{ unit: 'hour', usd: 1 }], 'unit'],
    [
      [
        { unit: 'second', usd: 1, resolution: '720p' },
        { unit: 'second', usd: 2, resolution: '720P' },
      ],
      'second',
    ],
  ])('POST /models 400 for %j', async (prices, word) => {
    const { status, body } = await api.ask('POST /models', { body: { model_id: 7, prices } })
    expect(status).toBe(400)
    expect(body.error).toContain(word)
  })

  test('POST /models 404 for a model that is not in the catalog', async () => {
    const prices = [{ unit: 'second', usd: 1 }]
    expect(await api.ask('POST /models', { body: { model_id: 99_999, prices } })).toMatchObject({
      status: 404,
    })
  })

  test('404 for unknown ids', async () => {
    for (const path of [
      'organizations',
      'users',
      'keys',
      'credit',
      'tasks',
      'assets',
      'groups',
      'verifications',
    ]) {
      for (const id of ['none', 'a%20b', 'x'.repeat(65)])
        expect(await api.ask(`GET /${path}/${id}`)).toMatchObject({ status: 404 })
    }
    const none = { organization_id: 'org_none', user_id: 'usr_none', amount_micros: 1 }
    for (const path of ['users', 'keys', 'credit'])
      expect(await api.ask(`POST /${path}`, { body: none })).toMatchObject({ status: 404 })
    for (const path of ['keys', 'operators'])
      expect(await api.ask(`DELETE /${path}/none`)).toMatchObject({ status: 404 })
  })

  test('POST /operators 400 for a name that is or was in use', async () => {
    const made = await api.ask('POST /operators', { body: { name: 'ben', role: 'viewer' } })
    expectPublished('adminCreateOperator', made.body)
    expect(made.body.token).toMatch(/^op-sluice-/)
    await api.ask(`DELETE /operators/${made.body.id}`)
    for (const name of ['ben', ' ben ', 'admin key', 'CLI', 'gateway']) {
      const again = await api.ask('POST /operators', { body: { name, role: 'owner' } })
      expect(again).toMatchObject({ status: 400 })
    }
    const list = await api.ask('GET /operators')
    expectPublished('adminListOperators', list.body)
    expect(list.text).not.toContain(String(made.body.token).slice(20))
  })

  test('every change is an audit row with its actor', async () => {
    const { body: owner } = await api.ask('POST /operators', {
      body: { name: `eve ${engine}`, role: 'owner' },
    })
    const key = String(owner.token)
    const acted = await api.ask('POST /organizations', { key, body: { name: 'By Eve', billing: 'prepaid' } })
    const list = await api.ask(`GET /audit?organization_id=${acted.body.id}`)
    expectPublished('adminListAudit', list.body)
    expect(list.body.data).toEqual([
      expect.objectContaining({
        actor: `eve ${engine}`,
        action: 'organization.create',
        subject: acted.body.id,
      }),
    ])
    const all = await api.ask('GET /audit?limit=2')
    expect(all.body.data).toMatchObject([
      { action: 'organization.create' },
      { actor: 'admin key', action: 'operator.create' },
    ])
  })
})

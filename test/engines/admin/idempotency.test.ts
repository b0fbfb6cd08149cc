import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { NewAudit } from '../../../src/ports/audit.ts'
import type { NewOrganization } from '../../../src/ports/tenants.ts'
import { type AdminApi, ENGINES, startAdminApi } from '../../api/admin/start-admin-api.ts'
import { lendPostgres, lendSqlite } from '../store/lend-store.ts'

describe.each(ENGINES)('an Idempotency-Key on %s', (engine) => {
  let api: AdminApi
  beforeAll(async () => {
    api = await startAdminApi({ engine })
  })
  afterAll(() => api.close())

  test('POST /credit 200: the same request again adds 1,000,000 micros once and gets the first answer', async () => {
    const { organizationId } = await api.openTenant({ creditMicros: 0 })
    const body = { organization_id: organizationId, amount_micros: 1_000_000 }
    const first = await api.ask('POST /credit', { body, idempotencyKey: 'pay 1' })
    await api.ask('POST /credit', { body, idempotencyKey: 'pay 2' })
    const again = await api.ask('POST /credit', { body, idempotencyKey: 'pay 1' })
    expect(again).toMatchObject({ status: 200, body: { balance_micros: 1_000_000 } })
    expect(again.text).toBe(first.text)
    expect((await api.ask(`GET /credit/${organizationId}`)).body.balance_micros).toBe(2_000_000)
  })

  test('POST /keys 200: a repetition shows the same key', async () => {
    const { organizationId, userId } = await api.openTenant()
    const body = { organization_id: organizationId, user_id: userId, name: 'once' }
    const reordered = { name: 'once', user_id: userId, organization_id: organizationId }
    const first = await api.ask('POST /keys', { body, idempotencyKey: 'key 1' })
    const again = await api.ask('POST /keys', { body: reordered, idempotencyKey: 'key 1' })
    expect(again.text).toBe(first.text)
    const list = await api.ask(`GET /keys?organization_id=${organizationId}`)
    expect(list.body.data).toHaveLength(2)
  })

  test('POST 422 with another body or another path', async () => {
    const body = { name: 'one', billing: 'prepaid' }
    const made = await api.ask('POST /organizations', { body, idempotencyKey: 'org 1' })
    for (const call of ['POST /organizations', `POST /organizations/${made.body.id}`]) {
      const other = await api.ask(call, { body: { ...body, name: 'two' }, idempotencyKey: 'org 1' })
      expect(other).toMatchObject({ status: 422 })
    }
    expect((await api.ask(`GET /organizations/${made.body.id}`)).body.name).toBe('one')
  })

  test('POST 404 and 400 free the key', async () => {
    const { organizationId } = await api.openTenant({ creditMicros: 0 })
    const wrong = { organization_id: 'org_none', amount_micros: 1 }
    expect(await api.ask('POST /credit', { body: wrong, idempotencyKey: 'free' })).toMatchObject({
      status: 404,
    })
    expect(await api.ask('POST /credit', { body: {}, idempotencyKey: 'free' })).toMatchObject({ status: 400 })
    const right = { organization_id: organizationId, amount_micros: 1 }
    expect(await api.ask('POST /credit', { body: right, idempotencyKey: 'free' })).toMatchObject({
      status: 200,
    })
  })

  test('POST 400 for an invalid key', async () => {
    const body = { name: 'one', billing: 'prepaid' }
    for (const idempotencyKey of ['', 'x'.repeat(256), '\u00e9'])
      expect(await api.ask('POST /organizations', { body, idempotencyKey })).toMatchObject({ status: 400 })
  })

  test('of eight equal concurrent requests one is carried out; the others get 409 or its answer', async () => {
    const { organizationId } = await api.openTenant({ creditMicros: 0 })
    const body = { organization_id: organizationId, amount_micros: 7 }
    const ask = () => api.ask('POST /credit', { body, idempotencyKey: 'many' })
    const answers = await Promise.all(Array.from({ length: 8 }, ask))
    for (const { status, text } of answers) {
      expect([200, 409]).toContain(status)
      if (status === 409) expect(text).toContain('is still running')
    }
    expect((await api.ask(`GET /credit/${organizationId}`)).body.balance_micros).toBe(7)
    expect(await ask()).toMatchObject({ status: 200, body: { balance_micros: 7 } })
  })

  test('belongs to one operator', async () => {
    const { body: eve } = await api.ask('POST /operators', { body: { name: 'eve', role: 'owner' } })
    const body = { name: 'same', billing: 'prepaid' }
    const one = await api.ask('POST /organizations', { body, idempotencyKey: 'own' })
    const other = await api.ask('POST /organizations', {
      body,
      idempotencyKey: 'own',
      key: String(eve.token),
    })
    expect(other.status).toBe(200)
    expect(other.body.id).not.toBe(one.body.id)
  })
})

describe.each([
  ['sqlite', lendSqlite],
  ['postgres', lendPostgres],
] as const)('the row of an admin request on %s', (_engine, lend) => {
  const CLAIM = { actor: 'ana', keyDigest: 'k', bodyDigest: 'b', leaseUntilMs: 100, expiresAtMs: 1_000 }
  const AUDIT: NewAudit = {
    ...{ id: 'aud_1', atMs: 0, actor: 'ana', action: 'organization.create' },
    ...{ organizationId: null, subject: 'org_1', detail: {}, claimId: 'adm_1' },
  }
  const ORGANIZATION: NewOrganization = {
    ...{ id: 'org_1', name: 'one', billing: 'prepaid', requestsPerMinute: null },
    ...{ encryptedWebhookSecret: 'x', createdAtMs: 0 },
  }

  test('ends in the transaction of the change: after a crash the change is not repeated', async () => {
    const { store, giveBack } = await lend()
    onTestFinished(giveBack)
    expect(await store.adminRequests.claim({ ...CLAIM, id: 'adm_1', nowMs: 0 })).toEqual({ kind: 'claimed' })
    expect(await store.adminRequests.claim({ ...CLAIM, id: 'adm_2', nowMs: 99 })).toEqual({ kind: 'running' })
    await store.organizations.create(ORGANIZATION, AUDIT)
    // The change is stored, and its answer may still come until the lease is over.
    for (const nowMs of [1, 99])
      expect(await store.adminRequests.claim({ ...CLAIM, id: 'adm_2', nowMs })).toEqual({ kind: 'running' })
    for (const nowMs of [100, 999])
      expect(await store.adminRequests.claim({ ...CLAIM, id: 'adm_2', nowMs })).toEqual({ kind: 'done' })
    expect(await store.adminRequests.claim({ ...CLAIM, id: 'adm_2', nowMs: 1_000 })).toEqual({
      kind: 'claimed',
    })
  })

  test('a request that lost its claim changes nothing', async () => {
    const { store, giveBack } = await lend()
    onTestFinished(giveBack)
    await store.adminRequests.claim({ ...CLAIM, id: 'adm_1', nowMs: 0 })
    const taken = await store.adminRequests.claim({ ...CLAIM, id: 'adm_2', nowMs: 100 })
    expect(taken).toEqual({ kind: 'claimed' })
    await expect(store.organizations.create(ORGANIZATION, AUDIT)).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    })
    expect(await store.organizations.list()).toEqual([])
  })

  test('expires a day after its claim', async () => {
    const { store, giveBack } = await lend()
    onTestFinished(giveBack)
    await store.adminRequests.claim({ ...CLAIM, id: 'adm_1', nowMs: 0 })
    await store.adminRequests.finish({ id: 'adm_1', encryptedAnswer: 'sealed' })
    const again = { kind: 'finished', id: 'adm_1', encryptedAnswer: 'sealed' }
    expect(await store.adminRequests.claim({ ...CLAIM, id: 'adm_2', nowMs: 500 })).toEqual(again)
    expect(await store.adminRequests.dropExpired({ nowMs: 999, limit: 10 })).toBe(0)
    expect(await store.adminRequests.dropExpired({ nowMs: 1_000, limit: 10 })).toBe(1)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AdminApi, ENGINES, startAdminApi } from '../../api/admin/start-admin-api.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let api: AdminApi
  beforeAll(async () => {
    api = await startAdminApi({ engine })
  })
  afterAll(() => api.close())

  test('POST /credit: -400,000 micros are 403 for an operator and 200 for an owner; 0 and too much are 400', async () => {
    const { organizationId } = await api.openTenant({ creditMicros: 1_000_000 })
    const body = { organization_id: organizationId, amount_micros: -400_000, note: ' paid back ' }
    const { body: made } = await api.ask('POST /operators', { body: { name: 'cashier', role: 'operator' } })
    const refused = await api.ask('POST /credit', { body, key: String(made.token) })
    expect(refused).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    const taken = await api.ask('POST /credit', { body })
    expect(taken).toMatchObject({ status: 200, body: { balance_micros: 600_000 } })
    const { body: ledger } = await api.ask(`GET /ledger?organization_id=${organizationId}`)
    expect(ledger.data).toMatchObject([{ note: 'paid back' }, {}])
    for (const wrong of [{ amount_micros: 0 }, { amount_micros: -600_001 }, { note: null }])
      expect(await api.ask('POST /credit', { body: { ...body, ...wrong } })).toMatchObject({ status: 400 })
    expect((await api.ask(`GET /credit/${organizationId}`)).body.balance_micros).toBe(600_000)
    await api.expectSound()
  })
})

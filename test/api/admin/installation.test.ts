import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectPublished } from './expect-published.ts'
import { ADMIN_KEY, type AdminApi, startAdminApi, withAdminApi } from './start-admin-api.ts'

let api: AdminApi
beforeAll(async () => {
  api = await startAdminApi()
})
afterAll(() => api.close())

interface Shown {
  name: string
  health: { calls: number; errors: number; last_error: object | null }
}

const providers = async () => (await api.ask('GET /providers')).body.data as Shown[]
const shown = async (name: string) => (await providers()).find((provider) => provider.name === name)

test('GET /providers 200 has the health that this process saw', async () => {
  const list = await api.ask('GET /providers')
  expectPublished('adminListProviders', list.body)
  expect(list.text).not.toContain('sk-')
  const before = await shown('vendorC')
  expect(before).toMatchObject({ health: { breaker: 'closed', keys_resting: 0, last_error: null } })
  await api.vendor.breakDown({ times: 1, fault: { kind: 'status', status: 500 } })
  const body = JSON.stringify({ model: 'vendorC/model-4.1', input: 'hi', max_output_tokens: 20 })
  const headers = { authorization: `Bearer ${api.tenant.key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${api.url}/v1/responses`, { method: 'POST', headers, body })
  expect(answer.ok).toBe(false)
  await api.vendor.clearFaults()
  expect(await shown('vendorC')).toMatchObject({
    health: { errors: 1, last_error: { outcome: '5xx', at: expect.any(String) } },
  })
})

test('POST /providers/{name}/test 200 reports the faults, 404 for an unknown name', async () => {
  const fine = await api.ask('POST /providers/vendorC/test')
  expectPublished('adminTestProvider', fine.body)
  expect(fine).toMatchObject({ status: 200, body: { ok: true } })
  await api.vendor.breakDown({ fault: { kind: 'status', status: 401 } })
  const refused = await api.ask('POST /providers/vendorC/test')
  await api.vendor.clearFaults()
  expectPublished('adminTestProvider', refused.body)
  expect(refused).toMatchObject({ status: 200, body: { ok: false } })
  expect(await api.ask('POST /providers/vendor.Z/test')).toMatchObject({ status: 404 })
})

test('GET /settings 200 shows the current settings, and no secret', async () => {
  const settings = await api.ask('GET /settings')
  expectPublished('adminListSettings', settings.body)
  expect(settings.text).not.toContain(ADMIN_KEY)
  expect(settings.body.data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'ADMIN_API_KEY', value: '[secret]', is_default: false }),
      expect.objectContaining({ name: 'LOG_LEVEL', value: 'silent', is_default: false }),
    ]),
  )
})

test('POST /doctor 200 answers with its checks', async () => {
  const [one, other] = await Promise.all([api.ask('POST /doctor'), api.ask('POST /doctor')])
  expectPublished('adminRunDoctor', one?.body)
  expect(one).toMatchObject({ status: 200 })
  expect(other?.text).toBe(one?.text)
  expect(one?.body.checks).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'runtime', ok: true })]),
  )
})

test('GET /models 200 lists models that cannot be served, with the reason; GET /v1/models leaves them out', async () => {
  const real = await withAdminApi({
    providers:
      'providers: { vendorC: { driver: text, base_url: "SANDBOX/c", api_key: k, models: { model-4.1: responses } } }',
  })
  const list = await real.ask('GET /models?limit=100')
  expectPublished('adminListModels', list.body)
  const rows = list.body.data as { name: string; servable: boolean; reason: string | null }[]
  expect(rows).toContainEqual(
    expect.objectContaining({
      name: 'vendorA/gen-2.0',
      servable: false,
      reason: 'there is no provider "vendorA"',
    }),
  )
  const headers = { authorization: `Bearer ${real.tenant.key}` }
  const offered: unknown = await (await fetch(`${real.url}/v1/models`, { headers })).json()
  const names = Object(offered).data.map(({ id }: { id: string }) => id)
  expect(names).toEqual(['vendorC/model-4.1'])
  expect(names).toEqual(rows.filter(({ servable }) => servable).map(({ name }) => name))
  expect(rows.every(({ servable, reason }) => servable === (reason === null))).toBe(true)
})

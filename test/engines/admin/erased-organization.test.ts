import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { type AdminApi, ENGINES, startAdminApi } from '../../api/admin/start-admin-api.ts'
import type { Tenant } from '../../api/video/tenants.ts'
import { MORNING_MS, sampleAudit } from '../store/sample-rows.ts'

const CHANGES = OPERATIONS.filter(({ access, method }) => access === 'admin' && method !== 'GET').map(
  ({ method, path }) => `${method} ${path}`,
)

/** Bodies that would change a living organization; `$org` and `$user` are the ids of the erased one and its user. */
const REFUSED: Readonly<Record<string, object | undefined>> = {
  'POST /admin/v1/organizations/:id': { name: 'Again Ltd' },
  'POST /admin/v1/organizations/:id/disable': undefined,
  'POST /admin/v1/organizations/:id/enable': undefined,
  'POST /admin/v1/organizations/:id/budget': { monthly_budget_micros: 5_000_000 },
  'POST /admin/v1/organizations/:id/secret': undefined,
  'POST /admin/v1/credit': { organization_id: '$org', amount_micros: 1_000_000 },
  'POST /admin/v1/users': { organization_id: '$org', name: 'Ada' },
  'POST /admin/v1/users/:id/disable': undefined,
  'POST /admin/v1/users/:id/enable': undefined,
  'POST /admin/v1/users/:id/limit': { max_daily_user_limit: '5' },
  'POST /admin/v1/keys': { organization_id: '$org', user_id: '$user' },
  'POST /admin/v1/keys/:id/budget': { monthly_budget_micros: 1_000_000 },
  'POST /admin/v1/keys/:id/rotate': {},
  'POST /admin/v1/aliases': { alias: 'fast', model: 'vendorC/model-4.1', organization_id: '$org' },
  'POST /admin/v1/events/test': { organization_id: '$org' },
  'POST /admin/v1/callbacks/test': { organization_id: '$org', url: 'https://client.example/hook' },
}

const TASKS = 'a task that was accepted before the erasure ends as any other, with its money and its callback'
const ERASES = 'an erasure that was cut short is made again'
const CACHE = 'the cache follows the store, whatever the store says'
const ELSEWHERE = 'it names no organization'
const ACCOUNT = 'an erased organization has no key left that could use its own account at a vendor'

const ALLOWED: Readonly<Record<string, string>> = {
  'POST /admin/quota/cache/sync/organization': CACHE,
  'POST /admin/quota/cache/sync/user': CACHE,
  'POST /admin/quota/cache/sync/model-price': ELSEWHERE,
  'POST /admin/v1/organizations': ELSEWHERE,
  'DELETE /admin/v1/organizations/:id': ERASES,
  'DELETE /admin/v1/users/:id': ERASES,
  'DELETE /admin/v1/groups/:id': ERASES,
  'DELETE /admin/v1/keys/:id': 'its keys are revoked: the row is only read',
  'POST /admin/v1/ledger/refunds': 'the ledger stays, and a wrong charge in it can be corrected',
  'POST /admin/v1/ledger/check': ELSEWHERE,
  'POST /admin/v1/models': ELSEWHERE,
  'PATCH /admin/v1/models/:name': ELSEWHERE,
  'DELETE /admin/v1/models/:name': ELSEWHERE,
  'DELETE /admin/v1/aliases/:alias': 'its aliases went with it',
  'POST /admin/v1/tasks/:id/resume': TASKS,
  'POST /admin/v1/tasks/:id/cancel': TASKS,
  'POST /admin/v1/callbacks/:id/resend': TASKS,
  'POST /admin/v1/events/:id/resend':
    'it goes to the address of the organization, which an erased one no longer has',
  'POST /admin/v1/providers': ACCOUNT,
  'PATCH /admin/v1/providers/:id': ACCOUNT,
  'DELETE /admin/v1/providers/:id': ELSEWHERE,
  'POST /admin/v1/providers/:id/test': ELSEWHERE,
  'POST /admin/v1/doctor': ELSEWHERE,
  'POST /admin/v1/demo': ELSEWHERE,
  'DELETE /admin/v1/demo': ELSEWHERE,
  'POST /admin/v1/operators': ELSEWHERE,
  'DELETE /admin/v1/operators/:id': ELSEWHERE,
}

/** An erased organization is still read: its ledger and its usage stay under its id. */
const READ = [
  'GET /organizations/$org',
  'GET /organizations/$org/budget',
  'GET /credit/$org',
  'GET /users/$user',
  'GET /keys/$key',
  'GET /keys/$key/budget',
]

test('every change of the admin API refuses an erased organization, or has a reason not to', () => {
  expect([...Object.keys(REFUSED), ...Object.keys(ALLOWED)].toSorted()).toEqual(CHANGES.toSorted())
})

describe.each(ENGINES)('an erased organization on %s', (engine) => {
  let api: AdminApi
  let erased: Tenant
  beforeAll(async () => {
    api = await startAdminApi({ engine })
    erased = await api.openTenant({ creditMicros: 5_000_000 })
    expect(await api.ask(`DELETE /organizations/${erased.organizationId}`)).toMatchObject({ status: 200 })
  })
  afterAll(() => api.close())

  const named = (text: string) =>
    text
      .replaceAll('$org', erased.organizationId)
      .replaceAll('$user', erased.userId)
      .replaceAll('$key', erased.keyId)

  function callOf(route: string): string {
    const [, resource] = /\/v1\/(\w+)\/:id/.exec(route) ?? []
    const id = { organizations: '$org', users: '$user', keys: '$key' }[resource ?? '']
    return named(route.replace('/admin/v1', '').replace(':id', id ?? ''))
  }

  const actsSoFar = async () =>
    (await api.ask(`GET /audit?organization_id=${erased.organizationId}&limit=100`)).body.data

  test.each(Object.entries(REFUSED))('%s is refused, and changes nothing', async (route, body) => {
    const rows = () => Promise.all(READ.map((call) => api.ask(named(call))))
    const [before, acts] = [await rows(), await actsSoFar()]
    const sent = body === undefined ? {} : { body: JSON.parse(named(JSON.stringify(body))) }
    const answer = await api.ask(callOf(route), sent)
    // The keys of the organization are revoked, and a revoked key has answers of its own.
    expect(answer.status).toBe(route.endsWith('/rotate') ? 400 : 404)
    expect(answer.text).toMatch(route.includes('/keys/:id') ? /is revoked|There is no key/ : /was erased/)
    expect((await rows()).map(({ body }) => body)).toEqual(before.map(({ body }) => body))
    expect(await actsSoFar()).toEqual(acts)
  })

  test.each(READ)('200 for %s', async (call) => {
    expect(await api.ask(named(call))).toMatchObject({ status: 200 })
  })

  test('its remaining credit can be removed, and a repeated erasure is answered', async () => {
    const taken = {
      entryId: 'ent_back',
      organizationId: erased.organizationId,
      amountMicros: micros(-2_000_000),
    }
    await api.store.ledger.addCredit({ ...taken, note: 'paid back', atMs: MORNING_MS }, sampleAudit())
    const credit = await api.ask(`GET /credit/${erased.organizationId}`)
    expect(credit.body).toMatchObject({ balance_micros: 3_000_000 })
    expect(await api.ask(`DELETE /organizations/${erased.organizationId}`)).toMatchObject({ status: 200 })
    await api.expectSound()
  })
})

describe.each(ENGINES)('an erased user of a living organization on %s', (engine) => {
  let api: AdminApi
  let erased: Tenant
  beforeAll(async () => {
    api = await startAdminApi({ engine })
    erased = await api.openTenant({ creditMicros: 5_000_000 })
    expect(await api.ask(`DELETE /users/${erased.userId}`)).toMatchObject({ status: 200 })
  })
  afterAll(() => api.close())

  const routes = Object.entries(REFUSED).filter(([route]) => /\/users\/|\/keys/.test(route))
  test.each(routes)('%s is refused, and changes nothing', async (route, body) => {
    const named = (text: string) =>
      text.replaceAll('$org', erased.organizationId).replaceAll('$user', erased.userId)
    const rows = async () => {
      const { organizationId, userId } = erased
      const calls = [`users/${userId}`, `keys?organization_id=${organizationId}`]
      const read = await Promise.all(calls.map((call) => api.ask(`GET /${call}`)))
      return read.map(({ body }) => body)
    }
    const before = await rows()
    const id = route.includes('/users/') ? erased.userId : erased.keyId
    const sent = body === undefined ? {} : { body: JSON.parse(named(JSON.stringify(body))) }
    const answer = await api.ask(route.replace('/admin/v1', '').replace(':id', id), sent)
    expect(answer.status).toBe(route.endsWith('/rotate') ? 400 : 404)
    expect(answer.text).toMatch(route.includes('/keys/:id') ? /is revoked|There is no key/ : /was erased/)
    expect(await rows()).toEqual(before)
  })

  test('a user without a name is not an erased one', async () => {
    const { organizationId } = erased
    const made = await api.ask('POST /users', { body: { organization_id: organizationId } })
    const { id } = made.body
    expect(await api.ask(`POST /users/${id}/disable`)).toMatchObject({ status: 200 })
    expect(await api.ask(`POST /users/${id}/enable`)).toMatchObject({ status: 200 })
    const body = { organization_id: organizationId, user_id: id }
    expect(await api.ask('POST /keys', { body })).toMatchObject({ status: 200 })
  })
})

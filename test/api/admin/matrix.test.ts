import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../../src/domain/access/operator-account.ts'
import type { Operation } from '../../../src/http/operation.ts'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { BEHIND_PROXY, newClient } from '../http-edge/new-client.ts'
import { startEdge } from '../http-edge/start-edge.ts'
import { ADMIN_KEY, type AdminApi, startAdminApi } from './start-admin-api.ts'

const ROUTES = OPERATIONS.filter(({ access }) => access === 'admin').map((operation) => ({
  operation,
  route: `${operation.method} ${operation.path}`,
}))

/**
 * Routes that only the role owner may call. Negative credit is not among them: only the body shows it.
 */
const OWNER_ONLY = new Set([
  'POST /admin/v1/demo',
  'DELETE /admin/v1/demo',
  'POST /admin/v1/operators',
  'DELETE /admin/v1/operators/:id',
  'DELETE /admin/v1/organizations/:id',
  'DELETE /admin/v1/users/:id',
  'DELETE /admin/v1/groups/:id',
  'POST /admin/v1/models',
  'PATCH /admin/v1/models/:name',
  'DELETE /admin/v1/models/:name',
  'POST /admin/v1/aliases',
  'DELETE /admin/v1/aliases/:alias',
  'POST /admin/v1/providers',
  'DELETE /admin/v1/providers/:id',
])

const ROLES: readonly Role[] = ['viewer', 'operator', 'owner']

function mayCall(role: Role, route: string): boolean {
  if (role === 'owner') return true
  if (route === 'GET /admin/v1/requests/:id/body') return role === 'operator'
  if (route.startsWith('GET ')) return true
  return role === 'operator' && !OWNER_ONLY.has(route)
}

let api: AdminApi
const tokens: Partial<Record<Role | 'revoked', string>> = {}
const cookies: Partial<Record<Role | 'ended', string>> = {}

beforeAll(async () => {
  api = await startAdminApi({ environment: BEHIND_PROXY })
  for (const name of [...ROLES, 'revoked'] as const) {
    const role = name === 'revoked' ? 'owner' : name
    const { body } = await api.ask('POST /operators', { body: { name: `the ${name}`, role } })
    tokens[name] = String(body.token)
    if (name === 'revoked') await api.ask(`DELETE /operators/${body.id}`)
    else cookies[name] = await signIn(String(body.token))
  }
  cookies.ended = await signIn(ADMIN_KEY)
  await fetch(`${api.url}/admin/v1/session`, {
    ...{ method: 'DELETE', headers: { cookie: cookies.ended, ...SAME_ORIGIN } },
  })
})
afterAll(() => api.close())

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

async function signIn(key: string): Promise<string> {
  const answer = await fetch(`${api.url}/admin/v1/session`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ key }) },
  })
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

const withKey = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { 'x-admin-key': key }

/** Sends a request with an unknown id and an empty object, because the key is checked before the rest. */
async function ask({ method, path, body }: Operation, more: Record<string, string>): Promise<Response> {
  const type = body !== undefined && { 'content-type': 'application/json' }
  const headers = { ...newClient(), ...type, ...more }
  const stop = new AbortController()
  const url = `${api.url}${path.replaceAll(/:\w+/g, 'none')}`
  const sent = body === undefined ? null : '{}'
  const answer = await fetch(url, { method, headers, body: sent, signal: stop.signal })
  const text = answer.headers.get('content-type') === 'text/event-stream' ? '' : await answer.text()
  stop.abort()
  return new Response(text, { status: answer.status })
}

test('only the routes that sign in and out and the files of the console are open', () => {
  const open = OPERATIONS.filter(
    ({ path, access }) => /^\/(admin|console)\b/.test(path) && access === 'open',
  ).map(({ method, path }) => `${method} ${path}`)
  expect(open.toSorted()).toEqual([
    'DELETE /admin/v1/session',
    'GET /admin/v1/session',
    'GET /admin/v1/session/methods',
    'GET /console',
    'GET /console/*',
    'GET /console/oidc',
    'GET /console/oidc/callback',
    'GET /console/sign-in',
    'POST /admin/v1/session',
  ])
})

const LISTS = ROUTES.filter(({ route }) => route.startsWith('GET /admin/v1') && !/:|live/.test(route))

test.each(LISTS)('$route is kept by no cache', async ({ operation: { path } }) => {
  const answer = await fetch(`${api.url}${path}`, { headers: { ...newClient(), ...withKey(ADMIN_KEY) } })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  await answer.body?.cancel()
})

test.each(ROLES)('a session of the role %s sees itself and ends itself', async (role) => {
  const cookie = await signIn(tokens[role] ?? '')
  const own = await fetch(`${api.url}/admin/v1/session`, { headers: { cookie } })
  expect(await own.json()).toMatchObject({ actor: `the ${role}`, role })
  const end = { method: 'DELETE', headers: { cookie, ...SAME_ORIGIN } }
  expect((await fetch(`${api.url}/admin/v1/session`, end)).status).toBe(200)
  expect((await fetch(`${api.url}/admin/v1/session`, { headers: { cookie } })).status).toBe(401)
})

test('every owner-only route is in the table', () => {
  expect(ROUTES.map(({ route }) => route)).toEqual(expect.arrayContaining([...OWNER_ONLY]))
})

async function expectAnswerTo(role: Role, route: string, answer: Response): Promise<void> {
  if (mayCall(role, route)) {
    expect([200, 400, 404]).toContain(answer.status)
  } else {
    expect(answer.status).toBe(403)
    expect(await answer.json()).toEqual({ error: 'forbidden' })
  }
}

describe.each(ROUTES)('$route', ({ operation, route }) => {
  test.each(ROLES)('as %s', async (role) => {
    await expectAnswerTo(role, route, await ask(operation, withKey(tokens[role])))
  })

  test('with the admin key', async () => {
    expect([200, 400, 404]).toContain((await ask(operation, withKey(ADMIN_KEY))).status)
  })

  test.each([
    ['no key', () => undefined],
    ['an empty key', () => ''],
    ['a wrong key', () => 'wrong'],
    ['an API key', () => api.tenant.key],
    ['a revoked token', () => tokens.revoked],
    [
      'a token with a wrong end',
      () => `${tokens.owner?.slice(0, -1)}${tokens.owner?.endsWith('A') ? 'B' : 'A'}`,
    ],
    ['an API key that begins like a token', () => api.tenant.key.replace('sk-', 'op-')],
  ])('401 with %s', async (_what, keyOf) => {
    const answer = await ask(operation, withKey(keyOf()))
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual({ error: 'unauthorized' })
  })
})

const isForBrowsers = ({ operation }: (typeof ROUTES)[number]) => operation.path.startsWith('/admin/v1/')

describe.each(ROUTES.filter(isForBrowsers))('$route by cookie', ({ operation, route }) => {
  test.each(ROLES)('as %s', async (role) => {
    const answer = await ask(operation, { cookie: cookies[role] ?? '', ...SAME_ORIGIN })
    await expectAnswerTo(role, route, answer)
  })

  test('401 with a session that has ended', async () => {
    expect((await ask(operation, { cookie: cookies.ended ?? '', ...SAME_ORIGIN })).status).toBe(401)
  })
})

test.each(ROUTES.filter((row) => isForBrowsers(row) && row.operation.method !== 'GET'))(
  'CSRF: 403 for $route from a page of another site, with an owner as the victim',
  async ({ operation }) => {
    const cookie = cookies.owner ?? ''
    const origins: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ]
    for (const from of origins) {
      const answer = await ask(operation, { cookie, ...from })
      expect(answer.status).toBe(403)
      expect(await answer.json()).toEqual({ error: 'forbidden' })
    }
  },
)

test.each(ROUTES.filter((row) => !isForBrowsers(row)))('401 for $route by cookie', async ({ operation }) => {
  expect((await ask(operation, { cookie: cookies.owner ?? '', ...SAME_ORIGIN })).status).toBe(401)
})

test('404 on every route while ADMIN_API_KEY is unset, also for tokens', async () => {
  const edge = await startEdge({ admin: undefined })
  for (const { operation } of ROUTES) {
    for (const key of [undefined, ADMIN_KEY, tokens.owner]) {
      const headers = key === undefined ? {} : { 'x-admin-key': key }
      const url = `${edge.url}${operation.path.replaceAll(/:\w+/g, 'none')}`
      const answer = await fetch(url, { method: operation.method, headers })
      expect(answer.status).toBe(404)
      expect(await answer.json()).toEqual({ error: 'admin endpoints disabled' })
    }
  }
  await edge.close()
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../../src/domain/access/operator-account.ts'
import type { Operation } from '../../../src/http/operation.ts'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { startEdge } from '../http-edge/start-edge.ts'
import { ADMIN_KEY, type AdminApi, startAdminApi } from './start-admin-api.ts'

const ROUTES = OPERATIONS.filter(({ access }) => access === 'admin').map((operation) => ({
  operation,
  route: `${operation.method} ${operation.path}`,
}))

/** What an operator may not do: operators, prices, erasing. Negative credit shows in the body only. */
const OWNER_ONLY = new Set([
  'POST /admin/v1/operators',
  'DELETE /admin/v1/operators/:id',
  'DELETE /admin/v1/organizations/:id',
  'DELETE /admin/v1/users/:id',
  'DELETE /admin/v1/groups/:id',
  'POST /admin/v1/models',
])

const ROLES: readonly Role[] = ['viewer', 'operator', 'owner']

function mayCall(role: Role, route: string): boolean {
  if (role === 'owner' || route.startsWith('GET ')) return true
  return role === 'operator' && !OWNER_ONLY.has(route)
}

let api: AdminApi
const tokens: Partial<Record<Role | 'revoked', string>> = {}

beforeAll(async () => {
  api = await startAdminApi()
  for (const name of [...ROLES, 'revoked'] as const) {
    const role = name === 'revoked' ? 'owner' : name
    const { body } = await api.ask('POST /operators', { body: { name: `the ${name}`, role } })
    tokens[name] = String(body.token)
    if (name === 'revoked') await api.ask(`DELETE /operators/${body.id}`)
  }
})
afterAll(() => api.close())

/** Asks as little as the route takes: what is wrong besides the key is found later. */
async function ask({ method, path, body }: Operation, key: string | undefined): Promise<Response> {
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  if (key !== undefined) headers['x-admin-key'] = key
  const stop = new AbortController()
  const url = `${api.url}${path.replaceAll(/:\w+/g, 'none')}`
  const sent = body === undefined ? null : '{}'
  const answer = await fetch(url, { method, headers, body: sent, signal: stop.signal })
  const text = answer.headers.get('content-type') === 'text/event-stream' ? '' : await answer.text()
  stop.abort()
  return new Response(text, { status: answer.status })
}

test('every owner-only route is in the table', () => {
  expect(ROUTES.map(({ route }) => route)).toEqual(expect.arrayContaining([...OWNER_ONLY]))
})

describe.each(ROUTES)('$route', ({ operation, route }) => {
  test.each(ROLES)('as %s', async (role) => {
    const answer = await ask(operation, tokens[role])
    if (mayCall(role, route)) {
      expect([200, 400, 404]).toContain(answer.status)
    } else {
      expect(answer.status).toBe(403)
      expect(await answer.json()).toEqual({ error: 'forbidden' })
    }
  })

  test('with the admin key', async () => {
    expect([200, 400, 404]).toContain((await ask(operation, ADMIN_KEY)).status)
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
    const answer = await ask(operation, keyOf())
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual({ error: 'unauthorized' })
  })
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

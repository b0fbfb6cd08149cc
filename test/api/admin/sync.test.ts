import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { createAdminAccess } from '../../../src/http/admin/admin-key-check.ts'
import { readForwarded } from '../../../src/http/server/forwarded.ts'
import { expectError } from '../http-edge/answer.ts'
import { adminEdges } from '../http-edge/ask-admin.ts'
import { ADMIN_KEY } from '../http-edge/memory-app.ts'

const askAdmin = adminEdges()

const IDS = ['""', '"  "', '7', 'true', 'null', '["x"]', '{"id":"x"}']
const WHOLE = ['"7"', '0', '-0', '-7', '7.5', '1e400', '9007199254740992', 'true', 'null', '[7]', '{}', '""']

/** Differences between the three operations: the field, a good value, bad values, and the message for them. */
const SYNCS: {
  route: Parameters<typeof askAdmin>[0]
  operation: string
  field: string
  id: string | number
  bad: string[]
  said: string
}[] = [
  {
    route: 'user',
    operation: 'syncUser',
    field: 'user_id',
    id: 'usr_1',
    bad: IDS,
    said: 'user_id is required',
  },
  {
    route: 'organization',
    operation: 'syncOrganization',
    field: 'organization_id',
    id: 'org_1',
    bad: IDS,
    said: 'organization_id is required',
  },
  {
    route: 'model-price',
    operation: 'syncModelPrice',
    field: 'model_id',
    id: 7,
    bad: WHOLE,
    said: 'model_id must be a positive integer',
  },
]

describe.each(SYNCS)('/admin/quota/cache/sync/$route', ({ route, operation, field, id, bad, said }) => {
  const body = { [field]: id }

  test('POST 200: syncs', async () => {
    const { ask, synced } = await askAdmin(route)
    const answer = await ask({ ...body, other: 'ignored' })
    expect(answer).toMatchObject({ status: 200, body: JSON.stringify({ ok: true, ...body }) })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(synced).toEqual([id])
  })

  test.each([
    '{}',
    '[]',
    'null',
    '7',
    JSON.stringify(field),
    JSON.stringify([body]),
    `{"__proto__":${JSON.stringify(body)}}`,
    ...bad.map((value) => `{"${field}":${value}}`),
  ])('POST 400: %s names nothing', async (given) => {
    const { ask, synced } = await askAdmin(route)
    const answer = await ask(given)
    expectError(answer, 'admin', 400)
    expect(JSON.parse(answer.body)).toEqual({ error: said })
    expect(synced).toEqual([])
  })

  test.each(['', '{', `{"${field}":}`, '\ufeff{}'])('POST 400: %j is no JSON', async (given) => {
    const { ask, synced } = await askAdmin(route)
    const answer = await ask(given)
    expectError(answer, 'admin', 400)
    const place = given === '' ? '' : ` \\(line 1, column \\d+\\)`
    expect(answer.body).toMatch(new RegExp(`^\\{"error":"body must be valid JSON${place}"\\}$`))
    expect(synced).toEqual([])
  })

  test('POST 400: the message names U+0000', async () => {
    const { ask, synced } = await askAdmin(route)
    const answer = await ask(`{"${field}":"\\u0000"}`)
    expectError(answer, 'admin', 400)
    expect(answer.body).toBe('{"error":"body must not contain U+0000 or lone surrogates"}')
    expect(synced).toEqual([])
  })

  test.each([undefined, '', 'wrong'])('POST 401: the key %s is refused', async (key) => {
    const { ask, synced } = await askAdmin(route)
    const answer = await ask(body, { key })
    expectError(answer, 'admin', 401)
    expect(answer.body).toBe('{"error":"unauthorized"}')
    expect(synced).toEqual([])
  })

  test.each(['POST', 'GET', 'DELETE'])('%s 404: without an admin key of the deployment', async (method) => {
    const { ask, synced } = await askAdmin(route, { admin: undefined })
    const answer = await ask(body, { method })
    expectError(answer, 'admin', 404)
    expect(answer.body).toBe('{"error":"admin endpoints disabled"}')
    expect(synced).toEqual([])
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s 405: the client is told to use POST', async (method) => {
    const { ask, synced } = await askAdmin(route)
    const answer = await ask('[', { method })
    expectError(answer, 'admin', 405)
    expect(answer.headers.allow).toBe('POST')
    expect(synced).toEqual([])
  })

  test.each([
    new ApiError('store_unavailable', { message: 'secret words' }),
    new ApiError('internal_error', { message: 'secret words' }),
    new Error('secret words'),
    'secret words',
  ])('POST 500: %s fails the sync, which is logged', async (thrown) => {
    const { ask, lines } = await askAdmin(route, { sync: () => Promise.reject(thrown) })
    const answer = await ask(body)
    expectError(answer, 'admin', 500)
    expect(answer.body).toBe('{"error":"sync failed"}')
    expect(lines().filter(({ level }) => level === 'error')).toMatchObject([
      { event: 'request.failed', fields: { operation, error: thrown } },
    ])
  })

  test('POST 500: a sync that takes too long is given up', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const access = createAdminAccess({
      adminApiKey: ADMIN_KEY,
      forwarded: readForwarded([]),
      clock: systemClock,
    })
    const admin = { ...access, requestMsMax: 20 }
    const { ask } = await askAdmin(route, { admin, sync: () => promise })
    const answer = await ask(body)
    resolve()
    expectError(answer, 'admin', 500)
    expect(answer.body).toBe('{"error":"sync timed out"}')
  })

  test('POST 503: there is no quota service', async () => {
    const { ask } = await askAdmin(route, { wired: false })
    const answer = await ask(body)
    expectError(answer, 'admin', 503)
    expect(answer.body).toBe('{"error":"quota service not wired"}')
  })
})

test.each(['user', 'organization'] as const)(
  'POST 200: an id of %s may hold any character',
  async (route) => {
    const { ask, synced } = await askAdmin(route)
    const body = { [`${route}_id`]: '} \u6c34 "*"' }
    expect(JSON.parse((await ask(body)).body)).toEqual({ ok: true, ...body })
    expect(synced).toEqual(Object.values(body))
  },
)

test('POST 400: an invalid limit is refused with the words of the contract', async () => {
  const message = 'enable_limit=true requires max_daily_user_limit > 0'
  const { ask } = await askAdmin('user', {
    sync: () => Promise.reject(new ApiError('invalid_parameter', { message })),
  })
  const answer = await ask({ user_id: 'usr_1' })
  expectError(answer, 'admin', 400)
  expect(JSON.parse(answer.body)).toEqual({ error: message })
})

test.each([1, 2_147_483_648, Number.MAX_SAFE_INTEGER])('POST 200: %i is a model id', async (modelId) => {
  const { ask, synced } = await askAdmin('model-price')
  expect(await ask({ model_id: modelId })).toMatchObject({ status: 200 })
  expect(synced).toEqual([modelId])
})

test.each(['7.0', '70e-1'])('POST 200: a model id may be spelled %s', async (spelled) => {
  const { ask, synced } = await askAdmin('model-price')
  expect(await ask(`{"model_id":${spelled}}`)).toMatchObject({
    status: 200,
    body: '{"ok":true,"model_id":7}',
  })
  expect(synced).toEqual([7])
})

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../../../src/domain/api-error.ts'
import { createAdminKeyCheck } from '../../../src/http/admin/admin-key-check.ts'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { expectError } from './answer.ts'
import { ADMIN_KEY, KEY, memoryApp } from './memory-app.ts'
import { openRaw, sendRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

/** Routes of the contract; `test/api/admin` has the matrix of the others. */
const ROUTES = OPERATIONS.filter(({ path }) => path.startsWith('/admin/quota/'))
const BODY = '{"organization_id":"org_1","user_id":"usr_1","model_id":1}'

/** Wrong keys are counted by the minute. */
const MINUTE_MS = 60_000

function request(method: string, target: string, headers = '', body = BODY): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}${length}\r\n${body}`
}

describe('the admin key', () => {
  const asked: string[] = []
  let edge: Edge
  beforeAll(async () => {
    const note = async (id: string | number) => void asked.push(String(id))
    const quotaSync = { organization: note, user: note, modelPrice: note }
    edge = await startEdge({ app: memoryApp({ quotaSync }) })
  })
  afterAll(() => edge.close())

  const ask = async (text: string) => {
    edge.advance(MINUTE_MS)
    const [answer] = await sendRaw(edge.port, text)
    if (answer === undefined) throw new Error('no answer')
    return answer
  }

  test('guards all three routes', () => {
    expect(ROUTES.map(({ path }) => path)).toEqual([
      '/admin/quota/cache/sync/organization',
      '/admin/quota/cache/sync/user',
      '/admin/quota/cache/sync/model-price',
    ])
  })

  test.each(ROUTES)('opens $path', async ({ path }) => {
    expect(await ask(request('POST', path, `X-Admin-Key: ${ADMIN_KEY}\r\n`))).toMatchObject({ status: 200 })
    expect(await ask(request('POST', path, `x-admin-key:${ADMIN_KEY}  \r\n`))).toMatchObject({ status: 200 })
    expect(asked.splice(0)).toHaveLength(2)
  })

  test.each([
    ['none', ''],
    ['an empty one', 'X-Admin-Key:\r\n'],
    ['a wrong one', 'X-Admin-Key: wrong\r\n'],
    ['a part of it', `X-Admin-Key: ${ADMIN_KEY.slice(0, -1)}\r\n`],
    ['more than it', `X-Admin-Key: ${ADMIN_KEY}x\r\n`],
    ['it twice', `X-Admin-Key: ${ADMIN_KEY}\r\nX-Admin-Key: ${ADMIN_KEY}\r\n`],
    ['it and another', `X-Admin-Key: ${ADMIN_KEY}\r\nX-Admin-Key: wrong\r\n`],
    ['it as a list', `X-Admin-Key: ["${ADMIN_KEY}"]\r\n`],
    ['it in another header', `Authorization: Bearer ${ADMIN_KEY}\r\nX-Api-Key: ${ADMIN_KEY}\r\n`],
    ['an API key', `Authorization: Bearer ${KEY}\r\nX-Admin-Key: ${KEY}\r\n`],
    ['another case', `X-Admin-Key: ${ADMIN_KEY.toUpperCase()}\r\n`],
  ])('that is missing or malformed, %s, is 401 before the body is read', async (_what, headers) => {
    for (const { path } of ROUTES) {
      for (const method of ['POST', 'GET', 'PUT', 'OPTIONS']) {
        const answer = await ask(request(method, path, headers, '['))
        expectError(answer, 'admin', 401)
        expect(answer.body).toBe('{"error":"unauthorized"}')
        expect(answer.headers['www-authenticate']).toBe('X-Admin-Key')
      }
    }
    expect(asked).toEqual([])
  })

  test('is required under every spelling of the path', async () => {
    const [, user] = ROUTES
    if (user === undefined) throw new Error('no route')
    for (const target of [
      '/%61dmin/quota/cache/sync/user',
      '/admin/quota/cache/sync/%75ser',
      '//admin/quota/cache/sync/user',
      '/admin//quota/cache/sync/user',
      '/./admin/quota/cache/sync/user',
      '/v1/../admin/quota/cache/sync/user',
      '/ADMIN/quota/cache/sync/user',
      '/admin/quota/cache/sync/user/',
      '/admin/quota/cache/sync/user;x',
      '/admin%2fquota/cache/sync/user',
      '/%2561dmin/quota/cache/sync/user',
      'http://x/admin/quota/cache/sync/user',
      '/admin/quota/cache/sync/user?x=1',
    ]) {
      for (const headers of ['', 'X-Admin-Key: wrong\r\n']) {
        expect([401, 404]).toContain((await ask(request('POST', target, headers))).status)
      }
    }
    expect(asked).toEqual([])
  })

  test('is never written anywhere', async () => {
    const failing = await startEdge({
      app: memoryApp({
        quotaSync: {
          organization: () => Promise.reject(new ApiError('store_unavailable')),
          user: () => Promise.reject(new Error('oops')),
          modelPrice: async () => {},
        },
      }),
    })
    const texts: string[] = []
    for (const { path } of ROUTES) {
      for (const key of [ADMIN_KEY, `${ADMIN_KEY}-typo`]) {
        const answers = await sendRaw(failing.port, request('POST', path, `X-Admin-Key: ${key}\r\n`))
        texts.push(JSON.stringify(answers))
      }
    }
    await failing.close()
    expect(JSON.stringify([texts, failing.lines, failing.requests, failing.finished])).not.toContain(
      ADMIN_KEY,
    )
  })

  test('is required before a request uses a slot', async () => {
    const own = await startEdge({ limits: { inFlightMax: 1 } })
    onTestFinished(() => own.close())
    const open = ROUTES.map(({ path }) => {
      const connection = openRaw(own.port)
      connection.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Admin-Key: wrong\r\nContent-Length: 99\r\n\r\n{`,
      )
      return connection
    })
    onTestFinished(() => {
      for (const { socket } of open) socket.destroy()
    })
    for (const connection of open) await connection.sees('unauthorized')
    const [answer] = await sendRaw(
      own.port,
      request('POST', ROUTES[0]?.path ?? '', `X-Admin-Key: ${ADMIN_KEY}\r\n`),
    )
    expect(answer).toMatchObject({ status: 200 })
    expect(own.shed.count).toBe(0)
  })

  test('does not exempt a request from load shedding', async () => {
    const letGo = Promise.withResolvers<void>()
    let arrivals = 0
    const slow = () => {
      arrivals += 1
      return letGo.promise
    }
    const own = await startEdge({
      limits: { inFlightMax: 1 },
      app: memoryApp({ quotaSync: { organization: slow, user: slow, modelPrice: slow } }),
    })
    onTestFinished(() => own.close())
    const text = request('POST', ROUTES[0]?.path ?? '', `X-Admin-Key: ${ADMIN_KEY}\r\n`)
    const first = sendRaw(own.port, text)
    await expect.poll(() => arrivals).toBe(1)
    const [shed] = await sendRaw(own.port, text)
    if (shed === undefined) throw new Error('no answer')
    expectError(shed, 'admin', 503)
    letGo.resolve()
    expect(await first).toMatchObject([{ status: 200 }])
  })
})

describe('without an admin key', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({ admin: undefined })
  })
  afterAll(() => edge.close())

  test.each(ROUTES)('$path is 404 for every method and every key', async ({ path }) => {
    for (const method of ['POST', 'GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
      for (const headers of ['', `X-Admin-Key: ${ADMIN_KEY}\r\n`, 'X-Admin-Key:\r\n']) {
        const [answer] = await sendRaw(edge.port, request(method, path, headers, '['))
        if (answer === undefined) throw new Error('no answer')
        expectError(answer, 'admin', 404)
        expect(answer.body).toBe('{"error":"admin endpoints disabled"}')
      }
    }
  })
})

test('a key is compared as a whole', () => {
  const isKey = createAdminKeyCheck('0123456789abcdef')
  expect(isKey('0123456789abcdef')).toBe(true)
  for (const other of ['', '0123456789abcde', '0123456789abcdef0', '0123456789ABCDEF', '\u0000'])
    expect(isKey(other)).toBe(false)
})

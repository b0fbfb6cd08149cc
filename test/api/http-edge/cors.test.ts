import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { corsFor } from '../../../src/http/server/cors.ts'
import { ECHOES } from './echo-operations.ts'
import { KEY } from './memory-app.ts'
import { sendRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

const LISTED = 'https://a.example'
const OTHER = 'https://other.example'
const PREFLIGHT = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type,x-stainless-lang',
}
const ALLOWED = {
  'access-control-allow-origin': LISTED,
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
  'access-control-allow-headers': 'authorization,content-type,x-stainless-lang',
  'access-control-max-age': '7200',
  vary: 'Origin',
}
const READABLE = {
  'access-control-allow-origin': LISTED,
  'access-control-expose-headers': '*',
  vary: 'Origin',
}

let on: Edge
let off: Edge
beforeAll(async () => {
  const operations = [...OPERATIONS, ...ECHOES]
  on = await startEdge({ operations, cors: corsFor([LISTED, 'http://localhost:3000']) })
  off = await startEdge({ operations, cors: corsFor([]) })
})
afterAll(() => Promise.all([on.close(), off.close()]))

/** Asks with `node:http`, because `fetch` does not send these headers. */
function ask(edge: Edge, method: string, path: string, headers: Record<string, string>, body?: string) {
  return new Promise<{ status: number | undefined; cors: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const sent = request(`${edge.url}${path}`, { method, headers }, async (reply) => {
        let text = ''
        for await (const part of reply) text += part
        const named = Object.entries(reply.headers).filter(
          ([name]) => name.startsWith('access-control-') || name === 'vary',
        )
        resolve({ status: reply.statusCode, cors: Object.fromEntries(named), body: text })
      })
      sent.on('error', reject)
      sent.end(body)
    },
  )
}

describe('a preflight is 204', () => {
  test.each([
    '/v1/messages',
    '/v1/video/generations',
    '/v1/video/generations/x',
    '/metrics',
    '/no/such/path',
  ])('on %s, with headers for a listed origin only', async (path) => {
    const listed = await ask(on, 'OPTIONS', path, { origin: LISTED, ...PREFLIGHT })
    expect(listed).toEqual({ status: 204, cors: ALLOWED, body: '' })
    const other = await ask(on, 'OPTIONS', path, { origin: OTHER, ...PREFLIGHT })
    expect(other).toEqual({ status: 204, cors: { vary: 'Origin' }, body: '' })
    const unset = await ask(off, 'OPTIONS', path, { origin: LISTED, ...PREFLIGHT })
    expect(unset).toEqual({ status: 204, cors: {}, body: '' })
  })

  test.each([
    '/admin/v1/organizations',
    '/admin/nowhere',
    '/console',
    '/console/x',
    '/%61dmin/v1/keys',
    '//console',
  ])('without headers on %s', async (path) => {
    for (const edge of [on, off]) {
      const reply = await ask(edge, 'OPTIONS', path, { origin: LISTED, ...PREFLIGHT })
      expect(reply).toEqual({ status: 204, cors: {}, body: '' })
    }
  })

  test('and is counted under its own name', async () => {
    on.finished.length = 0
    await ask(on, 'OPTIONS', '/v1/messages', { origin: LISTED, ...PREFLIGHT })
    expect(on.finished).toMatchObject([{ operation: 'preflight', method: 'OPTIONS', status: 204 }])
  })

  test.each([
    ['an origin', PREFLIGHT],
    ['a method', { origin: LISTED }],
  ])('but OPTIONS without %s is still 401 without a key', async (_name, headers: Record<string, string>) => {
    expect((await ask(on, 'OPTIONS', '/v1/messages', headers)).status).toBe(401)
  })
})

const key = { authorization: `Bearer ${KEY}` }
const json = { ...key, 'content-type': 'application/json' }

describe('a page of a listed origin can read', () => {
  test.each([
    ['a reply', 200, 'GET', '/v1/models', key, undefined],
    ['a reply that is written as text is', 200, 'POST', '/v1/messages/echo', json, '{}'],
    ['a 401', 401, 'GET', '/v1/models', {}, undefined],
    ['a 404 of an unknown path', 404, 'GET', '/no/such/path', key, undefined],
    ['a 405', 405, 'PUT', '/v1/models', key, undefined],
    ['a 400 about the body', 400, 'POST', '/v1/messages/echo', json, '{'],
    ['a 413 whose body is not read', 413, 'POST', '/v1/video/echo', json, `"${'x'.repeat(1024 * 1024)}"`],
  ])('%s', async (_name, status, method, path, headers: Record<string, string>, body) => {
    const listed = await ask(on, method, path, { ...headers, origin: LISTED }, body)
    expect(listed).toMatchObject({ status, cors: READABLE })
    expect(listed.cors).toEqual(READABLE)
    expect((await ask(on, method, path, { ...headers, origin: OTHER }, body)).cors).toEqual({
      vary: 'Origin',
    })
    expect((await ask(on, method, path, headers, body)).cors).toEqual({ vary: 'Origin' })
    expect((await ask(off, method, path, { ...headers, origin: LISTED }, body)).cors).toEqual({})
  })

  test('a page that also varies by another header', async () => {
    const { cors } = await ask(on, 'GET', '/', { origin: LISTED, accept: 'text/html' })
    expect(cors).toEqual({ ...READABLE, vary: 'Accept, Origin' })
  })

  test('not on paths of operators', async () => {
    for (const path of ['/admin/v1/organizations', '/admin/nowhere', '/ADMIN/v1/keys', '/console']) {
      const { cors } = await ask(on, 'GET', path, { origin: LISTED })
      expect(cors).not.toHaveProperty('access-control-allow-origin')
      expect(String(cors.vary)).not.toContain('Origin')
    }
  })

  test.each([
    ['an unfinished chunk', 'POST /v1/messages/echo', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['a malformed header', 'POST /v1/messages', 'No header\r\n\r\n'],
    ['headers that are too large', 'GET /v1/models', `X-Much: ${'x'.repeat(60_000)}\r\n\r\n`],
  ])('an answer that is written directly to the socket, for %s', async (_name, line, rest) => {
    const corsOf = async (edge: Edge, origin: string, start = line) => {
      const head = `${start} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nOrigin: ${origin}\r\n`
      const [reply] = await sendRaw(edge.port, `${head}${rest}`)
      expect([400, 431]).toContain(reply?.status)
      const named = Object.entries(reply?.headers ?? {})
      return Object.fromEntries(
        named.filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
      )
    }
    expect(await corsOf(on, LISTED)).toEqual(READABLE)
    expect(await corsOf(on, OTHER)).toEqual({ vary: 'Origin' })
    expect(await corsOf(on, LISTED, 'POST /admin/v1/keys')).toEqual({})
    expect(await corsOf(off, LISTED)).toEqual({})
  })
})

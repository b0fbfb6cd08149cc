import { METHODS } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { expectError } from './answer.ts'
import { BODYLESS, ECHOES } from './echo-operations.ts'
import { ADMIN_KEY, KEY } from './memory-app.ts'
import { sendRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

/** Wrong admin keys are counted by the minute. */
const MINUTE_MS = 60_000

const TABLE = [...OPERATIONS, ...ECHOES, ...BODYLESS]
const PATHS = [...Map.groupBy(TABLE, ({ path }) => path)].map(([path, onPath]) => {
  const methods = onPath.map<string>(({ method }) => method)
  return { path, first: onPath[0], allowed: methods.includes('GET') ? [...methods, 'HEAD'] : methods }
})

describe('a method that a path does not take', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({ operations: TABLE })
  })
  afterAll(() => edge.close())

  const ask = async (method: string, path: string, key = KEY, more = '') => {
    const keys = `Authorization: Bearer ${key}\r\nX-Admin-Key: ${key === KEY ? ADMIN_KEY : key}\r\n`
    const head = `Host: x\r\nConnection: close\r\n${keys}`
    edge.advance(MINUTE_MS)
    const [answer] = await sendRaw(edge.port, `${method} ${path} HTTP/1.1\r\n${head}${more}\r\n`)
    if (answer === undefined) throw new Error('no answer')
    return answer
  }

  test.each(PATHS)('on $path is 405 with the allowed methods', async ({ path, first, allowed }) => {
    for (const method of METHODS.filter((name) => name !== 'CONNECT' && !allowed.includes(name))) {
      const answer = await ask(method, path)
      // An answer to HEAD has no body to look at.
      if (method === 'HEAD') expect(answer.status).toBe(405)
      else expectError(answer, first?.area ?? 'video', 405, 'method_not_allowed')
      expect(answer.headers.allow?.split(', ').toSorted()).toEqual(allowed.toSorted())
    }
  })

  test.each(PATHS.filter(({ first }) => first?.access !== 'open'))(
    'on $path is reported only to clients with a valid key',
    async ({ path, first }) => {
      for (const method of ['PUT', 'PURGE', 'PROPFIND', 'QUERY', 'OPTIONS']) {
        expectError(await ask(method, path, 'wrong'), first?.area ?? 'video', 401, 'invalid_api_key')
      }
    },
  )

  test.each(['/v1/models', '/no/such/path', '/%zz'])('on %s is logged unchanged', async (path) => {
    for (const method of ['PUT', 'PROPFIND', 'OPTIONS', 'HEAD']) {
      edge.requests.length = 0
      await ask(method, path)
      await expect.poll(() => edge.requests.map((request) => request.method)).toEqual([method])
    }
  })

  test('is refused before its body is read', async () => {
    const answer = await ask('PUT', '/v1/models', KEY, 'Content-Type: nonsense\r\nContent-Length: 0\r\n')
    expectError(answer, 'responses', 405)
  })

  test('HEAD answers as GET does, without the body', async () => {
    const [get, head] = [await ask('GET', '/v1/models'), await fetch(`${edge.url}/v1/models`, headRequest())]
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.body)))
    expect(await head.text()).toBe('')
    expect((await fetch(`${edge.url}/healthz`, { method: 'HEAD' })).status).toBe(200)
  })

  test('CONNECT is answered like another method, and never with a tunnel', async () => {
    const [answer, ...more] = await sendRaw(edge.port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, 'video', 405, 'method_not_allowed')
    expect(more).toEqual([])
  })
})

function headRequest(): RequestInit {
  return { method: 'HEAD', headers: { authorization: `Bearer ${KEY}` } }
}

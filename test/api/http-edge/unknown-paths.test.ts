import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from './answer.ts'
import { openRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

describe('an unknown address', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  const ask = async (method: string, target: string, headers = '', body = '') => {
    const connection = openRaw(edge.port)
    connection.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n${body}`)
    const [answer] = await connection.answers()
    if (answer === undefined) throw new Error('no answer')
    return answer
  }

  test.each(['/chat/completions', '/chat/completions?x=1'])(
    'POST %s names the right path',
    async (target) => {
      const answer = await ask('POST', target, 'Content-Length: 2\r\n', '{}')
      expectError(answer, 'video', 404, 'not_found')
      expect(JSON.stringify(answer.body)).toMatch(/POST \/v1\/chat\/completions/)
    },
  )

  test.each([
    ['*', 'video'],
    ['/nothing', 'video'],
    ['/v1/video/nothing', 'video'],
    ['/v2/messages', 'video'],
    ['/v1/messages/nothing', 'messages'],
    ['/v1/chat/completions/nothing', 'chat'],
    ['/v1/messages/', 'messages'],
    ['/v1/responses/nothing/else?x=/admin', 'responses'],
    ['/admin', 'admin'],
    ['/admin/quota', 'admin'],
    ['/%61dmin/quota', 'admin'],
    ['//admin/quota', 'admin'],
    ['//v1//responses', 'responses'],
    ['http://elsewhere/admin', 'admin'],
    ['//v1/models', 'video'],
    ['/V1/MODELS', 'video'],
    ['/v1/models%2f', 'video'],
    ['/v1%2fmodels', 'video'],
    ['/./healthz', 'video'],
    ['/x/../healthz', 'video'],
    ['/healthz;x', 'video'],
  ] as const)('%s is 404 in the words of %s', async (target, area) => {
    expectError(await ask('GET', target), area, 404, 'not_found')
  })

  test('is 404 for every method and body', async () => {
    const body = 'Content-Type: text/plain\r\nContent-Length: 4\r\n'
    for (const method of ['POST', 'PUT', 'DELETE', 'PROPFIND', 'QUERY', 'OPTIONS', 'PURGE', 'TRACE']) {
      expectError(await ask(method, '/nothing', body, 'oops'), 'video', 404, 'not_found')
    }
  })

  test('is counted as unknown', async () => {
    await ask('GET', '/some/secret/address')
    expect(edge.finished.at(-1)).toMatchObject({ operation: 'unknown', method: 'GET', status: 404 })
    expect(JSON.stringify([edge.lines, edge.requests])).not.toContain('secret')
  })

  test.each(['/%', '/%zz', '/%ff', '/v1/models/%e0%a4', 'no-slash'])(
    '%s is no address at all',
    async (target) => {
      const answer = await ask('GET', target)
      expectError(answer, 'video', 400, 'malformed_request')
      expect(edge.finished.at(-1)).toMatchObject({ operation: 'unknown', status: 400 })
    },
  )

  test('that is malformed is answered in the dialect of its path', async () => {
    expectError(await ask('GET', '/v1/messages/%zz'), 'messages', 400)
  })
})

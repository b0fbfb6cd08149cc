import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import type { Answer } from './answer.ts'
import { memoryApp } from './memory-app.ts'
import { openRaw, sendRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'
import { ask, request } from './wire-request.ts'
import { ADDRESSES, BODIES, CONNECTIONS, HEADS, METHODS, type Row } from './wire-rows.ts'

const answerText: App['answerText'] = async ({ body: { value } }, sink) => {
  if (value.model === 'vendorD/no') throw new ApiError('model_not_found')
  if (value.model === 'vendorD/bug') throw new Error('of ours')
  sink.begin({ status: 200, headers: { 'x-sluice-served-by': 'vendorD/m' }, body: '{}' })
}

/** Responses to unusual requests. They were recorded before the edge was rewritten, and clients rely on them. */
describe('the wire table', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({ app: memoryApp({ answerText }) })
  })
  afterAll(() => edge.close())

  const check = async (_name: string, expected: Row[1], sent: Row[2]) => {
    const [before, finished] = [edge.requests.length, edge.finished.length]
    const bytes = [sent].flat().map((one) => Buffer.from(request(one), 'latin1'))
    const answers = (await sendRaw(edge.port, ...bytes)).filter(({ status }) => status >= 200)
    // Each answer is counted; the log has a line of another kind for what the parser refuses.
    await expect.poll(() => edge.finished.length - finished).toBe(answers.length)
    const logged = new Map(edge.requests.slice(before).map((one) => [one.requestId, one]))
    const seen = answers.map((answer) => {
      const { status, headers } = answer
      const { operation = 'none', code = codeIn(answer) } = logged.get(headers['x-request-id'] ?? '') ?? {}
      const more = [code, headers.allow]
      return [status, headers.connection, operation, ...more.slice(0, more.findLastIndex((one) => one) + 1)]
    })
    expect(seen).toEqual(Array.isArray(expected[0]) ? expected : [expected])
    for (const [at, answer] of answers.entries()) expect(codeIn(answer)).toBeOneOf([undefined, seen[at]?.[3]])
    const isHead = [sent].flat().some(({ start }) => start?.startsWith('HEAD'))
    expect(answers.every(isHead ? isBare : isWhole)).toBe(true)
  }

  test.each(ADDRESSES)('address: %s', check)
  test.each(METHODS)('method: %s', check)
  test.each(BODIES)('body: %s', check)
  test.each(HEADS)('head: %s', check)
  test.each(CONNECTIONS)('connection: %s', check)

  test.each([
    ['a wanted body', 100, ask('POST /v1/messages')],
    ['a body of a client with a wrong key', 401, ask('POST /v1/messages', { key: 'wrong' })],
    ['a body for nothing', 404, ask('POST /nothing')],
    ['a body by a wrong method', 405, ask('PUT /v1/models')],
  ])('100-continue: %s is answered first with %i', async (_name, status, sent) => {
    const connection = openRaw(edge.port)
    onTestFinished(() => void connection.socket.destroy())
    const headers = 'Connection: close\r\nExpect: 100-continue\r\nContent-Length: 9\r\n'
    connection.write(request({ ...sent, headers, raw: '' }))
    await connection.sees('\r\n\r\n')
    connection.socket.end()
    expect((await connection.answers())[0]?.status).toBe(status)
  })

  test.each([
    ['its request', [200], request({})],
    ['two requests', [200, 200], request({}) + request(ask('GET /healthz', { headers: '' }))],
    ['half a head', [400], 'POST /v1/messages HTTP/1.1\r\nHos'],
    ['half a body', [400], request({}).slice(0, -1)],
    ['half a chunk', [400], request({ headers: 'Transfer-Encoding: chunked\r\n', raw: '5\r\nab' })],
    ['nothing', [], ''],
  ])('a client that ends its half of the connection after %s', async (_name, statuses, bytes) => {
    const connection = openRaw(edge.port)
    onTestFinished(() => void connection.socket.destroy())
    connection.socket.end(bytes)
    const answers = await connection.answers()
    expect(answers.map(({ status }) => status)).toEqual(statuses)
  })

  test('a process that leaves closes the connection with every answer', async () => {
    const leaving = await startEdge({ app: memoryApp({ answerText }) })
    onTestFinished(() => leaving.close())
    leaving.drain.begin()
    const statuses = new Map<string, unknown>()
    for (const target of ['/v1/models', '/healthz', '/nothing', '/%zz']) {
      const [answer] = await sendRaw(leaving.port, request(ask(`GET ${target}`, { headers: '' })))
      statuses.set(target, [answer?.status, answer?.headers.connection])
    }
    expect(Object.fromEntries(statuses)).toEqual({
      '/v1/models': [200, 'close'],
      '/healthz': [200, 'close'],
      '/nothing': [404, 'close'],
      '/%zz': [400, 'close'],
    })
  })
})

/** The envelopes of messages and operators have no codes. */
function codeIn({ status, body }: Answer): string | undefined {
  return status < 400 || body === '' ? undefined : JSON.parse(body).error.code
}

/** Whether `content-length` is the length of the body. */
function isWhole({ status, headers, body }: Answer): boolean {
  // A 204 has no length.
  if (status === 204) return headers['content-length'] === undefined && body === ''
  return headers['content-length'] === String(Buffer.byteLength(body))
}

/** Whether it has the `content-length` of the answer to GET, and no body. */
function isBare({ headers, body }: Answer): boolean {
  return Number(headers['content-length']) > 0 && body === ''
}

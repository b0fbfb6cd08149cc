import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import { ECHOES } from './echo-operations.ts'
import { KEY, memoryApp } from './memory-app.ts'
import { openRaw, sendRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

describe('a finished request', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  const ask = async (method: string, path: string, key: string) => {
    const head = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n`
    const [answer] = await sendRaw(edge.port, `${method} ${path} HTTP/1.1\r\n${head}\r\n`)
    return answer
  }

  test('is counted by operation, method and status, and logged once with its caller', async () => {
    const answer = await ask('GET', '/v1/video/generations?limit=5&cursor=', KEY)
    const finished = {
      requestId: answer?.headers['x-request-id'],
      operation: 'listTasks',
      method: 'GET',
      status: 200,
      durationMs: 0,
      organizationId: 'org_1',
      keyId: 'key_1',
      userId: 'usr_1',
    }
    expect(edge.requests).toEqual([finished])
    expect(edge.finished).toEqual([finished])
    expect(edge.lines).toEqual([])
  })

  test.each([
    ['HEAD', '/v1/models', KEY, { operation: 'listModels', method: 'HEAD', status: 200 }],
    ['GET', '/v1/models', 'wrong', { operation: 'listModels', method: 'GET', status: 401 }],
    ['PATCH', '/v1/models', KEY, { operation: 'unknown', method: 'PATCH', status: 405 }],
    ['GET', '/nothing', KEY, { operation: 'unknown', method: 'GET', status: 404 }],
  ])('%s %s with the key %s', async (method, path, key, counted) => {
    await ask(method, path, key)
    expect(edge.finished.at(-1)).toMatchObject(counted)
  })

  test.each([
    ['whole', '{}'],
    ['streamed', undefined],
  ])('of a text model names the model that served, %s', async (_name, body) => {
    const answerText: App['answerText'] = async (_command, sink) => {
      sink.begin({ status: 200, headers: { 'x-sluice-served-by': 'vendorD/other' }, body })
      if (body === undefined) sink.end()
    }
    const own = await startEdge({ app: memoryApp({ answerText }) })
    onTestFinished(() => own.close())
    const answer = await fetch(`${own.url}/v1/messages`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        'compat-version': '2023-06-01',
      },
      body: JSON.stringify({ model: 'vendorD/m', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] }),
    })
    expect(answer.status).toBe(200)
    await answer.text()
    await expect.poll(() => own.requests).toMatchObject([{ servedBy: 'vendorD/other' }])
  })

  test('keeps the key to itself', () => {
    expect(JSON.stringify([edge.lines, edge.requests])).not.toContain(KEY)
  })
})

describe('a request whose body never ends', () => {
  const HEAD = `POST /v1/messages/echo HTTP/1.1\r\nHost: x\r\nx-api-key: ${KEY}\r\n`
  /** Time limits in which the head is read, so that only the body is late. */
  const IMPATIENT = { headersMs: 1_500, requestMs: 1_500 }

  test.each([
    ['because its chunks are broken', `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, {}],
    ['because its client is too slow', `${HEAD}Content-Length: 9\r\n\r\n[`, 408, IMPATIENT],
    ['because its client hangs up', `${HEAD}Content-Length: 9\r\n\r\n[`, 499, {}],
  ])('%s is counted once', async (_name, bytes, status, timeouts) => {
    const edge = await startEdge({ operations: ECHOES, timeouts })
    const connection = openRaw(edge.port)
    connection.write(bytes)
    if (status === 499) connection.socket.end()
    await connection.answers()
    await expect.poll(() => edge.finished).not.toEqual([])
    await edge.close()
    expect(edge.finished).toMatchObject([{ operation: 'messagesEcho', method: 'POST', status }])
    // It is no error of the gateway when a client leaves.
    if (status === 499) expect(edge.finished).toMatchObject([{ code: undefined }])
  })
})

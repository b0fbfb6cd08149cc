import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import type { App } from '../../../src/app/app.ts'
import type { ReplySink } from '../../../src/app/text/contract/reply-sink.ts'
import { createBodyTurns } from '../../../src/app/waiting/body-turns.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { CALLER } from '../../caller.ts'
import { headersFor, openSocket, refusedUpgrade, type SocketClient } from '../text/socket-client.ts'
import { expectError } from './answer.ts'
import { KEY, memoryApp } from './memory-app.ts'
import { sendRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

const ASKED = { model: 'vendorC/m', input: 'hello' }
const event = (type: string, more: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, response: {}, ...more })}\n\n`
const HANDSHAKE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

/** A use case whose replies the test writes: `next` returns the sink of the next request. */
function replies(): { answerText: App['answerText']; next(): Promise<ReplySink> } {
  const waiting: ReplySink[] = []
  let news = Promise.withResolvers<void>()
  return {
    answerText: async (_command, sink) => {
      waiting.push(sink)
      news.resolve()
      news = Promise.withResolvers()
      const over = Promise.withResolvers<void>()
      sink.onClose(over.resolve)
      await over.promise
    },
    async next() {
      for (;;) {
        const sink = waiting.shift()
        if (sink !== undefined) return sink
        await news.promise
      }
    },
  }
}

describe('GET /v1/responses with an upgrade', () => {
  const made = replies()
  const open: SocketClient[] = []
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({ app: memoryApp({ answerText: made.answerText }) })
  })
  afterEach(() => {
    for (const { ws } of open.splice(0)) ws.terminate()
  })
  afterAll(() => edge.close())

  async function connect(at: Edge = edge, key = KEY): Promise<SocketClient> {
    const client = await openSocket(at, { key })
    open.push(client)
    return client
  }

  test.each([
    ['no key', {}],
    ['a wrong key', headersFor('sk-wrong')],
    ['two keys that differ', headersFor(KEY, { 'x-api-key': 'sk-other' })],
  ])('401: %s, as a plain answer', async (_what, headers) => {
    const answer = await refusedUpgrade(edge, headers)
    expect(answer).toMatchObject({
      status: 401,
      headers: { connection: 'close', 'x-request-id': expect.any(String), 'www-authenticate': 'Bearer' },
      body: { error: { type: 'authentication_error', code: 'invalid_api_key', param: null } },
    })
  })

  test.each([
    ['no key of the handshake', HANDSHAKE.replace(/Sec-WebSocket-Key.*\r\n/, '')],
    ['a bad key of the handshake', HANDSHAKE.replace('dGhl', '')],
    ['another version', HANDSHAKE.replace('Version: 13', 'Version: 7')],
    ['a broken list of protocols', `${HANDSHAKE}Sec-WebSocket-Protocol: ,,\r\n`],
  ])('400: %s', async (_what, handshake) => {
    const head = `GET /v1/responses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n${handshake}\r\n`
    const [answer] = await sendRaw(edge.port, head)
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, 'responses', 400, 'malformed_request')
  })

  test('101: with the request id, without a protocol or an extension, and with a query', async () => {
    const ws = new WebSocket(`ws://127.0.0.1:${edge.port}/v1/responses?a=b`, {
      headers: { 'x-api-key': KEY },
      perMessageDeflate: true,
    })
    const [answer]: [IncomingMessage] = Object(await once(ws, 'upgrade'))
    expect(answer).toMatchObject({ statusCode: 101, headers: { 'x-request-id': expect.any(String) } })
    expect(answer.headers).not.toHaveProperty('sec-websocket-extensions')
    ws.close()
    await once(ws, 'close')
  })

  test('429: one organization leaves an eighth of the connections to others; 503: all connections are taken', async () => {
    const own = await startEdge({
      app: memoryApp({ authenticate: async (key) => ({ ...CALLER, organizationId: String(key) }) }),
      limits: { inFlightMax: 8 },
    })
    onTestFinished(() => own.close())
    for (let at = 0; at < 7; at += 1) await connect(own, 'sk-many')
    expect(await refusedUpgrade(own, headersFor('sk-many'))).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limit_exceeded', message: expect.stringMatching(/connections/) } },
    })
    const last = await connect(own, 'sk-few')
    expect(await refusedUpgrade(own, headersFor('sk-other'))).toMatchObject({ status: 503 })
    expect(own.socketsOpen()).toBe(8)
    last.ws.close()
    await last.closed
    await expect.poll(() => own.socketsOpen()).toBe(7)
    await connect(own, 'sk-other')
    expect(own.socketsOpen()).toBe(8)
  })

  test('counts and logs the upgrade and each event separately, and releases their bytes', async () => {
    const seen = edge.requests.length
    const client = await connect()
    client.send(ASKED)
    const sink = await made.next()
    sink.begin({ status: 200, headers: { 'x-sluice-served-by': 'vendorC/other' } })
    sink.write(`: a comment\n\n${event('response.created')}${event('response.completed')}`)
    sink.end()
    expect([await client.next(), await client.next()]).toMatchObject([
      { type: 'response.created' },
      { type: 'response.completed' },
    ])
    client.send('{')
    expect(await client.next()).toMatchObject({ type: 'error', status: 400, error: { code: 'invalid_json' } })
    await expect.poll(() => edge.requests.length).toBe(seen + 3)
    const who = { operation: 'createResponse', method: 'GET', organizationId: CALLER.organizationId }
    expect(edge.requests.slice(seen)).toMatchObject([
      { ...who, status: 101 },
      { ...who, status: 200, servedBy: 'vendorC/other' },
      { ...who, status: 400, code: 'invalid_json' },
    ])
    const ids = edge.requests.slice(seen).map(({ requestId }) => requestId)
    expect(new Set(ids).size).toBe(3)
    expect(edge.bodyBytes()).toBe(0)
  })

  test('499: a client that hangs up closes the sink of its reply', async () => {
    const client = await connect()
    client.send(ASKED)
    const closed = Promise.withResolvers<void>()
    ;(await made.next()).onClose(closed.resolve)
    client.ws.terminate()
    await closed.promise
    await expect.poll(() => edge.requests.at(-1)).toMatchObject({ status: 499, method: 'GET' })
  })

  test('1001: draining closes idle connections immediately, and busy connections after their reply', async () => {
    const own = await startEdge({ app: memoryApp({ answerText: made.answerText }) })
    onTestFinished(() => own.close())
    const [idle, busy] = [await connect(own), await connect(own)]
    busy.send(ASKED)
    const sink = await made.next()
    own.drain.begin()
    expect(await idle.closed).toBe(1001)
    sink.begin({ status: 200, headers: {} })
    sink.write(event('response.completed'))
    sink.end()
    expect(await busy.next()).toMatchObject({ type: 'response.completed' })
    expect(await busy.closed).toBe(1001)
    const late = await connect(own)
    late.send(ASKED)
    const other = await made.next()
    other.begin({ status: 200, headers: {} })
    other.end()
    expect(await late.closed).toBe(1001)
  })

  test('1000: a connection without events is closed after the idle time, also when its client answers pings', async () => {
    const app = memoryApp({ answerText: made.answerText })
    const own = await startEdge({ app, sockets: { tickMs: 100, idleMs: 1_000 } })
    onTestFinished(() => own.close())
    const client = await connect(own)
    await once(client.ws, 'ping')
    own.advance(1_000)
    expect(await client.closed).toBe(1000)
  })

  test('a client that answers no ping is cut', async () => {
    const own = await startEdge({ sockets: { tickMs: 20, idleMs: 60_000 } })
    onTestFinished(() => own.close())
    const client = await openSocket(own, { key: KEY }, {}, { autoPong: false })
    // 1006 means that the connection was cut without a close frame.
    expect(await client.closed).toBe(1006)
  })

  test('1009: an event above the limit of a body', async () => {
    const own = await startEdge({ limits: { textBodyBytesMax: 1_024 } })
    onTestFinished(() => own.close())
    const client = await connect(own)
    client.send({ ...ASKED, input: 'a'.repeat(1_024) })
    expect(await client.closed).toBe(1009)
  })

  test('1013: an event without room among the bodies, while it arrives', async () => {
    const own = await startEdge({
      app: memoryApp({ answerText: made.answerText }),
      limits: { bodyBytesMax: 64 * 1024, bodyBytesEachMax: 64 * 1024 },
    })
    onTestFinished(() => own.close())
    const [first, second] = [await connect(own), await connect(own)]
    first.send({ ...ASKED, input: 'a'.repeat(60 * 1024) })
    const sink = await made.next()
    expect(own.bodyBytes()).toBeGreaterThan(60 * 1024)
    second.send({ ...ASKED, input: 'a'.repeat(60 * 1024) })
    expect(await second.closed).toBe(1013)
    sink.begin({ status: 200, headers: {} })
    sink.end()
    await expect.poll(() => own.bodyBytes()).toBe(0)
  })

  test('1008: an event in hundreds of tiny parts', async () => {
    const client = await connect()
    for (let part = 0; part < 300; part += 1) client.ws.send(' ', { fin: false })
    expect(await client.closed).toBe(1008)
  })

  test('the bytes of connections wait for the turns of their organization', async () => {
    const waiting: [holder: string, run: () => unknown][] = []
    const { book } = createBodyTurns({ monotonicMs: () => 0 })
    const turns = {
      ...{ book, waitMsOf: () => 0 },
      take: (...piece: (typeof waiting)[number]) => void waiting.push(piece),
    }
    const own = await startEdge({ turns })
    onTestFinished(() => own.close())
    const clients = await Promise.all(Array.from({ length: 5 }, () => connect(own)))
    for (const client of clients) client.send('{')
    await expect.poll(() => waiting.length).toBe(clients.length)
    expect(waiting.map(([holder]) => holder)).toEqual(clients.map(() => CALLER.organizationId))
    expect(own.finished.filter(({ status }) => status === 400)).toEqual([])
    for (const [, run] of waiting.splice(0)) run()
    for (const client of clients) expect(await client.next()).toMatchObject({ type: 'error', status: 400 })
  })

  test('a slow reader: writes return false, and the drain is reported', async () => {
    const client = await connect()
    client.send(ASKED)
    const sink = await made.next()
    sink.begin({ status: 200, headers: {} })
    client.ws.pause()
    const piece = event('response.output_text.delta', { delta: 'a'.repeat(64 * 1024) })
    let pieces = 1
    while (sink.write(piece)) {
      pieces += 1
      await new Promise(setImmediate)
    }
    const drained = Promise.withResolvers<void>()
    sink.onDrain(drained.resolve)
    client.ws.resume()
    await drained.promise
    for (let at = 0; at < pieces; at += 1) await client.next()
    sink.write(event('response.completed'))
    sink.end()
    expect(await client.next()).toMatchObject({ type: 'response.completed' })
  })

  test('503: the load of the process is checked for each event', async () => {
    const own = await startEdge({
      app: memoryApp({ answerText: made.answerText, checkRate: () => undefined }),
      limits: { inFlightMax: 1 },
    })
    onTestFinished(() => own.close())
    const client = await connect(own)
    client.send(ASKED)
    const sink = await made.next()
    client.send(ASKED)
    expect(await client.next()).toMatchObject({ type: 'error', status: 503 })
    sink.begin({ status: 200, headers: {} })
    sink.end()
  })

  test('a fault of ours is reported without its text', async () => {
    const fail: App['answerText'] = () => Promise.reject(new Error('secret'))
    const own = await startEdge({ app: memoryApp({ answerText: fail }) })
    onTestFinished(() => own.close())
    const client = await connect(own)
    client.send(ASKED)
    expect(await client.next()).toEqual({
      ...{ type: 'error', status: 500 },
      error: {
        ...{ message: new ApiError('internal_error').message, type: 'api_error' },
        ...{ param: null, code: 'internal_error' },
      },
    })
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from '../../http-edge/answer.ts'
import { KEY } from '../../http-edge/memory-app.ts'
import { sendRaw } from '../../http-edge/raw-connection.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

const AUTH = `Host: x\r\nAuthorization: Bearer ${KEY}\r\n`
const WEBSOCKET =
  'Connection: Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

describe('/v1/responses', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  test.each([
    ['a plain GET', 'GET', 'Connection: close\r\n'],
    ['a wish for another protocol', 'GET', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'],
    ['another method', 'DELETE', WEBSOCKET],
  ])('405: %s', async (_name, method, headers) => {
    const [answer] = await sendRaw(edge.port, `${method} /v1/responses HTTP/1.1\r\n${AUTH}${headers}\r\n`)
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, 'responses', 405, 'method_not_allowed')
    expect(answer.headers.allow).toBe('POST')
  })

  test('426: a WebSocket with a body gets an error with a message, and the connection ends', async () => {
    const [answer, ...more] = await sendRaw(
      edge.port,
      `GET /v1/responses HTTP/1.1\r\n${AUTH}${WEBSOCKET}Content-Length: 2\r\n\r\n{}`,
    )
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, 'responses', 426, 'upgrade_required')
    expect(answer.headers).toMatchObject({ connection: 'close', allow: 'POST' })
    expect(more).toEqual([])
  })

  test('426: a WebSocket on an endpoint without WebSockets', async () => {
    const [answer] = await sendRaw(edge.port, `GET /v1/chat/completions HTTP/1.1\r\n${AUTH}${WEBSOCKET}\r\n`)
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, 'chat', 426, 'upgrade_required')
    expect(JSON.parse(answer.body).error.message).toMatch(/HTTP SSE/)
    expect(answer.headers).not.toHaveProperty('upgrade')
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/http/operation.ts'
import { expectError } from './answer.ts'
import { BODYLESS, ECHOES } from './echo-operations.ts'
import { KEY } from './memory-app.ts'
import { openRaw, sendRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

describe('a malformed request', () => {
  let edge: Edge
  let letGo = Promise.withResolvers<void>()
  const slow: Operation = {
    id: 'slow',
    method: 'GET',
    path: '/slow',
    area: 'video',
    access: 'open',
    summary: 'Answers when it is told to',
    replies: {},
    handle: () => () => letGo.promise.then(() => 'slow'),
  }
  beforeAll(async () => {
    edge = await startEdge({ operations: [...ECHOES, ...BODYLESS, slow] })
  })
  afterAll(() => edge.close())

  const HOST = 'Host: x\r\n'
  const AUTH = `${HOST}Authorization: Bearer ${KEY}\r\n`

  test.each([
    ['nonsense', 'hello\r\n\r\n', 'video'],
    ['TLS on the plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'video'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'video'],
    ['a method that does not exist', `FROB / HTTP/1.1\r\n${HOST}\r\n`, 'video'],
    ['a method in small letters', `post /admin/quota/cache/sync/user HTTP/1.1\r\n${HOST}\r\n`, 'admin'],
    ['a version that does not exist', `GET /v1/messages HTTP/9.9\r\n${HOST}\r\n`, 'messages'],
    ['a header without a colon', `GET /admin/x HTTP/1.1\r\n${HOST}broken\r\n\r\n`, 'admin'],
    ['a space before the colon', `GET / HTTP/1.1\r\nHost : x\r\n\r\n`, 'video'],
    ['a control character in a header', `GET / HTTP/1.1\r\n${HOST}X: a\x01b\r\n\r\n`, 'video'],
    ['NUL in a header', `GET / HTTP/1.1\r\n${HOST}X: a\x00b\r\n\r\n`, 'video'],
    ['a space in the address', `GET /v1/responses x HTTP/1.1\r\n${HOST}\r\n`, 'responses'],
    [
      'a length that is no number',
      `POST /v1/video/echo HTTP/1.1\r\n${AUTH}Content-Length: x\r\n\r\n`,
      'video',
    ],
    ['a negative length', `POST /v1/video/echo HTTP/1.1\r\n${AUTH}Content-Length: -1\r\n\r\n`, 'video'],
    ['two lengths', `POST / HTTP/1.1\r\n${AUTH}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 'video'],
    [
      'a length and chunks',
      `POST / HTTP/1.1\r\n${AUTH}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      'video',
    ],
    ['an unknown transfer coding', `POST / HTTP/1.1\r\n${AUTH}Transfer-Encoding: gzip\r\n\r\n`, 'video'],
    [
      'broken chunks',
      `POST /v1/messages/echo HTTP/1.1\r\n${AUTH}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      'messages',
    ],
    ['no Host', 'GET /v1/messages HTTP/1.1\r\n\r\n', 'messages'],
  ] as const)('%s is 400', async (_name, bytes, area) => {
    const connection = openRaw(edge.port)
    connection.write(Buffer.from(bytes, 'latin1'))
    await connection.sees('\r\n\r\n{')
    connection.socket.end()
    const [answer, ...more] = await connection.answers()
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, area, 400)
    expect(more).toEqual([])
  })

  test('half a request whose client stops sending is 400', async () => {
    const connection = openRaw(edge.port)
    connection.write('GET / HTTP/1.1\r\nHos')
    connection.socket.end()
    const [answer] = await connection.answers()
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, 'video', 400, 'malformed_request')
    expect(answer.headers.connection).toBe('close')
  })

  test('HTTP/1.0 needs no Host', async () => {
    const [answer] = await sendRaw(
      edge.port,
      `GET /v1/video/plain/1 HTTP/1.0\r\nAuthorization: Bearer ${KEY}\r\n\r\n`,
    )
    expect(answer).toMatchObject({ status: 200 })
  })

  test.each([8 * 1024 + 1, 20_000, 39_000, 60_000, 300_000])(
    'an address of %i bytes is 414',
    async (length) => {
      const target = `/v1/messages?${'a'.repeat(length)}`.slice(0, length)
      const [answer] = await sendRaw(edge.port, `GET ${target} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
      if (answer === undefined) throw new Error('no answer')
      expectError(answer, 'messages', 414)
    },
  )

  test('an address of 8 KiB is accepted', async () => {
    const id = 'a'.repeat(8 * 1024 - '/v1/video/plain/'.length)
    const [answer] = await sendRaw(
      edge.port,
      `GET /v1/video/plain/${id} HTTP/1.1\r\n${AUTH}Connection: close\r\n\r\n`,
    )
    expect(answer).toMatchObject({ status: 200, body: JSON.stringify({ params: { id } }) })
  })

  test.each([33_000, 39_000, 60_000, 300_000])('headers of %i bytes are 431', async (length) => {
    const headers = `${HOST}Connection: close\r\nX: ${'a'.repeat(length)}\r\n`
    const [answer] = await sendRaw(edge.port, `GET /v1/responses HTTP/1.1\r\n${headers}\r\n`)
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, 'responses', 431, 'headers_too_large')
  })

  test('many small headers count like one large header', async () => {
    const headers = `${HOST}Connection: close\r\n${'A: b\r\n'.repeat(6_000)}`
    const [answer] = await sendRaw(edge.port, `GET / HTTP/1.1\r\n${headers}\r\n`)
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, 'video', 431)
  })

  test('headers under 32 KiB pass with an address of 8 KiB', async () => {
    const id = 'a'.repeat(8_000)
    const headers = `${AUTH}Connection: close\r\nX: ${'a'.repeat(32_000)}\r\n`
    const [answer] = await sendRaw(edge.port, `GET /v1/video/plain/${id} HTTP/1.1\r\n${headers}\r\n`)
    expect(answer).toMatchObject({ status: 200 })
  })

  test('an expectation other than 100-continue is 417', async () => {
    const head = `POST /v1/messages/echo HTTP/1.1\r\n${AUTH}Expect: cake\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`
    const [answer] = await sendRaw(edge.port, head)
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, 'messages', 417)
  })

  test('100 Continue is sent when the body is wanted', async () => {
    const connection = openRaw(edge.port)
    const head = `POST /v1/video/echo HTTP/1.1\r\n${AUTH}Expect: 100-continue\r\nConnection: close\r\nContent-Length: 3\r\n\r\n`
    connection.write(head)
    await connection.sees('HTTP/1.1 100 Continue')
    connection.write('"a"')
    const answers = await connection.answers()
    expect(answers.map(({ status }) => status)).toEqual([100, 200])
  })

  test('100 Continue is not sent for a body that is too large', async () => {
    const head = `POST /v1/video/echo HTTP/1.1\r\n${AUTH}Expect: 100-continue\r\nContent-Length: 2000000\r\n\r\n`
    const answers = await sendRaw(edge.port, head)
    expect(answers.map(({ status }) => status)).toEqual([413])
  })

  test('an upgrade to another protocol gets an ordinary answer', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
    const [get] = await sendRaw(edge.port, `GET /v1/responses HTTP/1.1\r\n${AUTH}${upgrade}\r\n`)
    if (get === undefined) throw new Error('no answer')
    expectError(get, 'responses', 404)
    const post = `POST /v1/video/echo HTTP/1.1\r\n${AUTH}${upgrade}Content-Length: 3\r\n\r\n"a"`
    expect((await sendRaw(edge.port, post))[0]).toMatchObject({ status: 200, body: '{"body":"a"}' })
  })

  test('does not overtake the answer to the request before it', async () => {
    letGo = Promise.withResolvers()
    const connection = openRaw(edge.port)
    connection.write(`GET /slow HTTP/1.1\r\n${HOST}\r\nGET /slow HTTP/1.1\r\n${HOST}\r\nnonsense\r\n\r\n`)
    setImmediate(letGo.resolve)
    const answers = await connection.answers()
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400])
  })

  test('is counted and logged without its content', async () => {
    await sendRaw(edge.port, 'secret words\r\n\r\n')
    expect(edge.finished.at(-1)).toEqual({
      operation: 'unknown',
      method: 'unknown',
      status: 400,
      durationMs: 0,
    })
    const line = edge.lines.at(-1)
    expect(line).toMatchObject({ level: 'info', event: 'request.refused', fields: { status: 400 } })
    expect(JSON.stringify(line)).not.toContain('secret')
  })

  test('a client that disconnects is no error', async () => {
    const before = edge.lines.length
    const connection = openRaw(edge.port)
    connection.write('GET / HTTP/1.1\r\n')
    connection.socket.resetAndDestroy()
    await connection.answers()
    await sendRaw(edge.port, `GET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
    expect(edge.lines.slice(before).filter(({ level }) => level !== 'info')).toEqual([])
  })
})

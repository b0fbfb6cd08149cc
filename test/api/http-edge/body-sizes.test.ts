import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from './answer.ts'
import { BODYLESS, ECHOES } from './echo-operations.ts'
import { KEY } from './memory-app.ts'
import { openRaw, sendRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

const MEBIBYTE = 1024 * 1024
const AUTH = `Host: x\r\nAuthorization: Bearer ${KEY}\r\n`
const LAST = `GET /nothing HTTP/1.1\r\n${AUTH}Connection: close\r\n\r\n`

describe('the size of a body', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({
      operations: [...ECHOES, ...BODYLESS],
      limits: { textBodyBytesMax: 2 * MEBIBYTE },
    })
  })
  afterAll(() => edge.close())

  const statuses = async (...pieces: (string | Buffer)[]) =>
    (await sendRaw(edge.port, ...pieces, LAST)).map(({ status }) => status)

  const plain = (path: string, body: string) =>
    `POST ${path} HTTP/1.1\r\n${AUTH}Content-Length: ${body.length}\r\n\r\n${body}`

  const chunked = (path: string, body: string, more = '') => {
    const chunks =
      body.match(/.{1,65536}/gs)?.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`) ?? []
    return `POST ${path} HTTP/1.1\r\n${AUTH}${more}Transfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`
  }

  const text = (bytes: number) => `"${'a'.repeat(bytes - 2)}"`

  test.each([plain, chunked])('may be the limit, and not one byte more (%o)', async (send) => {
    expect(await statuses(send('/v1/video/echo', text(MEBIBYTE)))).toEqual([200, 404])
    expect(await statuses(send('/v1/video/echo', text(MEBIBYTE + 1)))).toEqual([413, 404])
  })

  test('of the text endpoints has its own limit', async () => {
    expect(await statuses(plain('/v1/messages/echo', text(2 * MEBIBYTE)))).toEqual([200, 404])
    expect(await statuses(plain('/v1/responses/echo', text(2 * MEBIBYTE)))).toEqual([200, 404])
    expect(await statuses(plain('/v1/responses/echo', text(2 * MEBIBYTE + 1)))).toEqual([413, 404])
  })

  test.each([plain, chunked])(
    'that is far too large is answered before the client has sent it (%o)',
    async (send) => {
      const [answer] = await sendRaw(edge.port, send('/v1/messages/echo', text(20 * MEBIBYTE)), LAST)
      if (answer === undefined) throw new Error('no answer')
      expectError(answer, 'messages', 413)
    },
  )

  test('is checked by its announced length, before the body arrives', async () => {
    const connection = openRaw(edge.port)
    connection.write(`POST /v1/video/echo HTTP/1.1\r\n${AUTH}Content-Length: 5000000\r\n\r\n`)
    await connection.sees('"code":"body_too_large"}}')
    connection.socket.destroy()
  })

  test('beyond all bounds ends the connection', async () => {
    const connection = openRaw(edge.port)
    connection.write(`POST /v1/video/echo HTTP/1.1\r\n${AUTH}Content-Length: 100000000\r\n\r\n`)
    const bytes = Buffer.alloc(MEBIBYTE, 'a')
    for (let sent = 0; sent < 60 && !connection.socket.destroyed; sent++) {
      if (!connection.socket.write(bytes))
        await Promise.race([drained(connection.socket), connection.answers()])
    }
    const [answer] = await connection.answers()
    expect(answer).toMatchObject({ status: 413 })
  })

  test('is not waited for when the key is wrong', async () => {
    const head =
      'POST /v1/video/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 900000\r\n\r\n'
    const [answer] = await sendRaw(edge.port, head, 'a'.repeat(900_000))
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, 'video', 401)
  })

  test('of refused requests on one connection does not change the order of their answers', async () => {
    const refused = 'POST /v1/messages/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n'
    const connection = openRaw(edge.port)
    // The second request begins before the first one is answered, and ends after that.
    connection.write(`${refused}1234567890${refused}1`)
    await connection.sees('"authentication_error"')
    connection.write(`234567890${refused}1234567890${LAST}`)
    const statuses = (await connection.answers()).map(({ status }) => status)
    expect(statuses).toEqual([401, 401, 401, 404])
  })

  test.each(['GET', 'DELETE'])('is ignored on %s, up to a mebibyte', async (method) => {
    const head = `${method} /v1/video/plain/1 HTTP/1.1\r\n${AUTH}Content-Type: nonsense\r\n`
    expect(await statuses(`${head}Content-Length: 3\r\n\r\n[[[`)).toEqual([200, 404])
    expect(await statuses(`${head}Content-Length: ${MEBIBYTE}\r\n\r\n${'a'.repeat(MEBIBYTE)}`)).toEqual([
      200, 404,
    ])
    const over = chunked('', 'a'.repeat(MEBIBYTE + 1)).replace('POST ', `${method} /v1/video/plain/1`)
    expect(await statuses(over)).toEqual([413, 404])
    expect(
      await statuses(`${head}Content-Length: ${MEBIBYTE + 1}\r\n\r\n${'a'.repeat(MEBIBYTE + 1)}`),
    ).toEqual([413, 404])
  })

  test('that the client cuts off does not disturb other requests', async () => {
    const connection = openRaw(edge.port)
    connection.write(`POST /v1/video/echo HTTP/1.1\r\n${AUTH}Content-Length: 1000\r\n\r\n"aaa`)
    await connected(connection.socket)
    connection.socket.resetAndDestroy()
    await connection.answers()
    expect(await statuses('')).toEqual([404])
    expect(edge.lines.filter(({ level }) => level !== 'info')).toEqual([])
  })
})

function drained(socket: { once(event: 'drain', listener: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => socket.once('drain', resolve))
}

function connected(socket: { connecting: boolean; once(event: 'connect', listener: () => void): unknown }) {
  return new Promise<void>((resolve) => (socket.connecting ? socket.once('connect', resolve) : resolve()))
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectEnvelope } from './answer.ts'
import { BODYLESS, ECHOES } from './echo-operations.ts'
import { KEY } from './memory-app.ts'
import { openRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

const AUTH = `Host: x\r\nAuthorization: Bearer ${KEY}\r\n`
const GET = `GET /v1/video/plain/1 HTTP/1.1\r\n${AUTH}`
const POST = `POST /v1/video/echo HTTP/1.1\r\n${AUTH}`
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n\r\n`
/** Request hidden in a body: it must never be answered. */
const HIDDEN = `GET /v1/video/plain/hidden HTTP/1.1\r\n${AUTH}\r\n`

/** Public test cases of HTTP parsers in our own words, and the statuses of our edge. */
const VECTORS: readonly [name: string, bytes: string, statuses: number[]][] = [
  // Request line.
  ['a plain request', `${GET}\r\n`, [200]],
  ['an empty line before the request', `\r\n${GET}\r\n`, [200]],
  ['two spaces after the method', `GET  /v1/video/plain/1 HTTP/1.1\r\n${AUTH}\r\n`, [200]],
  ['a tab after the method', `GET\t/v1/video/plain/1 HTTP/1.1\r\n${AUTH}\r\n`, [400]],
  ['two spaces before the version', `GET /v1/video/plain/1  HTTP/1.1\r\n${AUTH}\r\n`, [200]],
  ['no version', `GET /v1/video/plain/1\r\n${AUTH}\r\n`, [400]],
  ['HTTX', `GET /v1/video/plain/1 HTTX/1.1\r\n${AUTH}\r\n`, [400]],
  ['a version in small letters', `GET /v1/video/plain/1 http/1.1\r\n${AUTH}\r\n`, [400]],
  ['a digit before the major version', `GET /v1/video/plain/1 HTTP/01.1\r\n${AUTH}\r\n`, [400]],
  ['a digit after the minor version', `GET /v1/video/plain/1 HTTP/1.10\r\n${AUTH}\r\n`, [400]],
  ['version 5.6', `GET /v1/video/plain/1 HTTP/5.6\r\n${AUTH}\r\n`, [400]],
  ['a space after the version', `GET /v1/video/plain/1 HTTP/1.1 \r\n${AUTH}\r\n`, [400]],
  ['a lone CR after the request line', `GET /v1/video/plain/1 HTTP/1.1\r${AUTH}\r\n`, [400]],
  ['a method that is a beginning of another', `GE /v1/video/plain/1 HTTP/1.1\r\n${AUTH}\r\n`, [400]],
  ['a method with more letters', `GETX /v1/video/plain/1 HTTP/1.1\r\n${AUTH}\r\n`, [400]],
  ['the method of another protocol', `SOURCE /v1/video/plain/1 ICE/1.0\r\n${AUTH}\r\n`, [405]],
  ['NUL in the address', `GET /v1/video/plain/\0 HTTP/1.1\r\n${AUTH}\r\n`, [400]],
  ['no address', `GET HTTP/1.1\r\n${AUTH}\r\n`, [400]],
  ['an address without a slash', `GET plain HTTP/1.1\r\n${AUTH}\r\n`, [400]],
  ['CONNECT', `CONNECT x:443 HTTP/1.1\r\n${AUTH}\r\n`, [405]],
  // Fields.
  ['a folded value', `${GET}X: one\r\n two\r\n\r\n`, [400]],
  ['a value folded with a tab', `${GET}X: one\r\n\ttwo\r\n\r\n`, [400]],
  ['a space before the first field', `GET /v1/video/plain/1 HTTP/1.1\r\n ${AUTH}\r\n`, [400]],
  ['a space before the colon', `${GET}X : y\r\n\r\n`, [400]],
  ['a space within a name', `${GET}X Y: z\r\n\r\n`, [400]],
  ['no name', `${GET}: y\r\n\r\n`, [400]],
  ['a name in Latin-1', `${GET}caf\xe9: y\r\n\r\n`, [400]],
  ['fields with a lone CR between them', `${GET}X: y\rFoo: z\r\n\r\n`, [400]],
  ['a lone CR in place of the empty line', `${GET}X: y\r\n\rFoo: z\r\n\r\n`, [400]],
  ['DEL in a value', `${GET}X: a\x7fb\r\n\r\n`, [400]],
  ['a value in Latin-1', `${GET}X: caf\xe9\r\n\r\n`, [200]],
  ['Host twice', `${GET}Host: y\r\n\r\n`, [400]],
  ['half of the fields', `${GET}X: y\r\n`, [400]],
  // Content-Length.
  ['a body', `${POST}Content-Length: 3\r\n\r\n"a"`, [200]],
  ['a body that is too short', `${POST}Content-Length: 9\r\n\r\n"a"`, [400]],
  ['the same length twice', `${POST}Content-Length: 3\r\nContent-Length: 3\r\n\r\n"a"`, [400]],
  ['two lengths', `${POST}Content-Length: 3\r\nContent-Length: 0\r\n\r\n"a"${HIDDEN}`, [400]],
  ['a list of lengths', `${POST}Content-Length: 3, 3\r\n\r\n"a"`, [400]],
  ['a length with a plus', `${POST}Content-Length: +3\r\n\r\n"a"`, [400]],
  ['a hexadecimal length', `${POST}Content-Length: 0x3\r\n\r\n"a"`, [400]],
  ['a length with a space within', `${POST}Content-Length: 3 0\r\n\r\n"a"`, [400]],
  ['an empty length', `${POST}Content-Length:\r\n\r\n"a"`, [400]],
  ['a length that overflows', `${POST}Content-Length: 18446744073709551619\r\n\r\n"a"`, [400]],
  ['a length with a space before the colon', `${POST}Content-Length : 3\r\n\r\n"a"`, [400]],
  ['bytes after the length of a GET', `${GET}Content-Length: 2\r\n\r\n{}x`, [200, 400]],
  // Transfer-Encoding.
  ['chunks', `${CHUNKED}3\r\n"a"\r\n0\r\n\r\n`, [200]],
  ['chunks in capitals', `${POST}transfer-encoding: CHUNKED\r\n\r\n3\r\n"a"\r\n0\r\n\r\n`, [200]],
  [
    'a length before the coding',
    `${POST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    [400],
  ],
  [
    'a length after the coding',
    `${POST}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n${HIDDEN}`,
    [400],
  ],
  ['chunked before another coding', `${POST}Transfer-Encoding: chunked, deflate\r\n\r\n0\r\n\r\n`, [400]],
  ['chunked twice', `${POST}Transfer-Encoding: chunked, chunked\r\n\r\n3\r\n"a"\r\n0\r\n\r\n`, [400]],
  [
    'codings in two fields',
    `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${HIDDEN}`,
    [400],
  ],
  ['chunkedchunked', `${POST}Transfer-Encoding: chunkedchunked\r\n\r\n0\r\n\r\n`, [400]],
  ['identity', `${POST}Transfer-Encoding: identity\r\n\r\n"a"`, [400]],
  ['an empty coding', `${POST}Transfer-Encoding:\r\n\r\n"a"`, [400]],
  ['a vertical tab before chunked', `${POST}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`, [400]],
  ['a folded coding', `${POST}Transfer-Encoding: chunked\r\n abc\r\n\r\n0\r\n\r\n`, [400]],
  ['a coding with a space before the colon', `${POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`, [400]],
  // Chunks.
  ['an extension', `${CHUNKED}3;a=b;c="d e"\r\n"a"\r\n0\r\n\r\n`, [200]],
  ['trailers', `${CHUNKED}3\r\n"a"\r\n0\r\nX-Sum: 1\r\n\r\n`, [200]],
  ['spaces after a size', `${CHUNKED}3  \r\n"a"\r\n0\r\n\r\n`, [400]],
  ['a size with 0x', `${CHUNKED}0x3\r\n"a"\r\n0\r\n\r\n`, [400]],
  ['a negative size', `${CHUNKED}-3\r\n"a"\r\n0\r\n\r\n`, [400]],
  ['a size that overflows', `${CHUNKED}10000000000000003\r\n"a"\r\n0\r\n\r\n`, [400]],
  ['no size', `${CHUNKED}\r\n"a"\r\n0\r\n\r\n`, [400]],
  ['a size that ends with LF', `${CHUNKED}3\n"a"\r\n0\r\n\r\n`, [400]],
  ['an extension that ends with LF', `${CHUNKED}3;a\n"a"\r\n0\r\n\r\n`, [400]],
  ['an extension with a lone CR', `${CHUNKED}3;a\rb\r\n"a"\r\n0\r\n\r\n`, [400]],
  ['a chunk longer than its size', `${CHUNKED}2\r\n"a"\r\n0\r\n\r\n`, [400]],
  ['a chunk that ends with LF', `${CHUNKED}3\r\n"a"\n0\r\n\r\n`, [400]],
  ['no last chunk', `${CHUNKED}3\r\n"a"\r\n`, [400]],
  ['a trailer that is no field', `${CHUNKED}3\r\n"a"\r\n0\r\nhello\r\n\r\n`, [400]],
  // Several requests on one connection.
  ['two requests', `${GET}\r\n${GET}\r\n`, [200, 200]],
  ['an empty line between two requests', `${POST}Content-Length: 3\r\n\r\n"a"\r\n${GET}\r\n`, [200, 200]],
  ['chunks, then a request', `${CHUNKED}3\r\n"a"\r\n0\r\n\r\n${GET}\r\n`, [200, 200]],
  ['a request after close', `${GET}Connection: close\r\n\r\n${HIDDEN}`, [200]],
  ['a request after one of version 1.0', `GET /v1/video/plain/1 HTTP/1.0\r\n${AUTH}\r\n${HIDDEN}`, [200]],
  [
    'a body of version 1.0 in chunks',
    `POST /v1/video/echo HTTP/1.0\r\n${AUTH}Transfer-Encoding: chunked\r\n\r\n3\r\n"a"\r\n0\r\n\r\n`,
    [400],
  ],
  // Upgrades.
  ['an upgrade that we do not offer', `${GET}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`, [200]],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
]

describe('public vectors of requests', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({ operations: [...ECHOES, ...BODYLESS] })
  })
  afterAll(() => edge.close())

  test.each(VECTORS)('%s', async (_name, text, statuses) => {
    const connection = openRaw(edge.port)
    connection.write(Buffer.from(text, 'latin1'))
    connection.socket.end()
    const answers = await connection.answers()
    expect(answers.map(({ status }) => status)).toEqual(statuses)
    for (const answer of answers) {
      expect(answer.body).not.toContain('hidden')
      if (answer.status >= 400) expectEnvelope(answer, 'video')
    }
  })
})

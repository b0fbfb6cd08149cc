import { describe, expect, test } from 'vitest'
import { HOT_PATH, readingServer } from './two-servers.ts'

const LINE = `POST ${HOT_PATH} HTTP/1.1\r\n`
const HOST = 'Host: a\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const CHUNKS = '5\r\nhello\r\n0\r\n\r\n'
/** A second request that an attacker hides in the body of the first. */
const HIDDEN = 'GET /admin HTTP/1.1\r\nHost: a\r\n\r\n'

const post = (headers: string, body = '') => `${LINE}${HOST}${headers}\r\n${body}`

const get = (headers: string, body = '') => `GET /v1/videos/video_1 HTTP/1.1\r\n${HOST}${headers}\r\n${body}`

/** Bytes that the door and Node read in the same way: name, bytes and bodies. */
const TAKEN: readonly [string, string, string[]][] = [
  ['a length', post('Content-Length: 5\r\n', 'hello'), ['hello']],
  ['blanks before a length', post('Content-Length:   5\r\n', 'hello'), ['hello']],
  ['a name in mixed case', post('conTENT-lengTH: 5\r\n', 'hello'), ['hello']],
  ['no blank after the colon', post('Content-Length:5\r\n', 'hello'), ['hello']],
  ['chunks', post(CHUNKED, CHUNKS), ['hello']],
  ['sizes with capital digits', post(CHUNKED, 'A\r\n0123456789\r\n0\r\n\r\n'), ['0123456789']],
  ['zeros before a size', post(CHUNKED, '005\r\nhello\r\n000\r\n\r\n'), ['hello']],
  ['extensions of chunks', post(CHUNKED, '5;a;b=c;d="e; \\" f"\r\nhello\r\n0;g\r\n\r\n'), ['hello']],
  ['trailers', post(CHUNKED, '5\r\nhello\r\n0\r\nVary: *\r\nX: y\r\n\r\n'), ['hello']],
  ['a body that looks like a request', post(`Content-Length: ${HIDDEN.length}\r\n`, HIDDEN), [HIDDEN]],
  ['a plain query', `POST ${HOT_PATH}?beta=true&a=b HTTP/1.1\r\n${HOST}Content-Length: 1\r\n\r\n1`, ['1']],
  ['a GET', get(''), ['']],
  ['a GET with a query', `GET /v1/models?limit=5 HTTP/1.1\r\n${HOST}\r\n`, ['']],
  ['a GET before another request in one packet', get('') + post(CHUNKED, CHUNKS), ['', 'hello']],
  [
    'two requests in one packet',
    post(CHUNKED, CHUNKS) + post('Content-Length: 2\r\n', 'ok'),
    ['hello', 'ok'],
  ],
]

/** The door leaves these to Node. */
const HANDED_OVER: readonly [string, string][] = [
  ['a GET with a body', get('Content-Length: 5\r\n', 'hello')],
  ['a GET with the length 0', get('Content-Length: 0\r\n')],
  ['a GET with chunks', get(CHUNKED, CHUNKS)],
  ['a GET with an unknown encoding', get('Transfer-Encoding: identity\r\n')],
  ['a GET that opens a WebSocket', get('Connection: upgrade\r\nUpgrade: websocket\r\n')],
  ['a GET of an encoded path', `GET /v1/videos/%2e%2e HTTP/1.1\r\n${HOST}\r\n`],
  ['a GET of the path of a POST', `GET ${HOT_PATH} HTTP/1.1\r\n${HOST}\r\n`],
  ['a POST to the path of a GET', `POST /v1/models HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`],
  ['HEAD', `HEAD /v1/models HTTP/1.1\r\n${HOST}\r\n`],
  ['CL.TE', post(`Content-Length: 5\r\n${CHUNKED}`, `0\r\n\r\n${HIDDEN}`)],
  ['TE.CL', post(`${CHUNKED}Content-Length: 3\r\n`, `8\r\nSMUGGLED\r\n0\r\n\r\n`)],
  ['TE.TE', post(`${CHUNKED}Transfer-Encoding: identity\r\n`, CHUNKS)],
  ['two encodings', post(`${CHUNKED}${CHUNKED}`, CHUNKS)],
  ['an encoding with another', post('Transfer-Encoding: gzip, chunked\r\n', CHUNKS)],
  ['an encoding that is not the last', post('Transfer-Encoding: chunked, identity\r\n', CHUNKS)],
  ['an unknown encoding', post('Transfer-Encoding: pigeons\r\n', CHUNKS)],
  ['an encoding with a prefix', post('Transfer-Encoding: xchunked\r\n', CHUNKS)],
  ['an encoding in quotes', post('Transfer-Encoding: "chunked"\r\n', CHUNKS)],
  ['an encoding after a vertical tab', post('Transfer-Encoding: \x0bchunked\r\n', CHUNKS)],
  ['an empty encoding and a length', post('Transfer-Encoding:\r\nContent-Length: 5\r\n', 'hello')],
  ['a blank before the colon', post('Transfer-Encoding : chunked\r\n', CHUNKS)],
  ['an encoding behind a bare CR', post('X: a\rTransfer-Encoding: chunked\r\n', CHUNKS)],
  ['an encoding behind a bare LF', post('X: a\nTransfer-Encoding: chunked\r\n', CHUNKS)],
  ['an empty value and a bare LF', post('X:\nTransfer-Encoding: chunked\r\n', CHUNKS)],
  ['a folded encoding', post('Transfer-Encoding:\r\n chunked\r\n', CHUNKS)],
  ['a folded header', post('X: a\r\n Content-Length: 5\r\n', 'hello')],
  ['a header that begins with a blank', `${LINE} ${HOST}Content-Length: 5\r\n\r\nhello`],
  ['a tab before a length', post('Content-Length:\t5\r\n', 'hello')],
  ['a blank after a length', post('Content-Length: 5 \r\n', 'hello')],
  ['a tab after an encoding', post('Transfer-Encoding: chunked\t\r\n', CHUNKS)],
  ['two different lengths', post('Content-Length: 5\r\nContent-Length: 6\r\n', 'hello!')],
  ['two equal lengths', post('Content-Length: 5\r\nContent-Length: 5\r\n', 'hello')],
  ['a list of lengths', post('Content-Length: 5, 5\r\n', 'hello')],
  ['a sign before a length', post('Content-Length: +5\r\n', 'hello')],
  ['a negative length', post('Content-Length: -5\r\n', 'hello')],
  ['a hexadecimal length', post('Content-Length: 0x5\r\n', 'hello')],
  ['a blank in a length', post('Content-Length: 1 0\r\n', '0123456789')],
  ['zeros before a length', post('Content-Length: 005\r\n', 'hello')],
  ['an endless length', post('Content-Length: 1000000000000000000000\r\n')],
  ['an empty length', post('Content-Length:\r\n')],
  ['a length of zero', post('Content-Length: 0\r\n')],
  ['neither length nor encoding', post('')],
  ['no host', `${LINE}Content-Length: 5\r\n\r\nhello`],
  ['two hosts', post(`Host: b\r\nContent-Length: 5\r\n`, 'hello')],
  ['a host with a path', `${LINE}Host: a/b\r\nContent-Length: 5\r\n\r\nhello`],
  ['a NUL in a name', post('X\0: a\r\nContent-Length: 5\r\n', 'hello')],
  ['a NUL in a value', post('X: \0\r\nContent-Length: 5\r\n', 'hello')],
  ['a control character in a value', post('X: \x1b\r\nContent-Length: 5\r\n', 'hello')],
  ['a value beyond ASCII', post('X: \xe4\r\nContent-Length: 5\r\n', 'hello')],
  ['a name with a bracket', post('X[]: a\r\nContent-Length: 5\r\n', 'hello')],
  ['no name', post(': a\r\nContent-Length: 5\r\n', 'hello')],
  ['a line without a colon', post('X\r\nContent-Length: 5\r\n', 'hello')],
  ['a name of every object', post('__proto__: a\r\nContent-Length: 5\r\n', 'hello')],
  ['a header that Node reads as a list', post('Set-Cookie: a=b\r\nContent-Length: 5\r\n', 'hello')],
  ['100-continue', post('Expect: 100-continue\r\nContent-Length: 5\r\n', 'hello')],
  ['an upgrade', post('Upgrade: h2c\r\nConnection: upgrade\r\nContent-Length: 5\r\n', 'hello')],
  ['a connection with options', post('Connection: close, TE\r\nContent-Length: 5\r\n', 'hello')],
  ['an announced trailer', post(`Trailer: a\r\n${CHUNKED}`, CHUNKS)],
  [
    '65 headers',
    post(`${Array.from({ length: 63 }, (_, at) => `x${at}: a\r\n`).join('')}Content-Length: 5\r\n`, 'hello'),
  ],
  ['a long head', post(`X: ${'a'.repeat(17_000)}\r\nContent-Length: 5\r\n`, 'hello')],
  ['HTTP/1.0', `POST ${HOT_PATH} HTTP/1.0\r\n${HOST}Content-Length: 5\r\n\r\nhello`],
  ['HTTP/1.2', `POST ${HOT_PATH} HTTP/1.2\r\n${HOST}Content-Length: 5\r\n\r\nhello`],
  ['HTTP/0.9', `POST ${HOT_PATH}\r\n${HOST}Content-Length: 5\r\n\r\nhello`],
  ['another protocol', `POST ${HOT_PATH} ICE/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`],
  ['two blanks after the method', `POST  ${HOT_PATH} HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`],
  ['an empty line before', `\r\n${post('Content-Length: 5\r\n', 'hello')}`],
  ['lines that end with LF', post('Content-Length: 5\r\n', 'hello').replaceAll('\r\n', '\n')],
  ['a method in small letters', `post ${HOT_PATH} HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`],
  ['another method', `PUT ${HOT_PATH} HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`],
  ['an absolute address', `POST http://a${HOT_PATH} HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`],
  ['an escaped address', `POST /v1/%6dessages HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`],
  ['a fragment', `POST ${HOT_PATH}#a HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`],
  ['an escaped query', `POST ${HOT_PATH}?a=%00 HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`],
  ['another path', `POST ${HOT_PATH}/ HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`],
  ['a tunnel', `CONNECT a:443 HTTP/1.1\r\n${HOST}\r\n`],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a TLS handshake', '\x16\x03\x01\x00\x05hello'],
]

/** Bodies that the door refuses, as Node does. */
const REFUSED: readonly [string, string][] = [
  ['a sign before a size', post(CHUNKED, '+5\r\nhello\r\n0\r\n\r\n')],
  ['a negative size', post(CHUNKED, '-5\r\nhello\r\n0\r\n\r\n')],
  ['a prefix before a size', post(CHUNKED, '0x5\r\nhello\r\n0\r\n\r\n')],
  ['a blank after a size', post(CHUNKED, '5 \r\nhello\r\n0\r\n\r\n')],
  ['an extension without a semicolon', post(CHUNKED, '5 abc\r\nhello\r\n0\r\n\r\n')],
  ['an extension without a name', post(CHUNKED, '5;\r\nhello\r\n0\r\n\r\n')],
  ['an open quote', post(CHUNKED, '5;a="b\r\nhello\r\n0\r\n\r\n')],
  ['a size beyond numbers', post(CHUNKED, 'fffffffffffffffff\r\nhello')],
  ['a bare LF after a size', post(CHUNKED, '5\nhello\r\n0\r\n\r\n')],
  ['a bare LF after a chunk', post(CHUNKED, '5\r\nhello\n0\r\n\r\n')],
  ['a bare CR after a chunk', post(CHUNKED, '5\r\nhello\r0\r\n\r\n')],
  ['a chunk that is longer than its size', post(CHUNKED, '3\r\nhello\r\n0\r\n\r\n')],
  ['a bare LF in a trailer', post(CHUNKED, '5\r\nhello\r\n0\r\na: b\n\r\n')],
]

describe('the fast door', () => {
  const node = readingServer(false)
  const door = readingServer(true)
  const both = async (bytes: string) => {
    const packets = [Buffer.from(bytes, 'latin1')]
    return { expected: await node.read(packets), found: await door.read(packets) }
  }

  test.each(TAKEN)('reads %s as Node does', async (_name, bytes, bodies) => {
    const { expected, found } = await both(bytes)
    expect(found.requests.map(({ body }) => body)).toEqual(bodies)
    expect(found).toEqual({ ...expected, byDoor: bodies.length })
  })

  test.each(HANDED_OVER)('leaves %s to Node', async (_name, bytes) => {
    const { expected, found } = await both(bytes)
    expect(found).toEqual({ ...expected, byDoor: 0 })
  })

  test.each(REFUSED)('refuses %s as Node does', async (_name, bytes) => {
    const { expected, found } = await both(bytes)
    expect(expected).toMatchObject({ requests: [], isRefused: true })
    expect(found).toEqual({ ...expected, byDoor: 1 })
  })

  test('leaves a head in two packets to Node, and reads a body in many', async () => {
    const bytes = Buffer.from(post('Content-Length: 5\r\n', 'hello'))
    const inHead = await door.read([bytes.subarray(0, 10), bytes.subarray(10)])
    expect(inHead).toMatchObject({ byDoor: 0, requests: [{ body: 'hello' }] })
    const packets = [bytes.subarray(0, -5), ...Array.from('hello', (letter) => Buffer.from(letter))]
    expect(await door.read(packets)).toMatchObject({ byDoor: 1, requests: [{ body: 'hello' }] })
  })

  test('leaves the rest of a connection to Node after a request that it does not read', async () => {
    const plain = post('Content-Length: 2\r\n', 'ok')
    const found = await door.read([Buffer.from(`${plain}${HIDDEN}${plain}`)])
    expect(found.requests.map(({ url }) => url)).toEqual([HOT_PATH, '/admin', HOT_PATH])
    expect(found.byDoor).toBe(1)
  })
})

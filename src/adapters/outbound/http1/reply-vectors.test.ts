import type { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { playReply } from '../../../../test/api/outbound/http1/play-reply.ts'
import { Http1Client } from './http1-client.ts'

/** `kept` and `closed`: the reply is whole, and its connection is kept or closed. */
type Expected = [status: number | undefined, body: string, end: 'kept' | 'closed' | 'broken']

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`
const NOTHING: Expected = [undefined, '', 'broken']

/** Public test cases of HTTP parsers in our own words, and the result of our client. */
const VECTORS: readonly [name: string, bytes: string, expected: Expected][] = [
  // Status line.
  ['a plain reply', `${OK}content-length: 2\r\n\r\nok`, [200, 'ok', 'kept']],
  ['no reason phrase', 'HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n', [200, '', 'kept']],
  ['a reason of one space', 'HTTP/1.1 200 \r\ncontent-length: 0\r\n\r\n', [200, '', 'kept']],
  ['a reason of two spaces', 'HTTP/1.1 200  OK\r\ncontent-length: 0\r\n\r\n', [200, '', 'kept']],
  ['a reason in Latin-1', 'HTTP/1.1 200 caf\xe9\r\ncontent-length: 0\r\n\r\n', [200, '', 'kept']],
  ['a letter missing in HTTP', 'HTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['small letters', 'http/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['RTSP', 'RTSP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['ICY', 'ICY 200 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['a digit before the major version', 'HTTP/01.1 200 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['a digit after the major version', 'HTTP/11.1 200 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['a digit before the minor version', 'HTTP/1.01 200 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['version 5.6', 'HTTP/5.6 200 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['version 2.0', 'HTTP/2.0 200 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['version 0.9', 'HTTP/0.9 200 OK\r\n\r\nok', NOTHING],
  ['a tab after the version', 'HTTP/1.1\t200 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['two spaces after the version', 'HTTP/1.1  200 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['a status of one digit', 'HTTP/1.1 2 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['a status with a letter', 'HTTP/1.1 20a OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['a CR before the reply', '\rHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['an empty line before the reply', '\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['a lone CR after the status line', 'HTTP/1.1 200 OK\rcontent-length: 0\r\n\r\n', NOTHING],
  ['a lone LF after the status line', 'HTTP/1.1 200 OK\ncontent-length: 0\r\n\r\n', NOTHING],
  ['line ends of LF only', 'HTTP/1.1 200 OK\ncontent-length: 0\n\n', NOTHING],
  ['NUL in the reason', 'HTTP/1.1 200 O\0K\r\ncontent-length: 0\r\n\r\n', NOTHING],
  ['a body without a head', '<html>hello</html>', NOTHING],
  ['TLS where none was asked for', '\x15\x03\x01\x00\x02\x02\x16', NOTHING],
  // Header fields.
  ['a field without a value', `${OK}x-empty:\r\ncontent-length: 0\r\n\r\n`, [200, '', 'kept']],
  ['a value in Latin-1', `${OK}x: caf\xe9\r\ncontent-length: 0\r\n\r\n`, [200, '', 'kept']],
  ['tabs around a value', `${OK}content-length:\t2\t\r\n\r\nok`, [200, 'ok', 'kept']],
  ['a space before the first field', `${OK} host: foo\r\ncontent-length: 0\r\n\r\n`, NOTHING],
  ['a space before the colon', `${OK}content-length : 0\r\n\r\n`, NOTHING],
  ['a space within a name', `${OK}content length: 0\r\n\r\n`, NOTHING],
  ['no name', `${OK}: x\r\ncontent-length: 0\r\n\r\n`, NOTHING],
  ['no colon', `${OK}hello\r\ncontent-length: 0\r\n\r\n`, NOTHING],
  ['a folded value', `${OK}x: one\r\n two\r\ncontent-length: 0\r\n\r\n`, NOTHING],
  ['a value folded with a tab', `${OK}x: one\r\n\ttwo\r\ncontent-length: 0\r\n\r\n`, NOTHING],
  ['fields with a lone CR between them', `${OK}foo: 1\rbar: 2\r\ncontent-length: 0\r\n\r\n`, NOTHING],
  ['fields with a lone LF between them', `${OK}foo: 1\nbar: 2\r\ncontent-length: 0\r\n\r\n`, NOTHING],
  ['NUL in a value', `${OK}x: a\0b\r\ncontent-length: 0\r\n\r\n`, NOTHING],
  ['a control character in a value', `${OK}x: a\x08b\r\ncontent-length: 0\r\n\r\n`, NOTHING],
  ['DEL in a value', `${OK}x: a\x7fb\r\ncontent-length: 0\r\n\r\n`, NOTHING],
  ['a name in Latin-1', `${OK}caf\xe9: x\r\ncontent-length: 0\r\n\r\n`, NOTHING],
  ['a lone CR in place of the empty line', `${OK}content-length: 0\r\n\rok`, NOTHING],
  // Content-Length.
  ['a length of 0', `${OK}content-length: 0\r\n\r\n`, [200, '', 'kept']],
  ['a length in capitals', `${OK}CONTENT-LENGTH: 2\r\n\r\nok`, [200, 'ok', 'kept']],
  [
    'a name that begins like a length',
    `${OK}content-length-x: 1\r\ncontent-length: 2\r\n\r\nok`,
    [200, 'ok', 'kept'],
  ],
  ['a body that is too short', `${OK}content-length: 5\r\n\r\nok`, [200, 'ok', 'broken']],
  ['a body that is too long', `${OK}content-length: 2\r\n\r\nokay`, [200, 'ok', 'closed']],
  ['the same length twice', `${OK}content-length: 2\r\ncontent-length: 2\r\n\r\nok`, NOTHING],
  ['two lengths', `${OK}content-length: 2\r\ncontent-length: 4\r\n\r\nokay`, NOTHING],
  ['a list of lengths', `${OK}content-length: 2, 2\r\n\r\nok`, NOTHING],
  ['a length with a plus', `${OK}content-length: +2\r\n\r\nok`, NOTHING],
  ['a negative length', `${OK}content-length: -2\r\n\r\nok`, NOTHING],
  ['a hexadecimal length', `${OK}content-length: 0x2\r\n\r\nok`, NOTHING],
  ['a length with a space within', `${OK}content-length: 4 2\r\n\r\nok`, NOTHING],
  ['an empty length', `${OK}content-length:\r\n\r\nok`, NOTHING],
  ['a length of more than 64 bits', `${OK}content-length: 18446744073709551618\r\n\r\nok`, NOTHING],
  ['no length: until the end', `${OK}\r\nok`, [200, 'ok', 'closed']],
  // Transfer-Encoding.
  ['chunks', `${CHUNKED}2\r\nok\r\n0\r\n\r\n`, [200, 'ok', 'kept']],
  [
    'chunks in capitals',
    `${OK}Transfer-Encoding: CHUNKED\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n`,
    [200, '0123456789', 'kept'],
  ],
  ['leading zeros of a size', `${CHUNKED}0002\r\nok\r\n000\r\n\r\n`, [200, 'ok', 'kept']],
  [
    'chunks and a length',
    `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    NOTHING,
  ],
  [
    'a length after the coding',
    `${OK}transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    NOTHING,
  ],
  [
    'chunked before another coding',
    `${OK}transfer-encoding: chunked, deflate\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    NOTHING,
  ],
  [
    'chunked after another coding',
    `${OK}transfer-encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    NOTHING,
  ],
  [
    'codings in two fields',
    `${OK}transfer-encoding: chunked\r\ntransfer-encoding: deflate\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    NOTHING,
  ],
  [
    'chunked twice',
    `${OK}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    NOTHING,
  ],
  ['chunkedchunked', `${OK}transfer-encoding: chunkedchunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`, NOTHING],
  ['identity', `${OK}transfer-encoding: identity\r\n\r\nok`, NOTHING],
  ['an empty coding', `${OK}transfer-encoding:\r\n\r\nok`, NOTHING],
  ['a coding in quotes', `${OK}transfer-encoding: "chunked"\r\n\r\n0\r\n\r\n`, NOTHING],
  ['a coding with a vertical tab', `${OK}transfer-encoding: \x0bchunked\r\n\r\n0\r\n\r\n`, NOTHING],
  ['a folded coding', `${OK}transfer-encoding: chunked\r\n abc\r\n\r\n0\r\n\r\n`, NOTHING],
  ['a coding with a space before the colon', `${OK}transfer-encoding : chunked\r\n\r\n0\r\n\r\n`, NOTHING],
  // Chunks.
  ['an extension', `${CHUNKED}2;a=b;c\r\nok\r\n0;d="e f"\r\n\r\n`, [200, 'ok', 'kept']],
  ['a quoted extension that never closes', `${CHUNKED}2;a="b\r\nok\r\n0\r\n\r\n`, [200, '', 'broken']],
  ['an extension with a control character', `${CHUNKED}2;a\x01=b\r\nok\r\n0\r\n\r\n`, [200, '', 'broken']],
  ['an extension that ends with LF', `${CHUNKED}2;a\nok\r\n0\r\n\r\n`, [200, '', 'broken']],
  ['spaces after a size', `${CHUNKED}2  \r\nok\r\n0\r\n\r\n`, [200, '', 'broken']],
  ['a space before a size', `${CHUNKED} 2\r\nok\r\n0\r\n\r\n`, [200, '', 'broken']],
  ['a size that is no number', `${CHUNKED}zz\r\nok\r\n0\r\n\r\n`, [200, '', 'broken']],
  ['a size with 0x', `${CHUNKED}0x2\r\nok\r\n0\r\n\r\n`, [200, '', 'broken']],
  ['a negative size', `${CHUNKED}-2\r\nok\r\n0\r\n\r\n`, [200, '', 'broken']],
  ['no size', `${CHUNKED}\r\nok\r\n0\r\n\r\n`, [200, '', 'broken']],
  ['a size that overflows', `${CHUNKED}10000000000000002\r\nok\r\n0\r\n\r\n`, [200, '', 'broken']],
  ['a size that ends with LF', `${CHUNKED}2\nok\r\n0\r\n\r\n`, [200, '', 'broken']],
  ['a size that ends with a lone CR', `${CHUNKED}2\rok\r\n0\r\n\r\n`, [200, '', 'broken']],
  ['a chunk without a line end', `${CHUNKED}2\r\nok0\r\n\r\n`, [200, 'ok', 'broken']],
  ['a chunk that ends with LF', `${CHUNKED}2\r\nok\n0\r\n\r\n`, [200, 'ok', 'broken']],
  ['a chunk longer than its size', `${CHUNKED}2\r\nokay\r\n0\r\n\r\n`, [200, 'ok', 'broken']],
  ['no last chunk', `${CHUNKED}2\r\nok\r\n`, [200, 'ok', 'broken']],
  ['no empty line after the last chunk', `${CHUNKED}2\r\nok\r\n0\r\n`, [200, 'ok', 'broken']],
  ['trailers', `${CHUNKED}2\r\nok\r\n0\r\nx-sum: 1\r\nx: y\r\n\r\n`, [200, 'ok', 'kept']],
  ['a trailer that is no field', `${CHUNKED}2\r\nok\r\n0\r\nhello\r\n\r\n`, [200, 'ok', 'broken']],
  [
    'a length among the trailers changes nothing',
    `${CHUNKED}2\r\nok\r\n0\r\ncontent-length: 9\r\n\r\n`,
    [200, 'ok', 'kept'],
  ],
  [
    'a second reply among the chunks',
    `${CHUNKED}2\r\nok\r\n0\r\n\r\n${OK}content-length: 3\r\n\r\nbad`,
    [200, 'ok', 'closed'],
  ],
  // The header `Connection`.
  ['close', `${OK}connection: close\r\ncontent-length: 2\r\n\r\nok`, [200, 'ok', 'closed']],
  ['close among others', `${OK}connection: x, Close\r\ncontent-length: 2\r\n\r\nok`, [200, 'ok', 'closed']],
  [
    'close in a second field',
    `${OK}connection: keep-alive\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok`,
    [200, 'ok', 'closed'],
  ],
  [
    'proxy-connection changes nothing',
    `${OK}proxy-connection: close\r\ncontent-length: 2\r\n\r\nok`,
    [200, 'ok', 'kept'],
  ],
  ['version 1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok', [200, 'ok', 'closed']],
  [
    'version 1.0 that keeps',
    'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok',
    [200, 'ok', 'kept'],
  ],
  [
    'version 1.0 that keeps, without a length',
    'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\n\r\nok',
    [200, 'ok', 'closed'],
  ],
  [
    'version 1.0 with chunks',
    'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    [200, '', 'closed'],
  ],
  ['keep-alive without a length', `${OK}connection: keep-alive\r\n\r\nok`, [200, 'ok', 'closed']],
  ['two replies', `${OK}content-length: 2\r\n\r\nok${OK}content-length: 3\r\n\r\nbad`, [200, 'ok', 'closed']],
  ['an empty line after the reply', `${OK}content-length: 2\r\n\r\nok\r\n`, [200, 'ok', 'closed']],
  // Replies without a body.
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n', [204, '', 'closed']],
  ['204 with a body', 'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok', [204, '', 'closed']],
  [
    '204 with chunks',
    'HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    [204, '', 'closed'],
  ],
  ['205', 'HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n', [205, '', 'closed']],
  [
    '304 with the length of what it leaves out',
    'HTTP/1.1 304 Not Modified\r\ncontent-length: 2\r\n\r\n',
    [304, '', 'closed'],
  ],
  // Interim responses and upgrades.
  [
    '103 before the reply',
    `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${OK}content-length: 2\r\n\r\nok`,
    [200, 'ok', 'kept'],
  ],
  ['103 alone', 'HTTP/1.1 103 Early Hints\r\n\r\n', NOTHING],
  [
    '103 with a length',
    `HTTP/1.1 103 Early Hints\r\ncontent-length: 2\r\n\r\n${OK}content-length: 2\r\n\r\nok`,
    [200, 'ok', 'kept'],
  ],
  [
    '103 that closes',
    `HTTP/1.1 103 Early Hints\r\nconnection: close\r\n\r\n${OK}content-length: 2\r\n\r\nok`,
    NOTHING,
  ],
  ['100, which was not asked for', `HTTP/1.1 100 Continue\r\n\r\n${OK}content-length: 2\r\n\r\nok`, NOTHING],
  ['101', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\nproto', NOTHING],
  [
    '101 with a length',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\ncontent-length: 4\r\n\r\nbody',
    NOTHING,
  ],
  [
    'an upgrade that is only offered',
    `${OK}connection: upgrade\r\nupgrade: h2c\r\ncontent-length: 2\r\n\r\nok`,
    [200, 'ok', 'kept'],
  ],
  [
    '426 with a body',
    'HTTP/1.1 426 Upgrade Required\r\nconnection: upgrade\r\nupgrade: h2c\r\ncontent-length: 2\r\n\r\nok',
    [426, 'ok', 'kept'],
  ],
]

test.each(VECTORS)('%s', async (_name, text, [status, body, end]) => {
  const bytes = Buffer.from(text, 'latin1')
  const everyByte = Array.from({ length: bytes.length }, (_, at) => at)
  for (const cuts of [[], everyByte]) {
    const played = await playReply({ method: 'POST', bytes, cuts, pauses: 'never' }, openClient)
    const shown = played.end === 'whole' ? (played.isReused ? 'kept' : 'closed') : 'broken'
    expect([played.status, played.body, shown]).toEqual([status, body, end])
  }
})

test('a reply to HEAD has no body, whatever its length', async () => {
  const bytes = Buffer.from(`${OK}content-length: 2\r\n\r\n`)
  const played = await playReply({ method: 'HEAD', bytes, cuts: [], pauses: 'never' }, openClient)
  expect(played).toMatchObject({ status: 200, body: '', end: 'whole' })
})

function openClient(open: () => Duplex): Http1Client {
  return new Http1Client({
    origin: new URL('http://vendor.example'),
    ...{ connections: 2, connectTimeoutMs: 10_000, headersTimeoutMs: 0, bodyTimeoutMs: 0 },
    open: (done) => queueMicrotask(() => done(undefined, open())),
  })
}

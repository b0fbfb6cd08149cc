import { expect, test } from 'vitest'
import { createHeadWriter, type WireRequest } from './request-head.ts'

const writeHead = createHeadWriter(new URL('https://vendor.example/base'))
const REQUEST: WireRequest = { method: 'POST', path: '/x', headers: {}, body: 'é' }

const START = 'POST /x HTTP/1.1\r\nhost: vendor.example\r\nconnection: keep-alive\r\n'

test.each<[string, Partial<WireRequest>, string]>([
  ['a body is counted in bytes', {}, `${START}content-length: 2\r\n\r\n`],
  ['a POST without a body has the length 0', { body: null }, `${START}content-length: 0\r\n\r\n`],
  ['an empty body has the length 0', { body: new Uint8Array() }, `${START}content-length: 0\r\n\r\n`],
  [
    'a GET without a body has no length',
    { method: 'GET', body: null },
    'GET /x HTTP/1.1\r\nhost: vendor.example\r\nconnection: keep-alive\r\n\r\n',
  ],
  [
    'headers keep their spelling and order, and host and length are written once',
    { headers: { 'X-B': '1', 'x-a': '', Host: 'other.example', 'Content-Length': '2' } },
    'POST /x HTTP/1.1\r\nhost: other.example\r\nconnection: keep-alive\r\nX-B: 1\r\nx-a: \r\ncontent-length: 2\r\n\r\n',
  ],
])('%s', (_what, changes, text) => {
  expect(writeHead({ ...REQUEST, ...changes })).toMatchObject({ text, isLast: false })
})

test('a connection is not reused after close, HEAD, or a body with a method that usually has none', () => {
  expect(writeHead({ ...REQUEST, headers: { connection: 'x, Close' } })).toMatchObject({ isLast: true })
  expect(writeHead({ ...REQUEST, method: 'HEAD', body: null }).text).toContain('connection: close\r\n')
  expect(writeHead({ ...REQUEST, method: 'DELETE' })).toMatchObject({ isLast: true, bodyBytes: 2 })
})

test('only frozen headers are cached', () => {
  const headers = { 'x-a': '1' }
  expect(writeHead({ ...REQUEST, headers }).text).toContain('x-a: 1\r\n')
  headers['x-a'] = '2'
  expect(writeHead({ ...REQUEST, headers: Object.freeze(headers) }).text).toContain('x-a: 2\r\n')
  expect(writeHead({ ...REQUEST, headers }).text).toContain('x-a: 2\r\n')
})

test.each<[Partial<WireRequest>, string]>([
  [{ path: 'x' }, 'UND_ERR_INVALID_ARG'],
  [{ path: '/a b' }, 'UND_ERR_INVALID_ARG'],
  [{ path: '/a\r\nx: y' }, 'UND_ERR_INVALID_ARG'],
  [{ path: '/\u0100' }, 'UND_ERR_INVALID_ARG'],
  [{ method: 'GET /' }, 'UND_ERR_INVALID_ARG'],
  [{ headers: { 'x y': '' } }, 'UND_ERR_INVALID_ARG'],
  [{ headers: { '': '' } }, 'UND_ERR_INVALID_ARG'],
  [{ headers: { x: 'a\r\ny: b' } }, 'UND_ERR_INVALID_ARG'],
  [{ headers: { x: 'a\0' } }, 'UND_ERR_INVALID_ARG'],
  [{ headers: { x: '\u0100' } }, 'UND_ERR_INVALID_ARG'],
  [{ headers: { host: 'a', Host: 'b' } }, 'UND_ERR_INVALID_ARG'],
  [{ headers: { 'content-length': '2', 'Content-Length': '2' } }, 'UND_ERR_INVALID_ARG'],
  [{ headers: { 'content-length': '2 ' } }, 'UND_ERR_INVALID_ARG'],
  [{ headers: { 'content-length': '3' } }, 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'],
  [{ headers: { 'Transfer-Encoding': 'chunked' } }, 'UND_ERR_INVALID_ARG'],
  [{ headers: { 'keep-alive': 'timeout=5' } }, 'UND_ERR_INVALID_ARG'],
  [{ headers: { upgrade: 'h2c' } }, 'UND_ERR_INVALID_ARG'],
  [{ headers: { connection: 'a b' } }, 'UND_ERR_INVALID_ARG'],
  [{ headers: { expect: '100-continue' } }, 'UND_ERR_NOT_SUPPORTED'],
])('refuses %j', (changes, code) => {
  expect(() => writeHead({ ...REQUEST, ...changes })).toThrow(expect.objectContaining({ code }))
})

import { HOT_PATH } from './two-servers.ts'

export const BYTES = [
  ...(['\r', '\n', '\r\n', '\0', ' ', '\t', ':', ';', ',', '0', '1', '9', 'a', 'f', 'g', '-', '+'] as const),
  ...['\x7f', '\x80', '\xff', '"', '\\', '/', '?', '\x0b', '\x0c', '\x01', '%', '#'],
  ...['\r\n\r\n', '\n\n', 'POST / HTTP/1.1\r\n'],
] as const

export const ODD_LINE_ENDS = ['\n', '\r', '', '\r\n\r\n', ' \r\n', '\rX', 'X\r\n'] as const
export const ODD_TRAILERS = [
  ...(['a: b\r\n', 'a : b\r\n', 'a\r\n', ' a: b\r\n', 'Content-Length: 5\r\n', 'a: b\n', ': b\r\n'] as const),
  ...[
    'Transfer-Encoding: chunked\r\n',
    'Host: b\r\n',
    'a: \x00\r\n',
    'a: b\r\nc: d\r\n',
    'a: \xe4\r\n',
    'a: b\r\n c\r\n',
    'a: b\r\n'.repeat(40),
    `a: ${'b'.repeat(1_010)}\r\n`.repeat(2),
    'POST / HTTP/1.1\r\n',
    'Connection: close\r\n',
  ],
] as const

export const ODD_TARGETS = [
  ...([
    '/v1/messages/',
    '/V1/messages',
    '//v1/messages',
    '/v1/%6dessages',
    '/v1/messages#a',
    '*',
    '',
    '/',
  ] as const),
  ...[
    `http://gateway.example${HOT_PATH}`,
    `${HOT_PATH}?a b`,
    `${HOT_PATH}?a=%00`,
    `${HOT_PATH}?\xff`,
    `${HOT_PATH}?`,
  ],
  ...[
    `${HOT_PATH};a`,
    `/x/..${HOT_PATH}`,
    'gateway.example:80',
    `${HOT_PATH}\t`,
    `\\v1\\messages`,
    `${HOT_PATH}?a=b&c=d`,
  ],
] as const

export const GET_TARGETS = [
  '/v1/models',
  '/v1/models?limit=5',
  '/v1/videos/video_0a-b',
  '/v1/videos/a.b?x=1&y=2',
] as const
export const ODD_GET_TARGETS = [
  ...([
    '/v1/models/',
    '/v1/videos/',
    '/v1/videos/..',
    '/v1/videos/a/b',
    '/v1/videos/%2e%2e',
    '/v1/videos/a;b',
  ] as const),
  ...[
    HOT_PATH,
    '/v1/videos/\xff',
    '/v1/videos/a#b',
    '/v1/models??',
    '/v1/models?a=b c',
    '/',
    '',
    '*',
    '/v1/videos/:id',
  ],
  ...['http://gateway.example/v1/models', '//v1/models', '/V1/MODELS', '/v1/models\t', '/v1/videos/a b'],
] as const

export const ODD_VERSIONS = [
  ...([
    'HTTP/1.0',
    'HTTP/0.9',
    'HTTP/2.0',
    'HTTP/1.2',
    'http/1.1',
    'HTTP/1.1 ',
    'HTTP/1.10',
    'HTTP/01.1',
  ] as const),
  ...['HTTP/1,1', 'HTTPS/1.1', '', 'HTTP/1.1\t', 'HTTP/ 1.1', 'ICE/1.1'],
] as const

/** Public cases of request smuggling, and headers that change how a connection is read. */
export const ODD_HEADERS = [
  ...(['Content-Length: 5', 'Content-Length: 0', 'Content-Length: +5', 'Content-Length: -1'] as const),
  ...[
    'Content-Length: 5, 5',
    'Content-Length: 5,6',
    'Content-Length: 0x5',
    'Content-Length: 5 5',
    'Content-Length:',
  ],
  ...[
    'Content-Length : 5',
    'Content-Length\t: 5',
    ' Content-Length: 5',
    'Content-Length: 5\x0b',
    'Content-Length: 1e1',
  ],
  ...[
    'Content-Length: 00005',
    'Content-Length: 99999999999999999999',
    'Content_Length: 5',
    'Content-Length: "5"',
  ],
  ...['Transfer-Encoding: chunked', 'Transfer-Encoding: identity', 'Transfer-Encoding: gzip, chunked'],
  ...[
    'Transfer-Encoding: chunked, identity',
    'Transfer-Encoding: chunked, chunked',
    'Transfer-Encoding: xchunked',
  ],
  ...[
    'Transfer-Encoding : chunked',
    'Transfer-Encoding:\tchunked',
    'Transfer-Encoding: \x0bchunked',
    'transfer-encoding:',
  ],
  ...[
    'Transfer-Encoding: "chunked"',
    'Transfer-Encoding: chunk',
    'Transfer-Encoding: CHUNKED',
    'X: a\r\n Transfer-Encoding: chunked',
  ],
  ...[
    'Transfer-Encoding:\r\n chunked',
    'X: b\rTransfer-Encoding: chunked',
    'X: b\nTransfer-Encoding: chunked',
  ],
  ...[
    'Transfer\x00Encoding: chunked',
    'Transfer-Encoding: chunked\x00',
    'Transfer-Encoding;: chunked',
    'TE: trailers',
  ],
  ...[
    'Host: other.example',
    'Host:',
    'host : a',
    'Expect: 100-continue',
    'Upgrade: h2c',
    'Connection: upgrade',
  ],
  ...[
    'Connection: close',
    'Connection: close, keep-alive',
    'Proxy-Connection: close',
    'Trailer: a',
    'X: \x01',
    'X: \x7f',
  ],
  ...[
    'X: \xe4',
    'Set-Cookie: a=b',
    '__proto__: a',
    'constructor: a',
    'X Y: a',
    'X: a\r\n\tb',
    ': a',
    'X',
    '',
    'X: \x00',
    '@: a',
    'X[]: a',
  ],
  ...(['Authorization: Bearer other', 'x-api-key: a\r\nX-API-Key: b', 'cookie: a\r\nCookie: b'] as const),
  ...['toString: a', 'hasOwnProperty: a', '__defineGetter__: a', 'Content-Type: text/plain', 'Range: a'],
  ...['Connection: Keep-Alive', 'CONNECTION: CLOSE', 'Connection:', 'Connection: keep-alive, keep-alive'],
  ...['Connection: Transfer-Encoding', 'Connection: content-length', 'Upgrade:', 'Upgrade: websocket'],
  ...[
    'Content-Length: 5;',
    'Content-Length: \xb2',
    'Content-Length: 5\r',
    'Content-Length:\x0c5',
    'TE: chunked',
  ],
  ...['Transfer-Encoding: Chunked', 'Transfer-Encoding: chunked;q=1', 'Transfer-Encoding: ,chunked'],
  ...['Transfer-Encoding: chunked,', 'Transfer_Encoding: chunked', 'Keep-Alive: timeout=0, max=1'],
  ...['X-HTTP-Method-Override: GET', 'X-Original-URL: /admin', 'Content-Length: 1\r\nX: a\r\n b'],
] as const

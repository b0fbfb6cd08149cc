import type { SeededRandom } from '../../../random/seeded-random.ts'
import { HOT_PATH } from './two-servers.ts'

/** Draws the bytes of a connection: one to three requests, most of them plain, some unusual, some damaged. */
export function drawBytes(random: SeededRandom): Buffer {
  const count = random.pick([1, 1, 1, 2, 3])
  const isPlain = random.next() < 0.4
  const requests = Array.from({ length: count }, () => drawRequest(random, isPlain))
  const bytes = Buffer.from(requests.join(''), 'latin1')
  return isPlain || random.next() < 0.5 ? bytes : damaged(bytes, random)
}

/** Cuts them where packets could end: anywhere, or between requests. */
export function drawPackets(bytes: Buffer, random: SeededRandom): Buffer[] {
  const cuts = random.next() < 0.5 ? 0 : random.integer(1, 4)
  const starts = random.next() < 0.2 ? [...bytes.toString('latin1').matchAll(/POST /g)] : []
  const drawn = Array.from({ length: cuts }, () => random.integer(0, bytes.length))
  const places = [...drawn, ...starts.map(({ index }) => index)].toSorted((a, b) => a - b)
  return [...places, bytes.length]
    .map((end, at) => bytes.subarray(places[at - 1] ?? 0, end))
    .filter(({ length }) => length > 0)
}

function drawRequest(random: SeededRandom, isPlain: boolean): string {
  const odd = (chance: number) => !isPlain && random.next() < chance
  const body = drawBody(random)
  const isChunked = random.next() < 0.5
  const method = odd(0.05) ? random.pick(['GET', 'post', 'PUT', 'POST ', ' POST', 'POST\t', 'HEAD']) : 'POST'
  const target = odd(0.1)
    ? random.pick(ODD_TARGETS)
    : random.pick([HOT_PATH, HOT_PATH, `${HOT_PATH}?beta=true`])
  const version = odd(0.05) ? random.pick(ODD_VERSIONS) : 'HTTP/1.1'
  const lineEnd = odd(0.03) ? random.pick(['\n', '\r', '\r\r\n', '\n\r']) : '\r\n'
  const headers = ['Host: gateway.example', 'Authorization: Bearer key', 'content-type: application/json']
  if (random.next() < 0.3)
    headers.push(random.pick(['Connection: keep-alive', 'Connection: close', 'X-Empty:', 'accept:  */*']))
  headers.push(isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`)
  if (odd(0.4)) headers.splice(random.integer(0, headers.length), 0, random.pick(ODD_HEADERS))
  if (odd(0.1)) headers.splice(random.integer(0, headers.length - 1), 1)
  if (odd(0.02)) for (let more = 0; more < 62; more++) headers.push(`x-${more}: ${more}`)
  const head = [`${method} ${target} ${version}`, ...headers, '', ''].join(lineEnd)
  return head + (isChunked ? drawChunks(body, random, odd) : body)
}

function drawBody(random: SeededRandom): string {
  const length = random.pick([1, 2, 15, 16, 17, 63, 64, 300])
  // A body that looks like a request is what smuggling needs.
  const text = random.pick([
    '{"a":[1,2]} ',
    `POST ${HOT_PATH} HTTP/1.1\r\nHost: b\r\n\r\n`,
    '0\r\n\r\n',
    '\xff\x00\r\n',
  ])
  return text.repeat(length).slice(0, length)
}

function drawChunks(body: string, random: SeededRandom, odd: (chance: number) => boolean): string {
  let text = ''
  let rest = body
  while (rest.length > 0) {
    const size = Math.min(rest.length, random.pick([1, 1, 2, 7, 100]))
    text += `${drawSize(size, random, odd)}\r\n${rest.slice(0, size)}${odd(0.01) ? random.pick(ODD_LINE_ENDS) : '\r\n'}`
    rest = rest.slice(size)
  }
  const last = odd(0.05) ? random.pick(['00', '0000000000', '0;a=b', '-0', '+0', '0 ', ' 0', '0x0', '']) : '0'
  return `${text}${last}\r\n${odd(0.1) ? random.pick(ODD_TRAILERS) : ''}\r\n`
}

function drawSize(size: number, random: SeededRandom, odd: (chance: number) => boolean): string {
  const digits = size.toString(16)
  if (!odd(0.03)) return random.next() < 0.2 ? digits.toUpperCase() : digits
  return random.pick([
    ...([`+${digits}`, `-${digits}`, `0x${digits}`, ` ${digits}`, `${digits} `, `0${digits}`] as const),
    ...[
      `00000000${digits}`,
      `${digits};`,
      `${digits};a`,
      `${digits};a=b`,
      `${digits};a="b c"`,
      `${digits};a=b;c`,
    ],
    ...[
      `${digits};a="b\\"c"`,
      `${digits};a=`,
      `${digits} ;a`,
      `${digits};a =b`,
      `${digits};\x00`,
      `${digits}g`,
      '',
    ],
    ...[
      `${digits};${'x'.repeat(900)}`,
      `${digits}${';a=b'.repeat(200)}`,
      `1${digits}00000000`,
      `fffffffffffffff${digits}`,
      `${digits};a="\xe4"`,
    ],
  ])
}

/** Replaces, adds or removes a few bytes. */
function damaged(bytes: Buffer, random: SeededRandom): Buffer {
  let found = bytes
  for (let times = random.integer(1, 3); times > 0; times--) {
    const at = random.integer(0, found.length - 1)
    const kept = found.subarray(0, at)
    const added = Buffer.from(random.pick(BYTES), 'latin1')
    const rest = found.subarray(at + random.pick([0, 1, 1, 2]))
    found = Buffer.concat([kept, ...(random.next() < 0.8 ? [added] : []), rest])
  }
  return found
}

const BYTES = [
  ...(['\r', '\n', '\r\n', '\0', ' ', '\t', ':', ';', ',', '0', '1', '9', 'a', 'f', 'g', '-', '+'] as const),
  ...['\x7f', '\x80', '\xff', '"', '\\', '/', '?', '\x0b', '\x0c', '\x01', '%', '#'],
  ...['\r\n\r\n', '\n\n', 'POST / HTTP/1.1\r\n'],
] as const

const ODD_LINE_ENDS = ['\n', '\r', '', '\r\n\r\n', ' \r\n', '\rX', 'X\r\n'] as const
const ODD_TRAILERS = [
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

const ODD_TARGETS = [
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

const ODD_VERSIONS = [
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
const ODD_HEADERS = [
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

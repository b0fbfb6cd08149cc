import type { SeededRandom } from '../../../random/seeded-random.ts'

/** Bytes that a vendor sends back, and how they arrive. */
export interface ReplyCase {
  method: 'GET' | 'POST' | 'HEAD'
  bytes: Buffer
  /** Offsets at which a new read begins. */
  cuts: number[]
  /** Pauses of the receiver. */
  pauses: 'never' | 'at the head' | 'always'
}

/** Mostly good replies; about one in three has something wrong. */
export function drawReply(random: SeededRandom): ReplyCase {
  const body = drawBody(random)
  const parts = [drawInterim(random), drawHead(random, body), body.wire, drawMore(random)]
  const whole = Buffer.from(parts.join(''), 'latin1')
  const damaged = isOneIn(random, 12) ? damage(random, whole) : whole
  const bytes = isOneIn(random, 8) ? damaged.subarray(0, random.integer(0, damaged.length)) : damaged
  return {
    method: random.pick(['GET', 'POST', 'POST', 'POST', 'HEAD']),
    bytes,
    cuts: drawCuts(random, bytes.length),
    pauses: random.pick(['never', 'never', 'never', 'at the head', 'always']),
  }
}

interface Body {
  text: string
  /** The body on the wire, with the frames of its chunks if it has any. */
  wire: string
  isChunked: boolean
}

const VERSIONS = usually('HTTP/1.1', 50, [
  ...repeat('HTTP/1.0', 6),
  ...['HTTP/1.2', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/11', 'ICY', '\r\nHTTP/1.1', ' HTTP/1.1'],
])
const STATUSES = usually('200', 60, [
  ...['201', '204', '204', '304', '302', '400', '429', '500', '503', '999'],
  ...['099', '2000', '20', '2x0', '', '-20', '600'],
])
const REASONS = usually(' OK', 80, [
  '',
  ' ',
  ' Not Found',
  ' caf\xe9',
  ' a\tb',
  '  two',
  ' \x01',
  ' \x7f',
  '\tOK',
  ' \0',
])
const LINE_ENDS = usually('\r\n', 1_500, ['\n', '\r', '\r\r\n', '\n\r', ' \r\n'])
const PLAIN_FIELDS: readonly [string, ...string[]] = [
  'content-type: application/json',
  'Content-Type: text/event-stream; charset=utf-8',
  'DATE: Mon, 16 Nov 2026 10:00:00 GMT',
  'x-request-id: req_0123456789',
  'x-empty:',
  'x-blank:   ',
  'x-wide: \t a  b \t ',
  'set-cookie: a=1',
  'Set-Cookie: b=2',
  'x-latin: caf\xe9 \xff',
  '__proto__: x',
  'constructor: y',
  'retry-after: 3',
  "!#$%&'*+-.^_`|~9: token",
  'keep-alive: timeout=5, max=100',
  'keep-alive: timeout=1',
  'Keep-Alive: timeout=2',
  'keep-alive: max=4',
  'upgrade: h2c',
  'trailer: x-sum',
]
const ODD_FIELDS: readonly [string, ...string[]] = [
  'x-name : space before the colon',
  'x-folded: one\r\n two',
  'x-folded: one\r\n\ttwo',
  ': no name',
  'no colon',
  'x y: space within',
  'x-nul: a\0b',
  'x-control: a\x01b',
  'x-delete: a\x7fb',
  'x-cr: a\rb',
  'x-lf: a\nb',
  '\xe9: latin name',
  'x(y): parenthesis',
  ' leading: space',
  'x-long: '.padEnd(17_000, 'l'),
  `x-nearly: ${'n'.repeat(15_000)}`,
  `x-blanks: ${' '.repeat(17_000)}x`,
]
const CONNECTIONS = usually('', 6, [
  ...['connection: close', 'Connection: Close', 'connection: keep-alive', 'connection: Keep-Alive, x'],
  ...[
    'connection: close, keep-alive',
    'connection: x\r\nconnection: close',
    'connection:',
    'connection: upgrade',
  ],
  ...['connection: keep-alive\r\nconnection: close', 'connection: closed', 'connection: x close'],
])
const ODD_LENGTHS: readonly [string, ...string[]] = [
  ...(['+5', '-1', '0x5', '', '5, 5', '5 5', '5;', '99999999999999999999', '1e3', '05', ' 5 '] as const),
]
const CODINGS = usually('chunked', 40, [
  ...['Chunked', 'CHUNKED', 'gzip, chunked', 'chunked, gzip', 'identity', 'chunked, chunked', 'chunked '],
  ...['x', '', 'chunked\r\ntransfer-encoding: chunked', ' chunked', 'chunked;q=1', 'chunkedx'],
])
const EXTENSIONS = usually('', 300, [
  ...[
    ';a=b',
    ';a',
    ';a="x y"',
    ';a="x\\"y"',
    ';a;b=c',
    '; a',
    ';a =b',
    ' ',
    ';',
    ';a="',
    ';a=',
    ';;',
    '\t',
    ';a=\xe9',
  ],
])
const TRAILERS = usually('', 20, [
  'x-sum: 1\r\n',
  'x-sum: 1\r\nx-more: 2\r\n',
  'bad trailer\r\n',
  'x: a\r\n b\r\n',
  'x: \0\r\n',
])

function drawInterim(random: SeededRandom): string {
  if (!isOneIn(random, 10)) return ''
  const status = random.pick(
    usually('103 Early Hints', 8, ['102 Processing', '100 Continue', '101 Switching Protocols', '199 x']),
  )
  const field = random.pick([
    'link: </x>\r\n',
    '',
    'content-length: 3\r\n',
    'connection: upgrade\r\nupgrade: h2c\r\n',
  ])
  return `HTTP/1.1 ${status}\r\n${field}\r\n`.repeat(random.integer(1, 2))
}

function drawHead(random: SeededRandom, body: Body): string {
  const lines = [
    `${random.pick(VERSIONS)} ${random.pick(STATUSES)}${random.pick(REASONS)}`,
    ...Array.from({ length: random.integer(0, 5) }, () => random.pick(PLAIN_FIELDS)),
    random.pick(CONNECTIONS),
    ...drawFraming(random, body),
  ].filter((line) => line !== '')
  if (isOneIn(random, 15)) lines.splice(random.integer(1, lines.length), 0, random.pick(ODD_FIELDS))
  return `${lines.map((line) => line + random.pick(LINE_ENDS)).join('')}${random.pick(LINE_ENDS)}`
}

function drawFraming(random: SeededRandom, { text, isChunked }: Body): string[] {
  const length = `content-length: ${text.length}`
  const coding = `transfer-encoding: ${random.pick(CODINGS)}`
  if (isOneIn(random, 40))
    return random.pick([
      [length, coding],
      [coding, length],
      [length, length],
      [coding, coding],
    ])
  if (isOneIn(random, 60)) return [length, `Content-Length: ${text.length + 1}`]
  if (isOneIn(random, 30)) return [`content-length: ${random.pick(ODD_LENGTHS)}`]
  if (isOneIn(random, 30)) return [`content-length: ${Math.max(0, text.length + random.integer(-3, 3))}`]
  if (isOneIn(random, 12)) return []
  return isChunked ? [coding] : [length]
}

function drawBody(random: SeededRandom): Body {
  const size = random.pick([0, 1, 2, 10, 100, 1_000, 3_000])
  const text = Array.from({ length: random.integer(0, size) }, () =>
    random.pick(['a', '\n', '\r', '0', '\xe9', '{']),
  ).join('')
  const isChunked = random.next() < 0.5
  return { text, wire: isChunked ? drawChunks(random, text) : text, isChunked }
}

function drawChunks(random: SeededRandom, text: string): string {
  let wire = ''
  for (let at = 0; at < text.length; ) {
    const size = random.integer(1, Math.min(text.length - at, random.pick([1, 7, 100, 3_000])))
    wire += `${drawSize(random, size)}${random.pick(EXTENSIONS)}${random.pick(LINE_ENDS)}`
    wire += `${text.slice(at, at + size)}${random.pick(LINE_ENDS)}`
    at += size
  }
  return `${wire}${random.pick(usually('0', 60, ['00', '000000000000000000', '', '-0']))}${random.pick(EXTENSIONS)}\r\n${random.pick(TRAILERS)}\r\n`
}

function drawSize(random: SeededRandom, size: number): string {
  const hex = size.toString(16)
  return random.pick(
    usually(hex, 400, [
      ...[hex.toUpperCase(), `0${hex}`, hex.padStart(20, '0'), `0x${hex}`, ` ${hex}`, `-${hex}`, `g${hex}`],
      ...['', 'fffffffffffffffff', 'fffffffffffff', (size + 1).toString(16)],
    ]),
  )
}

function drawMore(random: SeededRandom): string {
  return random.pick(
    usually('', 20, ['\r\n', '\n', 'x', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', '\0']),
  )
}

function damage(random: SeededRandom, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let count = random.integer(1, 2); count > 0; count--) {
    const at = random.integer(0, Math.min(copy.length - 1, random.pick([20, 200, copy.length])))
    copy[at] = random.pick([0, 9, 10, 13, 32, 44, 48, 58, 59, 65, 97, 127, 255])
  }
  return copy
}

/** Whole, at a few places, or byte by byte. */
function drawCuts(random: SeededRandom, length: number): number[] {
  const count = random.pick([0, 0, 1, 3, 20])
  if (count === 20 && length < 300) return Array.from({ length }, (_, index) => index)
  return Array.from({ length: count }, () => random.integer(0, length)).toSorted((a, b) => a - b)
}

function isOneIn(random: SeededRandom, count: number): boolean {
  return random.next() < 1 / count
}

function usually(item: string, times: number, others: readonly string[]): readonly [string, ...string[]] {
  return [item, ...repeat(item, times - 1), ...others]
}

function repeat(item: string, times: number): string[] {
  return Array.from({ length: times }, () => item)
}

import type { SeededRandom } from '../../../random/seeded-random.ts'
import {
  BYTES,
  GET_TARGETS,
  ODD_GET_TARGETS,
  ODD_HEADERS,
  ODD_LINE_ENDS,
  ODD_TARGETS,
  ODD_TRAILERS,
  ODD_VERSIONS,
} from './odd-input.ts'
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
  const starts = random.next() < 0.2 ? [...bytes.toString('latin1').matchAll(/POST |GET /g)] : []
  const drawn = Array.from({ length: cuts }, () => random.integer(0, bytes.length))
  const places = [...drawn, ...starts.map(({ index }) => index)].toSorted((a, b) => a - b)
  return [...places, bytes.length]
    .map((end, at) => bytes.subarray(places[at - 1] ?? 0, end))
    .filter(({ length }) => length > 0)
}

function drawRequest(random: SeededRandom, isPlain: boolean): string {
  const odd = (chance: number) => !isPlain && random.next() < chance
  if (random.next() < 0.25) return drawGet(random, odd)
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

/** A GET, which has no body unless a header announces one. */
function drawGet(random: SeededRandom, odd: (chance: number) => boolean): string {
  const method = odd(0.05) ? random.pick(['get', 'GETS', 'GET ', ' GET', 'GET\t', 'HEAD', 'DELETE']) : 'GET'
  const target = odd(0.2) ? random.pick(ODD_GET_TARGETS) : random.pick(GET_TARGETS)
  const version = odd(0.05) ? random.pick(ODD_VERSIONS) : 'HTTP/1.1'
  const lineEnd = odd(0.03) ? random.pick(['\n', '\r', '\r\r\n', '\n\r']) : '\r\n'
  const headers = ['Host: gateway.example', 'Authorization: Bearer key', 'accept: */*']
  if (random.next() < 0.2) headers.push(random.pick(['Connection: keep-alive', 'Connection: close']))
  if (odd(0.4)) headers.splice(random.integer(0, headers.length), 0, random.pick(ODD_HEADERS))
  if (odd(0.1)) headers.splice(random.integer(0, headers.length - 1), 1)
  return (
    [`${method} ${target} ${version}`, ...headers, '', ''].join(lineEnd) + (odd(0.1) ? drawBody(random) : '')
  )
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

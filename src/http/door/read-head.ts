import type { IncomingHttpHeaders } from 'node:http'

/** Paths of the requests that the fast door reads: GET without a body, and POST with a body. */
export interface HotPaths {
  gets: RegExp
  posts: ReadonlySet<string>
}

/** Head of a request in the one form that the fast door knows. */
export interface DoorHead {
  method: 'GET' | 'POST'
  url: string
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  /** Announced bytes of the body; 0: there is none; undefined: it comes in chunks. */
  bodyBytes: number | undefined
  keepsAlive: boolean
  /** Bytes of the head, with the empty line at its end. */
  bytes: number
}

const HEAD_BYTES_MAX = 16 * 1024
const HEADERS_MAX = 64

const TOKEN = 1
const IN_VALUE = 2
const kinds = kindsOfCharacters()

const VERSION = ' HTTP/1.1'
const QUERY = /^\?[\w.=&-]{0,512}$/
const LENGTH = /^[1-9]\d{0,8}$/
const HOST = /^[\w.:[\]-]+$/
const CR = 13
const LF = 10
const SPACE = 32
const COLON = 58

/** Parses the head in `bytes`. undefined: it is incomplete, unusual or ambiguous, and Node's server reads it. */
export function readHead(bytes: Buffer, paths: HotPaths): DoorHead | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1 || end > HEAD_BYTES_MAX) return undefined
  const text = bytes.toString('latin1', 0, end + 2)
  const lineEnd = text.indexOf('\r\n')
  const method = text.startsWith('POST ') ? 'POST' : 'GET'
  const url = urlIn(text.slice(0, lineEnd), method, paths)
  if (url === undefined) return undefined
  const rawHeaders: string[] = []
  const headers = headersIn(text, lineEnd + 2, rawHeaders)
  if (headers === undefined) return undefined
  const { host, connection } = headers
  if (host === undefined || !HOST.test(host)) return undefined
  const keepsAlive = connection === undefined || connection.toLowerCase() === 'keep-alive'
  if (!keepsAlive && connection.toLowerCase() !== 'close') return undefined
  if (NOT_HERE.some((name) => headers[name] !== undefined)) return undefined
  const length = headers['content-length']
  const encoding = headers['transfer-encoding']
  const head = { method, url, headers, rawHeaders, keepsAlive, bytes: end + 4 } as const
  if (method === 'GET')
    return length === undefined && encoding === undefined ? { ...head, bodyBytes: 0 } : undefined
  if (encoding === undefined ? length === undefined || !LENGTH.test(length) : length !== undefined)
    return undefined
  if (encoding !== undefined && encoding !== 'chunked') return undefined
  return { ...head, bodyBytes: length === undefined ? undefined : Number(length) }
}

/** These headers change how a connection or a body is read, or have another form in Node. */
const NOT_HERE = ['expect', 'upgrade', 'trailer', 'proxy-connection', 'http2-settings', 'set-cookie'] as const

/** Accepts a path of a hot operation, with or without a plain query. */
function urlIn(line: string, method: DoorHead['method'], paths: HotPaths): string | undefined {
  const start = method.length + 1
  if (line[start - 1] !== ' ' || !line.startsWith(method) || !line.endsWith(VERSION)) return undefined
  const url = line.slice(start, -VERSION.length)
  const mark = url.indexOf('?')
  if (mark !== -1 && !QUERY.test(url.slice(mark))) return undefined
  const path = mark === -1 ? url : url.slice(0, mark)
  return (method === 'GET' ? paths.gets.test(path) : paths.posts.has(path)) ? url : undefined
}

/** Returns undefined when a line is not plain, or a name comes twice. */
function headersIn(text: string, from: number, raw: string[]): IncomingHttpHeaders | undefined {
  const headers: IncomingHttpHeaders = {}
  let at = from
  while (at < text.length) {
    const nameStart = at
    while (isOf(TOKEN, text, at)) at += 1
    if (at === nameStart || text.charCodeAt(at) !== COLON) return undefined
    const name = text.slice(nameStart, at)
    at += 1
    while (text.charCodeAt(at) === SPACE) at += 1
    const valueStart = at
    while (isOf(IN_VALUE, text, at)) at += 1
    // Servers differ in the blanks that they drop from the end of a value.
    if (text.charCodeAt(at - 1) === SPACE && at > valueStart) return undefined
    if (text.charCodeAt(at) !== CR || text.charCodeAt(at + 1) !== LF) return undefined
    const value = text.slice(valueStart, at)
    const lowered = name.toLowerCase()
    // The name is repeated, or it is one that every object has, such as `constructor`.
    if (headers[lowered] !== undefined) return undefined
    headers[lowered] = value
    if (raw.push(name, value) > 2 * HEADERS_MAX) return undefined
    at += 2
  }
  return headers
}

function isOf(kind: number, text: string, at: number): boolean {
  return ((kinds[text.charCodeAt(at)] ?? 0) & kind) !== 0
}

function kindsOfCharacters(): Uint8Array {
  const found = new Uint8Array(256)
  for (let code = 0; code < 256; code++) {
    if (/[!#$%&'*+.^_`|~\w-]/.test(String.fromCharCode(code))) found[code] = TOKEN
    if (code >= 32 && code <= 126) found[code] = (found[code] ?? 0) | IN_VALUE
  }
  return found
}

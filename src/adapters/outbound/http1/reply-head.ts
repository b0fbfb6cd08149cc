import errors from 'undici/lib/core/errors.js'

const { HTTPParserError, SocketError } = errors

export type Headers = Record<string, string | string[] | undefined>

/** Framing of a reply according to its head. */
interface Framing {
  body: 'none' | 'counted' | 'chunked' | 'until-close'
  /** Length of a `counted` body. */
  lengthBytes: number
  /** Whether the vendor takes another request on this connection. */
  isKept: boolean
  /** Time for which the vendor keeps the connection; undefined when it names none. */
  keptMs: number | undefined
}

/** Head of a reply, whose fields are checked. `headers` parses them on first access, because few readers need them. */
export class WireReplyHead {
  readonly status: number
  readonly framing: Framing
  readonly #text: string
  readonly #fieldsAt: number
  #headers: Headers | undefined

  constructor(status: number, framing: Framing, { text, fieldsAt }: { text: string; fieldsAt: number }) {
    this.status = status
    this.framing = framing
    this.#text = text
    this.#fieldsAt = fieldsAt
  }

  get headers(): Headers {
    this.#headers ??= readFields(this.#text, this.#fieldsAt, { only: undefined })
    return this.#headers
  }
}

const TOKEN = tableOf(/[!#$%&'*+\-.^_`|~0-9A-Za-z]/)
const TEXT = tableOf(/[\t\x20-\x7e\x80-\xff]/)

const SPACE = 32
const TAB = 9
const COLON = 58
const CR = 13
const LF = 10

/**
 * Reads the lines of a head, each with its line end, without the empty line. Ambiguous framing is refused,
 * because the end of a reply decides which tenant gets the bytes that follow.
 */
export function readReplyHead(text: string, { isHeadRequest }: { isHeadRequest: boolean }): WireReplyHead {
  const status = readStatus(text)
  const isVersion11 = text.charCodeAt(7) === 49
  const fieldsAt = endOfLine(text, 12)
  const fields = readFields(text, fieldsAt, { only: LENGTHS_OF_FRAMING })
  const { connection, 'content-length': length, 'transfer-encoding': coding, 'keep-alive': hint } = fields
  if (length !== undefined && coding !== undefined) throw invalid('content-length with transfer-encoding')
  const lengthBytes = length === undefined ? -1 : readLength(length)
  if (coding !== undefined && !isChunked(coding)) throw invalid('transfer-encoding other than chunked')
  const hasNoBody = isHeadRequest || status < 200 || status === 204 || status === 304
  const body = hasNoBody
    ? 'none'
    : coding !== undefined
      ? 'chunked'
      : lengthBytes >= 0
        ? 'counted'
        : 'until-close'
  const isAsked = connection === undefined ? isVersion11 : isKeptBy(connection, isVersion11)
  if (status < 200 && !isAsked) throw invalid('1xx that closes')
  // A vendor may send a body where none is allowed, which the next request would get as its reply.
  const isDoubtful = !isHeadRequest && (hasNoBody || status === 205)
  const isKept = isAsked && body !== 'until-close' && !isDoubtful && (isVersion11 || coding === undefined)
  const keptMs = hint === undefined ? undefined : readHint(hint)
  return new WireReplyHead(status, { body, lengthBytes, isKept, keptMs }, { text, fieldsAt })
}

/** Lengths of the names of framing fields. The first pass over a head skips fields whose names have other lengths. */
const LENGTHS_OF_FRAMING: ReadonlySet<number> = new Set(
  ['connection', 'keep-alive', 'content-length', 'transfer-encoding'].map((name) => name.length),
)

/** Checks every field from `start`, and returns those whose name length is in `only`, or all. */
export function readFields(
  text: string,
  start: number,
  { only }: { only: ReadonlySet<number> | undefined },
): Headers {
  const headers: Headers = Object.create(null)
  let at = start
  while (at < text.length) {
    const nameAt = at
    while (TOKEN[text.charCodeAt(at)] === 1) at += 1
    const nameEnd = at
    if (nameEnd === nameAt || text.charCodeAt(nameEnd) !== COLON) throw invalid('header name')
    at += 1
    while (isBlank(text.charCodeAt(at))) at += 1
    const valueAt = at
    while (TEXT[text.charCodeAt(at)] === 1) at += 1
    if (text.charCodeAt(at) !== CR || text.charCodeAt(at + 1) !== LF) throw invalid('header value')
    if (only === undefined || only.has(nameEnd - nameAt)) {
      let end = at
      while (end > valueAt && isBlank(text.charCodeAt(end - 1))) end -= 1
      addField(headers, text.slice(nameAt, nameEnd).toLowerCase(), text.slice(valueAt, end))
    }
    at += 2
  }
  return headers
}

function addField(headers: Headers, name: string, value: string): void {
  const before = headers[name]
  if (before === undefined) headers[name] = value
  else if (typeof before === 'string') headers[name] = [before, value]
  else before.push(value)
}

export function invalid(what: string): Error {
  return new HTTPParserError(`Response does not match the HTTP/1.1 protocol (${what})`)
}

function readStatus(text: string): number {
  if (!/^HTTP\/1\.[01] [1-9]\d\d[ \r]/.test(text)) throw invalid('status line')
  const status = Number(text.slice(9, 12))
  // No request asks for 100 or 101, so the vendor has read something other than what was written.
  if (status === 100) throw new SocketError('bad response')
  if (status === 101) throw new SocketError('bad upgrade')
  return status
}

function endOfLine(text: string, start: number): number {
  let at = start
  while (TEXT[text.charCodeAt(at)] === 1) at += 1
  if (text.charCodeAt(at) !== CR || text.charCodeAt(at + 1) !== LF) throw invalid('status line')
  return at + 2
}

function readLength(value: string | string[]): number {
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) throw invalid('content-length')
  return Number(value)
}

function isChunked(coding: string | string[]): boolean {
  return typeof coding === 'string' && coding.toLowerCase() === 'chunked'
}

function isKeptBy(connection: string | string[], isVersion11: boolean): boolean {
  if (connection === 'keep-alive') return true
  const options = String(connection)
    .split(',')
    .map((option) => option.trim().toLowerCase())
  return !options.includes('close') && (isVersion11 || options.includes('keep-alive'))
}

function readHint(hint: string | string[]): number | undefined {
  const seconds = /(?:^|,)[\t ]*timeout=(\d+)/i.exec(String(hint))?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1_000
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

function tableOf(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (characters.test(String.fromCharCode(code)) ? 1 : 0))
}

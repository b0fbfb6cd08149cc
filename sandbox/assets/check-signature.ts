import { createHmac, hash } from 'node:crypto'
import type { SandboxRequest } from '../part.ts'
import { CallRefused } from './call-refused.ts'

/** Signs for every access key of the sandbox. */
export const SECRET_KEY = 'sandbox-secret'

const REFUSED_ACCESS_KEY = 'bad-key'
const SKEW_MS_MAX = 15 * 60_000
const SIGNED_HEADERS_MIN = ['content-type', 'host', 'x-content-sha256', 'x-date']

/** Refuses a call without a valid date, body hash and signature. */
export function checkSignature(request: SandboxRequest): void {
  const { headers, body, clock } = request
  const given = readAuthorization(headers.authorization)
  if (given === undefined) throw refuse('InvalidAuthorization', 'The Authorization header is not valid.')
  if (given.accessKey === REFUSED_ACCESS_KEY) {
    throw refuse('InvalidAccessKey', 'The access key does not exist.')
  }
  checkDate(headers['x-date'], { given, nowMs: clock.nowMs() })
  if (SIGNED_HEADERS_MIN.some((name) => !given.signedHeaders.includes(name))) throw mismatch()
  if (headers['x-content-sha256'] !== hash('sha256', body)) throw mismatch()
  if (given.signature !== signatureOf(request, given)) throw mismatch()
}

function checkDate(
  date: string | string[] | undefined,
  { given, nowMs }: { given: Authorization; nowMs: number },
): void {
  const sentMs = typeof date === 'string' ? readDate(date) : undefined
  if (sentMs === undefined || Math.abs(nowMs - sentMs) > SKEW_MS_MAX) {
    throw refuse('InvalidTimestamp', 'X-Date is missing, or more than 15 minutes off.')
  }
  if (given.scope.date !== String(date).slice(0, 8)) throw mismatch()
}

function readDate(date: string): number | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? []
  if (year === undefined) return undefined
  const sentMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(sentMs) ? undefined : sentMs
}

function signatureOf(request: SandboxRequest, { scope, signedHeaders }: Authorization): string {
  const stringToSign = [
    'HMAC-SHA256',
    request.headers['x-date'],
    `${scope.date}/${scope.region}/${scope.service}/request`,
    hash('sha256', canonicalRequest(request, signedHeaders)),
  ].join('\n')
  const key = [scope.date, scope.region, scope.service, 'request'].reduce<string | Buffer>(hmac, SECRET_KEY)
  return hmac(key, stringToSign).toString('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Calls go to the part's own address with a slash behind it, and nowhere else. */
function canonicalRequest({ url, query, headers }: SandboxRequest, signedHeaders: readonly string[]): string {
  const path = `${new URL(url).pathname}/`
  const lines = signedHeaders.map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`)
  const bodyHash = String(headers['x-content-sha256'])
  return ['POST', path, canonicalQuery(query), lines.join(''), signedHeaders.join(';'), bodyHash].join('\n')
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
}

/** RFC 3986 escapes more characters than JavaScript does. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function mismatch(): CallRefused {
  return refuse('SignatureDoesNotMatch', 'The request signature does not match the one that was computed.')
}

function refuse(code: string, message: string): CallRefused {
  return new CallRefused({ status: 401, code, message })
}

interface Authorization {
  accessKey: string
  scope: { date: string; region: string; service: string }
  /** Names of headers in the order of the signature. */
  signedHeaders: string[]
  signature: string
}

const SHAPE =
  /^HMAC-SHA256 Credential=([^/\s,]+)\/(\d{8})\/([^/\s,]+)\/([^/\s,]+)\/request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

/** undefined: not a header of this scheme. */
export function readAuthorization(header: string | undefined): Authorization | undefined {
  const [match, accessKey = '', date = '', region = '', service = '', names = '', signature = ''] =
    SHAPE.exec(header ?? '') ?? []
  if (match === undefined) return undefined
  return { accessKey, scope: { date, region, service }, signedHeaders: names.split(';'), signature }
}

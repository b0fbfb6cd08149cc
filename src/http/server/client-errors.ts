import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ApiError } from '../../domain/api-error.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { NewId } from '../../ports/secrets.ts'
import { TurnBudget } from '../door/turn-budget.ts'
import { areaOfPath } from '../errors/area-of-path.ts'
import { presentError } from '../errors/present-error.ts'
import type { PresentedError } from '../operation.ts'
import { TARGET_BYTES_MAX } from './check-request-head.ts'
import { addCorsHeaders, type Cors, type CorsRequest } from './cors.ts'
import { currentResponse, endLater, noteRawStatus } from './raw-answers.ts'
import { addIdHeaders } from './request-id.ts'

export interface RawParts {
  newId: NewId
  metrics: Metrics
  log: Log
  /** Undefined: no response has CORS headers. */
  cors?: Cors | undefined
}

interface RawApiError {
  apiError: ApiError
  /** Its `url` chooses the envelope. Without a known `url` the response has no CORS headers. */
  head: CorsRequest
  reason: string | undefined
  headers?: Record<string, string>
}

interface ClientError extends Error {
  code?: string
  /** Bytes that the parser refused. */
  rawPacket?: unknown
}

/** Answers requests that the HTTP parser refused or that took too long; a connection that merely broke is closed. */
export function clientErrorAnswerer(parts: RawParts): (error: ClientError, socket: Socket) => void {
  const refused = new WeakSet<Socket>()
  // Thousands of connections may time out, or end, in the same turn.
  const budget = new TurnBudget()
  return (error, socket) => {
    // More bytes of the refused input arrive while the response is written.
    if (refused.has(socket)) return
    const code = codeFor(error)
    if (code === undefined || !socket.writable) {
      socket.destroy()
      return
    }
    refused.add(socket)
    budget.begin(() => answerInTurn(error, socket, new ApiError(code), parts))
  }
}

/** Earlier requests on the same connection get their responses first. */
function answerInTurn(error: ClientError, socket: Socket, apiError: ApiError, parts: RawParts): void {
  const current = currentResponse(socket)
  if (current?.req.complete) {
    current.once('close', () => answerInTurn(error, socket, apiError, parts))
  } else if (!socket.writable || current?.headersSent) {
    socket.destroy()
  } else if (current === undefined) {
    answerRaw(socket, { apiError, head: headIn(error.rawPacket), reason: error.code }, parts)
  } else {
    writeError(socket, { apiError, head: current.req, reason: error.code }, parts)
    // `requestCounter` uses this status for a begun request. Without it the request counts as one whose client left.
    if (error.code !== CUT_SHORT) noteRawStatus(current, apiError.status)
  }
}

/** Sends a response without a request, counted and logged like any other. */
export function answerRaw(socket: Duplex, refused: RawApiError, parts: RawParts): void {
  writeError(socket, refused, parts)
  const { status } = refused.apiError
  parts.metrics.requestFinished({ operation: 'unknown', method: 'unknown', status, durationMs: 0 })
}

function writeError(
  socket: Duplex,
  { apiError, head, reason, headers }: RawApiError,
  { newId, log, cors }: RawParts,
): void {
  const target = head.url ?? ''
  const requestId = newId('req')
  const { status, code } = apiError
  const presented = presentError(areaOfPath(target), apiError, requestId)
  const named = { ...presented.headers, ...headers }
  addIdHeaders(named, requestId, target)
  const corsHeaders = target === '' ? undefined : cors?.(head)
  if (corsHeaders !== undefined) addCorsHeaders(named, corsHeaders)
  writeRawAnswer(socket, { ...presented, headers: named })
  log.info('request.refused', { requestId, status, code, reason })
}

/** Parser code for a client that stopped sending during a request. */
const CUT_SHORT = 'HPE_INVALID_EOF_STATE'

const CODES: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
}

function codeFor({ code = '', rawPacket }: ClientError): ErrorCode | undefined {
  if (code === 'HPE_HEADER_OVERFLOW')
    return requestLineIsTooLong(rawPacket) ? 'uri_too_long' : 'headers_too_large'
  return CODES[code] ?? (code.startsWith('HPE_') ? 'malformed_request' : undefined)
}

/** Only the first packet of a head shows the request line; in a later packet the headers are the likelier fault. */
function requestLineIsTooLong(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet) || targetIn(packet) === '') return false
  const lineEnd = packet.indexOf('\n')
  return lineEnd === -1 || lineEnd > TARGET_BYTES_MAX
}

function targetIn(packet: unknown): string {
  if (!Buffer.isBuffer(packet)) return ''
  return packet.toString('latin1', 0, 256).match(/^\s*[a-z-]+ (\S+)/i)?.[1] ?? ''
}

/** Reads address and origin from the refused bytes, which are only the last packet of a head in several packets. */
function headIn(packet: unknown): CorsRequest {
  const url = targetIn(packet)
  if (!Buffer.isBuffer(packet)) return { url, headers: {} }
  const [, origin] = /\r\norigin: *(\S+) *\r\n/i.exec(packet.toString('latin1')) ?? []
  return { url, headers: origin === undefined ? {} : { origin } }
}

/** Writes a whole HTTP response on a bare socket, the last one on its connection. */
function writeRawAnswer(socket: Duplex, presented: PresentedError): void {
  const { status, body } = presented
  const headers = {
    ...presented.headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  endLater(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
}

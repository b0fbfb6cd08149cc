import { isTextEndpoint } from '@sluice/dialects/dialect-facts'
import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import type { ApiError } from '../../domain/api-error.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { Area } from '../edge-request.ts'
import type { PresentedError } from '../operation.ts'

export function presentError(area: Area, apiError: ApiError, requestId: string): PresentedError {
  return {
    status: apiError.status,
    headers: headersOf(area, apiError),
    body: bodyOf(area, apiError, requestId),
  }
}

/** Errors that a busy process sends thousands of times a second. */
const FREQUENT: ReadonlySet<ErrorCode> = new Set([
  'invalid_api_key',
  'overloaded',
  'rate_limit_exceeded',
  'body_too_large',
])
const PREPARED_MAX = 200
const ID_MARK = '\u001a'
/** Bodies of frequent errors, split at the request id if they contain it. */
const prepared = new Map<string, string[]>()

function bodyOf(area: Area, apiError: ApiError, requestId: string): string {
  const { code, message, param, place, vendorCode, details } = apiError
  if (!FREQUENT.has(code) || (param ?? place ?? vendorCode ?? details) !== undefined)
    return JSON.stringify(envelopeOf(area, apiError, requestId))
  const key = `${area} ${code} ${message}`
  const known = prepared.get(key)
  if (known !== undefined) return known.join(requestId)
  const parts = JSON.stringify(envelopeOf(area, apiError, ID_MARK)).split(
    JSON.stringify(ID_MARK).slice(1, -1),
  )
  if (prepared.size < PREPARED_MAX) prepared.set(key, parts)
  return parts.join(requestId)
}

function envelopeOf(area: Area, apiError: ApiError, requestId: string): object {
  if (isTextEndpoint(area)) return CLIENT_DIALECTS[area].writeError(apiError, requestId)
  if (area === 'admin') {
    const error = apiError.messageWithPlace
    // Programs tell conflicts apart by the code; for other statuses the status is enough.
    return apiError.status === 409 ? { error, code: apiError.code } : { error }
  }
  const { message, type, param, place, code } = apiError
  return { error: { message, type, param: param ?? place ?? null, code } }
}

function headersOf(area: Area, { status, retryAfterSeconds }: ApiError): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(Math.ceil(retryAfterSeconds))
  if (status === 401) headers['www-authenticate'] = area === 'admin' ? 'X-Admin-Key' : 'Bearer'
  return headers
}

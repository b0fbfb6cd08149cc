import { isTextEndpoint } from '@sluice/dialects/dialect-facts'
import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import type { ApiError } from '../../domain/api-error.ts'
import type { Area } from '../edge-request.ts'
import type { PresentedError } from '../operation.ts'

/** The only place where an error becomes bytes, in the envelope of its area. */
export function presentError(area: Area, apiError: ApiError, requestId: string): PresentedError {
  return {
    status: apiError.status,
    headers: headersOf(area, apiError),
    body: JSON.stringify(envelopeOf(area, apiError, requestId)),
  }
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

import type { Refusal } from '../../domain/refusal.ts'
import type { Area, PresentedError } from '../operation.ts'

/** The one place where a refusal becomes bytes, in the envelope of its area. */
export function presentError(area: Area, refusal: Refusal, requestId: string): PresentedError {
  return {
    status: refusal.status,
    headers: headersOf(area, refusal),
    body: JSON.stringify(ENVELOPES[area](refusal, requestId)),
  }
}

type Envelope = (refusal: Refusal, requestId: string) => object

const ENVELOPES: Record<Area, Envelope> = {
  video: ({ message, type, param, code }) => ({ error: { message, type, param, code } }),
  responses: (refusal) => ({
    error: {
      message: refusal.message,
      type: refusal.status === 402 ? 'insufficient_quota' : refusal.type,
      param: refusal.param,
      code: refusal.vendorCode ?? refusal.code,
    },
  }),
  messages: ({ status, message, details }, requestId) => ({
    type: 'error',
    // Left out where there are none.
    error: { type: messagesType(status), message, details },
    request_id: requestId,
  }),
  admin: ({ message }) => ({ error: message }),
}

/** The words clients of the Messages format know; every other 4xx is the client's request, every other 5xx is ours. */
const MESSAGES_TYPES: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

function messagesType(status: number): string {
  return MESSAGES_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}

function headersOf(area: Area, { status, retryAfterSeconds }: Refusal): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(Math.ceil(retryAfterSeconds))
  if (status === 401) headers['www-authenticate'] = area === 'admin' ? 'X-Admin-Key' : 'Bearer'
  return headers
}

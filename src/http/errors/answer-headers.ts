import { ApiError } from '../../domain/api-error.ts'
import type { RateStanding } from '../../ports/rate-meter.ts'
import type { EdgeRequest } from '../edge-request.ts'
import { addCorsHeaders } from '../server/cors.ts'
import { addIdHeaders } from '../server/request-id.ts'

/** Adds the headers of a response: the request's id and, where known, CORS and the caller's rate. */
export function addAnswerHeaders(request: EdgeRequest, headers: Record<string, unknown>): void {
  const { id, raw, standing, cors } = request
  addIdHeaders(headers, id, raw.url ?? '')
  if (cors !== undefined) addCorsHeaders(headers, cors)
  if (standing !== undefined) Object.assign(headers, standingHeaders(standing))
}

/** Paths that a client calls when its base URL is wrong. */
const TAKEN_FOR_OURS: readonly { path: RegExp; message: string }[] = [
  {
    path: /^\/chat\/completions\/?(\?|$)/,
    message:
      'Chat completions are offered at POST /v1/chat/completions: the base URL of your client must end with /v1.',
  },
]

export function notFound(url: string): ApiError {
  const message = TAKEN_FOR_OURS.find(({ path }) => path.test(url))?.message
  return new ApiError('not_found', message === undefined ? {} : { message })
}

function standingHeaders({ limitPerMinute, remaining, resetMs }: RateStanding): Record<string, number> {
  return {
    'x-ratelimit-limit': limitPerMinute,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': Math.ceil(resetMs / 1_000),
  }
}

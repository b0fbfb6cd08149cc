import { ApiError } from '../../domain/api-error.ts'
import type { EdgeRequest } from '../edge-request.ts'
import { standingHeaders } from '../limits/set-rate-limit-headers.ts'
import { requestIdHeaders } from '../server/request-id.ts'

/** What every answer says in its head, for one that goes past the framework; the framework has it already. */
export function answerHeaders(request: EdgeRequest): Record<string, string | number> {
  const { standing } = request
  const headers: Record<string, string | number> = requestIdHeaders(request)
  return standing === undefined ? headers : Object.assign(headers, standingHeaders(standing))
}

/** Paths that clients of other gateways try first. */
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

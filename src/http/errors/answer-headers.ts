import { ApiError } from '../../domain/api-error.ts'
import type { EdgeRequest } from '../edge-request.ts'
import { standingHeaders } from '../limits/standing-headers.ts'
import { addIdHeaders } from '../server/request-id.ts'

/** Adds the headers of every response: the request's id, for reports, and the rate of its caller. */
export function addAnswerHeaders({ id, raw, standing }: EdgeRequest, headers: Record<string, unknown>): void {
  addIdHeaders(headers, id, raw.url ?? '')
  if (standing !== undefined) Object.assign(headers, standingHeaders(standing))
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

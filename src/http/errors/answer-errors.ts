import { RateLimitError } from '../../app/limits/rate/check-rate.ts'
import { ApiError, asApiError } from '../../domain/api-error.ts'
import type { Log } from '../../ports/log.ts'
import { hasUnreadBody, refuseUnread } from '../body/refuse-unread.ts'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
import type { Operation, PresentedError } from '../operation.ts'
import { areaOfPath } from './area-of-path.ts'
import { presentError } from './present-error.ts'

export type AnswerError = (thrown: unknown, request: EdgeRequest, reply: EdgeReply) => void

/** Answers a thrown value in the right envelope, and logs faults as `readThrown` does. */
export function errorAnswerer(log: Log, operations: readonly Operation[]): AnswerError {
  const presenters = operations.flatMap(({ presentApiError }) => presentApiError ?? [])
  const answerUnread = refuseUnread()
  return (thrown, request, reply) => {
    const apiError = readThrown(thrown, request, log)
    request.errorCode = apiError.code
    if (apiError instanceof RateLimitError) request.standing = apiError.standing
    const { status, headers, body } =
      answerInsteadOf(apiError, request) ??
      presentBy(presenters, apiError, request) ??
      presentError(request.route.area ?? areaOfPath(request.raw.url ?? ''), apiError, request.id)
    reply.code(status).headers(headers)
    if (hasUnreadBody(request)) answerUnread(request, reply, body)
    else reply.send(body)
  }
}

const ABOUT_THE_BODY: ReadonlySet<string> = new Set([
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
])

/** An operation that must reveal nothing answers a bad body like a good one. */
function answerInsteadOf({ code }: ApiError, request: EdgeRequest): PresentedError | undefined {
  const answer = request.route.answerWhenBad
  if (answer === undefined || !ABOUT_THE_BODY.has(code)) return undefined
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  return { status: 200, headers, body: JSON.stringify(answer) }
}

/** Asks every presenter, because some errors come before the route is known. */
function presentBy(
  presenters: readonly NonNullable<Operation['presentApiError']>[],
  apiError: ApiError,
  request: EdgeRequest,
): PresentedError | undefined {
  for (const present of presenters) {
    const presented = present(apiError, request)
    if (presented !== undefined) return presented
  }
  return undefined
}

function logFault(log: Log, apiError: ApiError, request: EdgeRequest): void {
  const isOurs = apiError.code === 'internal_error'
  if (apiError.status < 500 || (apiError.cause === undefined && !isOurs)) return
  const fields = { requestId: request.id, operation: request.operationId, method: request.method }
  const fault = { ...fields, status: apiError.status, code: apiError.code, error: apiError.cause }
  if (isOurs) log.error('request.failed', fault)
  else log.warn('request.failed', fault)
}

/** Converts a thrown value to an API error. Logs internal errors, and other 5xx errors with a cause. */
export function readThrown(thrown: unknown, request: EdgeRequest, log: Log): ApiError {
  const apiError = asApiError(thrown) ?? new ApiError('internal_error', { cause: thrown })
  logFault(log, apiError, request)
  return apiError
}

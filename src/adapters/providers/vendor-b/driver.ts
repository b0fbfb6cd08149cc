import { ApiError } from '../../../domain/api-error.ts'
import type { Reading, Submission, VideoDriver } from '../../../ports/video-driver.ts'
import { readRetryAfterMs } from '../../outbound/retry-after.ts'
import type { Upstream } from '../../outbound/upstream.ts'
import {
  askVendor,
  CALL_LIMITS,
  type CallLimits,
  isSuccess,
  type TaskQuestion,
  type VendorReply,
} from '../ask-vendor.ts'
import { looseNumber, looseRecord, looseText } from '../loose-value.ts'
import { readTicketId } from '../ticket-id.ts'
import { VendorAnswerError } from '../vendor-answer-error.ts'
import { refusalReason, toApiError } from '../vendor-error.ts'
import { readingAfter, submissionAfter, unreadableTicket } from '../without-answer.ts'
import { isFailureCode, readCode, readVendorError } from './map-failure.ts'
import { toSubmitCall } from './map-request.ts'
import { readSnapshot } from './map-snapshot.ts'
import { OPERATIONS, type SubmitOperation, submitPath, taskPath } from './wire.ts'

/** Driver of vendor B, which cannot delete tasks. A ticket is secret: it reads a task without a key. */
export function vendorBDriver(input: {
  upstream: Upstream
  apiKey: () => string
  limits?: CallLimits
}): VideoDriver {
  const { upstream, apiKey, limits = CALL_LIMITS } = input

  return {
    async create({ organizationId, order }) {
      if (order.family !== 'b') return { kind: 'refused', apiError: new ApiError('provider_not_configured') }
      const { operation, body } = toSubmitCall(order)
      const call = { operation: 'create-task', method: 'POST', path: submitPath(operation) } as const
      const json = { ...body, api_key: apiKey() }
      const reply = await ask({ ...call, holder: organizationId, json }, limits.createTimeoutMs)
      return judgeCreate(reply, operation, [apiKey()])
    },

    async read(ticket, organizationId) {
      const parts = readTicket(ticket)
      if (parts === undefined) return unreadableTicket()
      const call = {
        operation: 'read-task',
        method: 'GET',
        path: taskPath(parts.operation, parts.id),
      } as const
      const reply = await ask({ ...call, holder: organizationId }, limits.readTimeoutMs)
      return judgeRead(reply, parts, [apiKey(), parts.id])
    },
  }

  function ask(call: TaskQuestion, totalTimeoutMs: number) {
    return askVendor(upstream, { ...call, headers: {}, totalTimeoutMs, maxBytes: limits.maxBytes })
  }
}

/**
 * Judges a create call. A reply is a success only with a 2xx, a `code` that is absent or 200, and a
 * `task_id`. A failure code or another HTTP status is a refusal; any other reply may have created a task. The
 * `status` of the reply is about the call, not about the task.
 */
function judgeCreate(reply: VendorReply, operation: SubmitOperation, secrets: readonly string[]): Submission {
  if (reply.kind === 'failure') return submissionAfter(reply.failure)
  const { status, headers, json } = reply
  const code = readCode(reply)
  if (!isSuccess(status) || isFailureCode(code)) {
    const cause = new VendorAnswerError('the vendor refused a task', { status, code: String(code) })
    const retryAfterMs = readRetryAfterMs(headers)
    const vendorError = readVendorError(reply, { secrets })
    return {
      kind: 'refused',
      apiError: toApiError(vendorError, { retryAfterMs, cause }),
      reason: refusalReason(code, vendorError),
    }
  }
  const id = readTicketId(looseRecord(json).task_id)
  const given = looseRecord(json).code ?? null
  if (id === undefined || (given !== null && looseNumber(given) !== 200)) {
    return { kind: 'lost', cause: new VendorAnswerError('a submit answer that is not a success', { status }) }
  }
  return { kind: 'accepted', ticket: writeTicket({ operation, id }), snapshot: undefined }
}

function judgeRead(reply: VendorReply, { id }: TicketParts, secrets: readonly string[]): Reading {
  if (reply.kind === 'failure') return readingAfter(reply.failure)
  const { status, headers, json } = reply
  const snapshot = isAbout(json, id) ? readSnapshot(json, { secrets }) : undefined
  if (snapshot !== undefined && isTaskStatus(status, snapshot.status)) return { kind: 'snapshot', snapshot }
  const code = String(readCode(reply))
  const cause = new VendorAnswerError('an answer that says nothing about the task', { status, code })
  return { kind: 'unanswered', cause, retryAfterMs: readRetryAfterMs(headers) }
}

/** Checks that a response is about this task, because no client may see another's video. */
function isAbout(json: unknown, id: string): boolean {
  const taskId = looseText(looseRecord(json).task_id)
  return taskId === undefined || taskId === id
}

/**
 * Tells whether a status is about the task. The vendor's codes may come as HTTP statuses, so a failed task
 * may arrive with one of `FAILED_TASK_STATUSES`. Other statuses are about the call: our account, a server error,
 * or, for 404, an unknown path, because this vendor forgets no task.
 */
function isTaskStatus(httpStatus: number, taskStatus: string): boolean {
  return isSuccess(httpStatus) || (taskStatus === 'failed' && FAILED_TASK_STATUSES.has(httpStatus))
}

const FAILED_TASK_STATUSES: ReadonlySet<number> = new Set([400, 422, 480, 482])

/** Parts of a ticket such as `image2video/t2v1`: the vendor needs the operation for every poll. */
interface TicketParts {
  operation: SubmitOperation
  id: string
}

/** Writes a ticket. The id is encoded, so the last slash separates the parts. */
export function writeTicket({ operation, id }: TicketParts): string {
  return `${operation}/${encodeURIComponent(id)}`
}

/** Returns undefined for a text that `writeTicket` has not written. */
export function readTicket(ticket: string): TicketParts | undefined {
  const slash = ticket.lastIndexOf('/')
  const operation = OPERATIONS.find((known) => known === ticket.slice(0, slash))
  const id = readTicketId(decode(ticket.slice(slash + 1)))
  if (operation === undefined || id === undefined) return undefined
  return writeTicket({ operation, id }) === ticket ? { operation, id } : undefined
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

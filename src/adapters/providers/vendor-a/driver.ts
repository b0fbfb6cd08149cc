import { ApiError } from '../../../domain/api-error.ts'
import type { Deletion, Reading, Submission, VideoDriver } from '../../../ports/video-driver.ts'
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
import { looseRecord, looseText } from '../loose-value.ts'
import { readTicketId } from '../ticket-id.ts'
import { VendorAnswerError } from '../vendor-answer-error.ts'
import { refusalReason, toApiError } from '../vendor-error.ts'
import { readingAfter, submissionAfter, unreadableTicket } from '../without-answer.ts'
import { isModelClosed, readVendorError } from './map-failure.ts'
import { toCreateBody } from './map-request.ts'
import { readSnapshot } from './map-snapshot.ts'
import { TASKS_PATH } from './wire.ts'

/** Driver of vendor A, whose task ids are the tickets. */
export function vendorADriver(input: {
  upstream: Upstream
  apiKey: () => string
  /** Vendor's model ids, by the names that clients use. */
  models: ReadonlyMap<string, string>
  limits?: CallLimits
}): VideoDriver & Required<Pick<VideoDriver, 'delete'>> {
  const { upstream, apiKey, models, limits = CALL_LIMITS } = input
  // Clients do not see the vendor's model names, except those that are equal to ours.
  const upstreamNames = [...models].flatMap(([ours, theirs]) => (ours === theirs ? [] : [theirs]))
  const secrets = () => [apiKey(), ...upstreamNames]

  return {
    async create({ organizationId, order, expiresAfterSeconds, noticeUrl }) {
      const upstreamModel = models.get(order.model)
      if (order.family !== 'a' || upstreamModel === undefined) {
        return { kind: 'refused', apiError: new ApiError('provider_not_configured') }
      }
      const json = toCreateBody({ order, upstreamModel, expiresAfterSeconds, noticeUrl })
      const call = { operation: 'create-task', method: 'POST', path: TASKS_PATH, json } as const
      const reply = await ask({ ...call, holder: organizationId }, limits.createTimeoutMs)
      return judgeCreate(reply, [...secrets(), ...(noticeUrl === undefined ? [] : [noticeUrl])])
    },

    async read(ticket, organizationId) {
      const path = pathOf(ticket)
      if (path === undefined) return unreadableTicket()
      const call = { operation: 'read-task', holder: organizationId, method: 'GET', path } as const
      return judgeRead(await ask(call, limits.readTimeoutMs), ticket, secrets())
    },

    async delete(ticket, organizationId) {
      const path = pathOf(ticket)
      if (path === undefined) return unreadableTicket()
      const call = { operation: 'delete-task', holder: organizationId, method: 'DELETE', path } as const
      return judgeDelete(await ask(call, limits.deleteTimeoutMs))
    },
  }

  function ask(call: TaskQuestion, totalTimeoutMs: number) {
    const headers = { authorization: `Bearer ${apiKey()}` }
    return askVendor(upstream, { ...call, headers, totalTimeoutMs, maxBytes: limits.maxBytes })
  }
}

function pathOf(ticket: string): string | undefined {
  const id = readTicketId(ticket)
  return id === undefined ? undefined : `${TASKS_PATH}/${encodeURIComponent(id)}`
}

function judgeCreate(reply: VendorReply, secrets: readonly string[]): Submission {
  if (reply.kind === 'failure') return submissionAfter(reply.failure)
  const { status, headers, json } = reply
  if (!isSuccess(status)) {
    const { code, ...vendorError } = readVendorError(reply, { secrets })
    const cause = new VendorAnswerError('the vendor refused a task', { status, code })
    return {
      kind: 'refused',
      apiError: toApiError(vendorError, { retryAfterMs: readRetryAfterMs(headers), cause }),
      reason: refusalReason(status, { ...vendorError, isModelClosed: isModelClosed(code) }),
    }
  }
  const ticket = readTicketId(looseRecord(json).id)
  if (ticket === undefined) {
    return { kind: 'lost', cause: new VendorAnswerError('a create answer without a task id', { status }) }
  }
  return { kind: 'accepted', ticket, snapshot: readSnapshot(json, { secrets }) }
}

function judgeRead(reply: VendorReply, ticket: string, secrets: readonly string[]): Reading {
  if (reply.kind === 'failure') return readingAfter(reply.failure)
  const { status, headers, json } = reply
  if (status === 404) return { kind: 'gone' }
  const snapshot = isSuccess(status) && isAbout(json, ticket) ? readSnapshot(json, { secrets }) : undefined
  if (snapshot !== undefined) return { kind: 'snapshot', snapshot }
  const cause = new VendorAnswerError('an answer that says nothing about the task', { status })
  return { kind: 'unanswered', cause, retryAfterMs: readRetryAfterMs(headers) }
}

/** Checks that a response is about this task, because no client may see another's video. */
function isAbout(json: unknown, ticket: string): boolean {
  const id = looseText(looseRecord(json).id)
  return id === undefined || id === ticket
}

function judgeDelete(reply: VendorReply): Deletion {
  if (reply.kind === 'failure') return { kind: 'unanswered', cause: reply.failure }
  const { status } = reply
  if (isSuccess(status) || status === 404) return { kind: 'deleted' }
  if (status >= 400 && status < 500 && !NOT_ABOUT_THE_TASK.has(status)) return { kind: 'refused' }
  return { kind: 'unanswered', cause: new VendorAnswerError('no usable delete answer', { status }) }
}

/** Statuses about key, rate or connection, which do not decide whether a task can be deleted. */
const NOT_ABOUT_THE_TASK: ReadonlySet<number> = new Set([401, 403, 407, 408, 421, 425, 426, 429])

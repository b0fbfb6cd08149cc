import { ApiError } from '../../../domain/api-error.ts'
import type { Snapshot } from '../../../domain/video/snapshot.ts'
import type { VideoDriver } from '../../../ports/video-driver.ts'
import { readRetryAfterMs } from '../../outbound/retry-after.ts'
import type { Upstream } from '../../outbound/upstream.ts'
import { askVendor, CALL_LIMITS, isSuccess } from '../ask-vendor.ts'
import { looseNumber, looseRecord, looseText } from '../loose-value.ts'
import { readTicketId } from '../ticket-id.ts'
import { VendorAnswerError } from '../vendor-answer-error.ts'
import { toApiError, toTaskError } from '../vendor-error.ts'
import { webLink } from '../web-link.ts'
import { readingAfter, submissionAfter } from '../without-answer.ts'

/** A ticket is the vendor's reference of a job. */
export function vendorXDriver({
  upstream,
  apiKey,
}: {
  upstream: Upstream
  apiKey: () => string
}): VideoDriver {
  const headers = () => ({ 'x-key': apiKey() })
  const { createTimeoutMs, readTimeoutMs, maxBytes } = CALL_LIMITS
  return {
    async create({ organizationId, order }) {
      if (order.family !== 'c') return { kind: 'refused', apiError: new ApiError('provider_not_configured') }
      const reply = await askVendor(upstream, {
        operation: 'create-task',
        holder: organizationId,
        method: 'POST',
        path: '/jobs',
        headers: headers(),
        json: { script: order.script, length_s: order.seconds, frame: order.ratio },
        totalTimeoutMs: createTimeoutMs,
        maxBytes,
      })
      if (reply.kind === 'failure') return submissionAfter(reply.failure)
      const { status } = reply
      if (!isSuccess(status)) {
        const cause = new VendorAnswerError('the vendor refused a task', { status })
        const complaint = {
          kind: status === 422 ? 'invalid-parameter' : 'other',
          message: undefined,
        } as const
        const retryAfterMs = readRetryAfterMs(reply.headers)
        return {
          kind: 'refused',
          apiError: toApiError({ ...complaint, param: undefined }, { retryAfterMs, cause }),
        }
      }
      const ticket = readTicketId(jobOf(reply.json).ref)
      if (ticket !== undefined) return { kind: 'accepted', ticket, snapshot: undefined }
      return { kind: 'lost', cause: new VendorAnswerError('a create answer without a reference', { status }) }
    },

    async read(ticket, organizationId) {
      const reply = await askVendor(upstream, {
        operation: 'read-task',
        holder: organizationId,
        method: 'GET',
        path: `/jobs/${encodeURIComponent(ticket)}`,
        headers: headers(),
        totalTimeoutMs: readTimeoutMs,
        maxBytes,
      })
      if (reply.kind === 'failure') return readingAfter(reply.failure)
      const { status } = reply
      if (status === 404) return { kind: 'gone' }
      const snapshot = isSuccess(status) ? readSnapshot(jobOf(reply.json)) : undefined
      if (snapshot !== undefined) return { kind: 'snapshot', snapshot }
      const cause = new VendorAnswerError('an answer that says nothing about the task', { status })
      return { kind: 'unanswered', cause, retryAfterMs: readRetryAfterMs(reply.headers) }
    },
  }
}

function jobOf(json: unknown): Readonly<Record<string, unknown>> {
  return looseRecord(looseRecord(json).job)
}

/** undefined: the answer says nothing about the job. */
function readSnapshot(job: Readonly<Record<string, unknown>>): Snapshot | undefined {
  const seconds = looseNumber(job.length_s)
  const measured = seconds === undefined ? {} : { seconds }
  const open = { content: undefined, error: undefined, measured }
  const link = webLink(looseRecord(job.file).href)
  switch (looseText(job.phase)) {
    case 'waiting':
      return { ...open, status: 'queued' }
    case 'rendering':
      return { ...open, status: 'running' }
    case 'broken':
      return { ...open, status: 'failed', error: toTaskError({ kind: 'other', message: undefined }) }
    case 'ready':
      return link === undefined
        ? undefined
        : { ...open, status: 'succeeded', content: { video_url: link, length_s: seconds } }
    default:
      return undefined
  }
}

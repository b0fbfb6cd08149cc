import { failureSnapshot } from '../../domain/video/snapshot.ts'
import type { Log } from '../../ports/log.ts'
import type { ClaimedTask, NextPoll, StoredTask } from '../../ports/tasks.ts'
import type { ApplySnapshot } from './apply-snapshot.ts'

const LOST_ANSWER = failureSnapshot('upstream_error', "The provider's answer to the request was lost.")

/**
 * A task whose create call has no answer is never sent again, because the vendor may have taken it. For a while a notice
 * can still bring its ticket. Then the task fails and its hold is released. A video that the vendor made is then a loss.
 */
export function resolveSubmitting(input: {
  applySnapshot: ApplySnapshot
  log: Log
  submittingResolveMs: number
}): (task: ClaimedTask, nowMs: number) => Promise<NextPoll | undefined> {
  const { applySnapshot, log, submittingResolveMs } = input
  return async (task, nowMs) => {
    const { id, fence, provider, organizationId } = task
    const { expiresAtMs, createdAtMs, attemptAtMs } = task
    const sentAtMs = attemptAtMs ?? createdAtMs
    const endsAtMs = submittingEndsAtMs({ createdAtMs: sentAtMs, expiresAtMs }, submittingResolveMs)
    if (nowMs < endsAtMs) {
      // A task created by a clock that was ahead would otherwise wait longer than any task may.
      const nextPollAtMs = Math.min(endsAtMs, nowMs + submittingResolveMs)
      return { id, fence, nextPollAtMs, seenAtMs: null }
    }
    const after = await applySnapshot(task, LOST_ANSWER)
    if (after?.status === 'failed') {
      log.warn('task.given_up', { taskId: id, organizationId, provider })
    }
    return undefined
  }
}

/** Maximum duration of a create call, including the wait for a connection. Its answer may still come until then. */
const CREATE_CALL_MS_MAX = 70_000

/** Returns at most the deadline of the task, unless the create call may still be running at that time. */
export function submittingEndsAtMs(
  { createdAtMs, expiresAtMs }: Pick<StoredTask, 'createdAtMs' | 'expiresAtMs'>,
  submittingResolveMs: number,
): number {
  return Math.min(createdAtMs + submittingResolveMs, Math.max(expiresAtMs, createdAtMs + CREATE_CALL_MS_MAX))
}

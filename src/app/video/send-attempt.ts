import { NOT_SERVABLE } from '../../domain/video/hand-over.ts'
import { failureSnapshot, type Snapshot } from '../../domain/video/snapshot.ts'
import type { StoredTask, TaskStore } from '../../ports/tasks.ts'
import { type AcceptTools, acceptTask } from './accept-task.ts'
import type { ApplySnapshot } from './apply-snapshot.ts'
import { openRequest } from './encrypted.ts'
import { draftAttempt, type HandOverTools, logLoss, submit } from './hand-over.ts'
import { passOn } from './hand-over-failed.ts'
import { submittingEndsAtMs } from './resolve-submitting.ts'

/** Sends a task to the stand-in that took it over after a failure. */
export type SendAttempt = (task: StoredTask) => Promise<void>

export interface SendAttemptTools
  extends Omit<HandOverTools, 'tasks' | 'metrics'>,
    Omit<AcceptTools, 'tasks'> {
  tasks: Pick<TaskStore, 'accept' | 'handOver' | 'startAttempt' | 'findRequest' | 'listAttempts'>
  applySnapshot: ApplySnapshot
  settings: HandOverTools['settings'] & AcceptTools['settings']
}

export const EXPIRED = failureSnapshot('task_expired', 'The task did not end in time.')

/** Ends a task whose deadline has passed. */
export async function expireTask(
  task: StoredTask,
  { snapshot, reason }: { snapshot: Snapshot; reason: string },
  { applySnapshot, log }: Pick<SendAttemptTools, 'applySnapshot' | 'log'>,
): Promise<undefined> {
  const { id: taskId, organizationId, provider } = task
  const after = await applySnapshot(task, snapshot)
  if (after?.status === 'failed') log.warn('task.expired', { taskId, organizationId, provider, reason })
}

/**
 * Drafts the call, claims the attempt, calls the vendor once, and stores its answer. A claimed attempt counts as sent:
 * after a crash it waits for an answer like a task in `submitting`, and is never sent again. Checks that may end the
 * task come only after the claim, so that no other replica sends it meanwhile.
 */
export function sendAttempt(tools: SendAttemptTools): SendAttempt {
  const { tasks, applySnapshot, deadlineClock, clock, settings, checkpoint } = tools

  return async (task) => {
    const { id, attempt, expiresAtMs } = task
    const drafted = await draft(task)
    const sentAtMs = clock.nowMs()
    const resolveMs = settings.submittingResolveSeconds * 1_000
    const claimed = await tasks.startAttempt({
      id,
      attempt,
      sentAtMs,
      noticeTokenDigest: drafted?.noticeTokenDigest ?? null,
      nextPollAtMs: submittingEndsAtMs({ createdAtMs: sentAtMs, expiresAtMs }, resolveMs),
    })
    if (claimed === undefined) return
    checkpoint('attempt.after-claim')
    if (deadlineClock.nowMs() >= expiresAtMs)
      return expireTask(claimed, { snapshot: EXPIRED, reason: 'waiting' }, tools)
    if (claimed.withheldAtMs !== null) return fail(claimed, 'consent_revoked')
    if (drafted === undefined) return goOn(claimed, NOT_SERVABLE)
    const submission = await submit(drafted)
    checkpoint('attempt.after-upstream')
    switch (submission.kind) {
      case 'accepted':
        await acceptTask(claimed, submission, tools)
        checkpoint('attempt.after-accept')
        return
      case 'refused':
        return submission.reason === undefined
          ? fail(claimed, submission.apiError.code)
          : goOn(claimed, submission.reason)
      case 'lost':
        logLoss(drafted, submission.cause, tools)
    }
  }

  async function draft(task: StoredTask) {
    const encrypted = await tasks.findRequest(task.id)
    const request = encrypted === undefined ? undefined : openRequest(encrypted, task.id, tools.secrets)
    return request && draftAttempt(task, request, tools)
  }

  /** Hands over to the next stand-in; without one the task ends. */
  async function goOn(task: StoredTask, reason: string): Promise<void> {
    const ended = { state: 'refused', reason, message: null, vendorCostMicros: null } as const
    const handed = await passOn(task, ended, tools)
    if (handed === undefined) await fail(task, reason)
  }

  /** Ends the task with the error of the vendor that failed it, because the refusal of a stand-in means nothing to the client. */
  async function fail(task: StoredTask, refusal: string): Promise<void> {
    const attempts = await tasks.listAttempts(task.id)
    const failed = attempts.findLast(({ state }) => state === 'failed')
    const snapshot = failureSnapshot(failed?.reason ?? 'generation_failed', failed?.message ?? '')
    await applySnapshot(task, snapshot, { isFinal: true, refusal })
  }
}

import { ApiError } from '../../domain/api-error.ts'
import type { CallbackStore } from '../../ports/callbacks.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'

/** Makes the callback of an ended task due again. A running server sends it within a second. */
export function resendCallback(
  input: AuditTools & { callbacks: Pick<CallbackStore, 'resend'> },
): (taskId: string) => Promise<string> {
  const { callbacks, ...tools } = input
  return async (taskId) => {
    const act = { action: 'callback.resend', organizationId: null, subject: taskId, detail: {} }
    const done = await callbacks.resend({ taskId, atMs: tools.clock.nowMs() }, draftAudit(act, tools))
    if (done !== undefined) return done
    throw new ApiError('not_found', {
      message: `There is no callback of ${taskId} to send: the task has not ended, or owes none.`,
      command: `"sluice task show ${taskId}" shows which.`,
    })
  }
}

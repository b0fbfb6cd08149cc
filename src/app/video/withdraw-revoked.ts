import { ApiError } from '../../domain/api-error.ts'
import type { StoredTask } from '../../ports/tasks.ts'
import { draftAudit } from '../draft-audit.ts'
import type { Runtime } from '../runtime.ts'
import { type WithdrawTools, withdrawTask } from './withdraw-task.ts'

/** Resolves to true when the task was cancelled or has ended. Does not reject. */
export type WithdrawRevoked = (task: StoredTask) => Promise<boolean>

/**
 * Asks the vendor to cancel a queued task that shows a person who revoked the consent, and releases its money. A task that
 * the vendor has begun continues; its result is charged and withheld. When the vendor does not answer, the next poll tries
 * again.
 */
export function withdrawRevoked(
  tools: WithdrawTools & Pick<Runtime, 'clock' | 'log' | 'newId'>,
): WithdrawRevoked {
  const withdraw = withdrawTask(tools)
  return async (task) => {
    const { id, organizationId, provider, status } = task
    const detail = { status, reason: 'consent_revoked' }
    const act = { action: 'task.cancel', organizationId, subject: id, detail }
    try {
      await withdraw(task, { keepsEnded: true, audit: draftAudit(act, { ...tools, actor: 'gateway' }) })
      return true
    } catch (error) {
      const isRunning = error instanceof ApiError && error.code === 'task_not_deletable'
      if (!isRunning)
        tools.log.warn('task.withdrawal_failed', { taskId: id, organizationId, provider, error })
      return false
    }
  }
}

import { ApiError } from '../../domain/api-error.ts'
import { hasEnded } from '../../domain/video/task.ts'
import type { TaskForOperator, TaskStore } from '../../ports/tasks.ts'
import { requireRow } from '../access/no-such.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { GatewayOperator } from '../operator.ts'
import { reportTask } from './task-report.ts'
import { type WithdrawTools, withdrawTask } from './withdraw-task.ts'

/** Cancels a task for an operator: its money is released, and its owner finds it as `cancelled`. An ended task is refused. */
export function cancelTask(
  input: WithdrawTools & AuditTools & { tasks: Pick<TaskStore, 'findForOperator'> },
): GatewayOperator['cancelTask'] {
  const { tasks, ...tools } = input
  const withdraw = withdrawTask({ ...tools, tasks })
  const find = async (id: string) => requireRow(await tasks.findForOperator(id), 'task', id)
  return async (id) => {
    const found = await find(id)
    if (hasEnded(found.status)) throw ended(found)
    const { organizationId, status } = found
    const act = { action: 'task.cancel', organizationId, subject: found.id, detail: { status } }
    await withdraw(found, { keepsEnded: true, audit: draftAudit(act, tools) })
    const task = await find(id)
    if (task.status !== 'cancelled') throw ended(task)
    return reportTask(task, { secrets: tools.secrets, nowMs: tools.clock.nowMs() })
  }
}

function ended({ status }: TaskForOperator): ApiError {
  return new ApiError('task_not_deletable', { message: `This task has ended: ${status}.` })
}

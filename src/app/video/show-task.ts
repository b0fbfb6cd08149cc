import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import { noSuch } from '../access/no-such.ts'
import type { Operator } from '../operator.ts'
import { reportTask } from './task-report.ts'

/** One task of any organization, for an operator. The vendor is not asked. */
export function showTask({
  tasks,
  secrets,
  clock,
}: {
  tasks: Pick<TaskStore, 'findForOperator'>
  secrets: Secrets
  clock: Clock
}): Operator['showTask'] {
  return async (id) => {
    const task = await tasks.findForOperator(id)
    if (task === undefined) throw noSuch('task', id)
    return reportTask(task, { secrets, nowMs: clock.nowMs() })
  }
}

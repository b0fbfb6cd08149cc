import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { noSuch } from '../access/no-such.ts'
import type { Operator } from '../operator.ts'
import { reportTask } from './task-report.ts'

/** The latest tasks of one organization or of all. An unknown organization is said, not shown as empty. */
export function listTasksForOperator({
  tasks,
  organizations,
  secrets,
  clock,
}: {
  tasks: Pick<TaskStore, 'listForOperator'>
  organizations: Pick<OrganizationStore, 'find'>
  secrets: Secrets
  clock: Clock
}): Operator['listTasks'] {
  return async (query) => {
    const { organizationId } = query
    if (organizationId !== undefined && (await organizations.find(organizationId)) === undefined)
      throw noSuch('organization', organizationId)
    const rows = await tasks.listForOperator(query)
    const nowMs = clock.nowMs()
    return rows.map((task) => reportTask(task, { secrets, nowMs }))
  }
}

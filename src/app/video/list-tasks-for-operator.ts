import type { TaskStore } from '../../ports/tasks.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { noSuch } from '../access/no-such.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { reportTask } from './task-report.ts'

/** A task without an answer of its vendor for this time is stuck, because sweeps poll far more often. */
const SILENT_MS = 15 * 60_000

/** An unknown organization is an error, not an empty list. */
export function listTasksForOperator(
  tools: Pick<Runtime, 'clock' | 'secrets'> & {
    tasks: Pick<TaskStore, 'listForOperator'>
    organizations: Pick<OrganizationStore, 'find'>
  },
): Operator['listTasks'] {
  const { tasks, organizations, secrets, clock } = tools
  return async ({ isStuck = false, ...query }) => {
    const { organizationId } = query
    if (organizationId !== undefined && (await organizations.find(organizationId)) === undefined)
      throw noSuch('organization', organizationId)
    const nowMs = clock.nowMs()
    const rows = await tasks.listForOperator({
      ...query,
      ...(isStuck && { silentSinceMs: nowMs - SILENT_MS }),
    })
    return rows.map((task) => reportTask(task, { secrets, nowMs }))
  }
}

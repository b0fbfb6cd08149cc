import { ApiError } from '../../domain/api-error.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'

/** Makes a task due again that the sweep set aside. If it still cannot be claimed or read, it is set aside again. */
export function resumeTask(
  input: AuditTools & { tasks: Pick<TaskStore, 'resume'> },
): (id: string) => Promise<string> {
  const { tasks, ...tools } = input
  return async (id) => {
    const act = { action: 'task.resume', organizationId: null, subject: id, detail: {} }
    const done = await tasks.resume({ id, atMs: tools.clock.nowMs() }, draftAudit(act, tools))
    if (done !== undefined) return done
    throw new ApiError('not_found', {
      message: `There is no task ${id} that is set aside.`,
      command: `"sluice task show ${id}" shows its status.`,
    })
  }
}

import { ApiError } from '../../domain/api-error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TaskStore } from '../../ports/tasks.ts'

/** Makes a task due again that was set aside. If its row still cannot be read, the sweep sets it aside again. */
export function resumeTask({
  tasks,
  clock,
}: {
  tasks: Pick<TaskStore, 'resume'>
  clock: Clock
}): (id: string) => Promise<void> {
  return async (id) => {
    if (await tasks.resume({ id, atMs: clock.nowMs() })) return
    throw new ApiError('not_found', {
      message: `There is no task ${id} that is set aside. "sluice task show ${id}" shows how it stands.`,
    })
  }
}

import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import { type WithdrawTools, withdrawTask } from './withdraw-task.ts'

export type DeleteTask = (command: { id: string; caller: Caller }) => Promise<void>

/** Deletes a task for a client. A succeeded or failed task disappears; any other is `cancelled`, readable but not listed. */
export function deleteTask(input: WithdrawTools & { tasks: Pick<TaskStore, 'find' | 'remove'> }): DeleteTask {
  const { tasks, clock, ...tools } = input
  const withdraw = withdrawTask({ ...tools, tasks, clock })
  return async ({ id, caller }) => {
    const { keyId } = caller
    const found = await tasks.find({ id, keyId })
    if (found === undefined || found.deletedAtMs !== null) throw new ApiError('task_not_found')
    await withdraw(found)
    const removed = await tasks.remove({ id, keyId, atMs: clock.nowMs() })
    // Only one of several simultaneous deletes succeeds. `withdraw` cannot decide this, because all may see the same
    // end.
    if (!removed) throw new ApiError('task_not_found')
  }
}

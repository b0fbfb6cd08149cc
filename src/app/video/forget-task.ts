import type { Clock } from '../../ports/clock.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import type { DayLimits } from '../limits/day/day-limits.ts'
import type { WriteRetries } from '../waiting/retry-write.ts'
import type { DraftSettings, TaskDraft } from './draft-task.ts'

export interface ForgetTools {
  tasks: Pick<TaskStore, 'forget'>
  days: DayLimits
  retries: WriteRetries
  clock: Clock
  settings: DraftSettings
}

/**
 * Undoes a refused request, after which money, task and idempotency key are as before. While the store is unreachable, the
 * write is repeated. Never rejects, so that the client gets the error of the refusal.
 */
export async function forgetTask(
  { task, day }: { task: TaskDraft['task']; day: string },
  { tasks, days, retries, clock, settings }: ForgetTools,
): Promise<void> {
  const refused = { id: task.id, atMs: clock.nowMs() }
  const forget = async () => {
    const move = await tasks.forget(refused)
    // The move is also undefined when an earlier attempt was carried out and its answer was lost.
    void (move === undefined ? days.recount({ userId: task.userId, day }) : days.applyMove(move))
  }
  const forMs = settings.submittingResolveSeconds * 1_000
  await retries.retryUntilStored(forget, { taskId: task.id, forMs }).catch(() => {})
}

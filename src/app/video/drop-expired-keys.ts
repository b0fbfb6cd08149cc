import type { Clock } from '../../ports/clock.ts'
import type { TaskStore } from '../../ports/tasks.ts'

const PASS_KEYS_MAX = 5_000

/** Forgets idempotency keys whose answers are no longer replayed: one bounded batch, so that a stop never waits for more. */
export function dropExpiredKeys({
  tasks,
  clock,
}: {
  tasks: Pick<TaskStore, 'dropExpiredKeys'>
  clock: Clock
}): () => Promise<void> {
  return async () => {
    await tasks.dropExpiredKeys({ nowMs: clock.nowMs(), limit: PASS_KEYS_MAX })
  }
}

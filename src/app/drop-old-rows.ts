import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/events.ts'
import type { RetentionStore } from '../ports/retention.ts'

const DAY_MS = 86_400_000

/** Steps are small, because SQLite can write nothing else during a step. */
const BATCH_MAX = 200
/** Maximum steps for one kind of row in one run, so that a stop does not wait for a backlog. */
const STEPS_MAX = 25

const EVENTS_KEPT_DAYS = 30

/** Retention of rows in whole days of UTC; 0: without limit. */
export interface KeptDays {
  tasks: number
  contentLinks: number
  audits: number
}

export function dropOldRows(input: {
  retention: RetentionStore
  events: Pick<EventStore, 'dropOld'>
  clock: Clock
  keptDays: KeptDays
}): () => Promise<void> {
  const { retention, events, clock, keptDays } = input
  const { dropTasks, dropContentLinks, dropAudits } = retention
  return async () => {
    await drop(keptDays.tasks, dropTasks)
    await drop(keptDays.contentLinks, dropContentLinks)
    await drop(keptDays.audits, dropAudits)
    await drop(EVENTS_KEPT_DAYS, events.dropOld)
  }

  async function drop(days: number, step: RetentionStore['dropTasks']): Promise<void> {
    if (days === 0) return
    const beforeMs = Math.floor(clock.nowMs() / DAY_MS) * DAY_MS - days * DAY_MS
    for (let steps = 0; steps < STEPS_MAX; steps += 1)
      if ((await step({ beforeMs, limit: BATCH_MAX })) < BATCH_MAX) return
  }
}

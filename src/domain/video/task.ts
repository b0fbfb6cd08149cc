/**
 * The life of a task.
 *
 *   submitting -> queued -> running -> succeeded
 *        |           |         |-----> failed
 *        |           |         \-----> cancelled
 *        |           |---------------> succeeded | failed | cancelled
 *        \---------------------------> failed
 *
 * `submitting` is ours alone: the vendor's answer is not there yet, and neither list nor get shows the task.
 * That answer may already say more than `queued`, and the task begins there. The last three are ends: a task never leaves them.
 */
export const VISIBLE_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const

export type TaskStatus = 'submitting' | (typeof VISIBLE_STATUSES)[number]

const ENDS: ReadonlySet<TaskStatus> = new Set(['succeeded', 'failed', 'cancelled'])

export function hasEnded(status: TaskStatus): boolean {
  return ENDS.has(status)
}

/** From where a word on a task moves it. Without the vendor's answer, and so without a ticket, it can only fail. */
export const MOVES_FROM = {
  queued: [],
  running: ['queued'],
  succeeded: ['queued', 'running'],
  failed: ['submitting', 'queued', 'running'],
  cancelled: ['queued', 'running'],
} as const satisfies Record<(typeof VISIBLE_STATUSES)[number], readonly TaskStatus[]>

/** A task as a list shows it. */
export interface TaskSummary {
  id: string
  model: string
  status: TaskStatus
  createdAtMs: number
  completedAtMs: number | null
}

/**
 * The life of a task.
 *
 *   submitting -> queued -> running -> succeeded
 *        |           |         |-----> failed
 *        |           |         \-----> cancelled
 *        |           |---------------> succeeded | failed | cancelled
 *        \---------------------------> failed
 *
 * `submitting` is internal: the vendor has not answered yet, and neither list nor get shows the task. A task begins at the
 * status that the vendor's answer reports. The last three states are final.
 */
export const VISIBLE_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const

export type TaskStatus = 'submitting' | (typeof VISIBLE_STATUSES)[number]

const ENDS: ReadonlySet<TaskStatus> = new Set(['succeeded', 'failed', 'cancelled'])

export function hasEnded(status: TaskStatus): boolean {
  return ENDS.has(status)
}

/** States from which a snapshot moves a task to the key's state. A snapshot can only fail a `submitting` task. */
export const MOVES_FROM = {
  queued: [],
  running: ['queued'],
  succeeded: ['queued', 'running'],
  failed: ['submitting', 'queued', 'running'],
  cancelled: ['queued', 'running'],
} as const satisfies Record<(typeof VISIBLE_STATUSES)[number], readonly TaskStatus[]>

export interface TaskSummary {
  id: string
  model: string
  status: TaskStatus
  createdAtMs: number
  completedAtMs: number | null
}

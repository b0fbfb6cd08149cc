/**
 * The life of a task.
 *
 *   submitting -> queued -> running -> succeeded
 *                    \         \-----> failed
 *                     \--------------> failed | cancelled
 *
 * `submitting` is ours alone: the vendor's answer is not there yet, and neither list nor get shows the task.
 */
export type TaskStatus = 'submitting' | 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'

/** A task as a list shows it. */
export interface TaskSummary {
  id: string
  model: string
  status: TaskStatus
  createdAtMs: number
  completedAtMs: number | null
}

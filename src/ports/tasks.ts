import type { TaskSummary } from '../domain/video/task.ts'

/** A place in a list that is ordered by creation time, then id, both descending. */
export interface TaskPosition {
  createdAtMs: number
  id: string
}

export interface TaskStore {
  /** The tasks of one API key that are neither deleted nor still `submitting`, newest first, after `after`. */
  list(query: { keyId: string; after: TaskPosition | undefined; limit: number }): Promise<TaskSummary[]>
}

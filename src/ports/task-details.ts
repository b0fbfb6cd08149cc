import type { TaskPricing } from '../domain/video/cost-of-task.ts'
import type { TaskStatus } from '../domain/video/task.ts'
import type { TaskWithContent } from './tasks.ts'

/** Columns that only some client formats show. */
export interface TaskDetails {
  /** JSON of the order; null: the task is older than this column. */
  ordered: string | null
  /** JSON of the vendor's measures of a succeeded task; null: the task has no snapshot of a success. */
  measured: string | null
  unit: TaskPricing['unit']
}

export type DetailedRow = TaskWithContent & TaskDetails

/** Tasks of one API key that are neither deleted nor still `submitting`. Undefined members do not filter. */
export interface OwnTasks {
  keyId: string
  /** Organization of the key. Reads of different organizations take turns. */
  organizationId: string
  unit?: TaskPricing['unit'] | undefined
  status?: TaskStatus | undefined
  errorCode?: { is: boolean; code: string } | undefined
  ids?: readonly string[] | undefined
  model?: string | undefined
  serviceTier?: string | undefined
}

export interface TaskDetailsStore {
  /** Finds a task of any organization. Pass only ids of tasks that their owner has read. */
  findDetails(id: string): Promise<TaskDetails | undefined>
  /** Lists tasks by creation time, then id. Returns undefined when the key never had the task `afterId`. */
  listDetailed(
    query: OwnTasks & { order: 'asc' | 'desc'; afterId: string | undefined; skip: number; limit: number },
  ): Promise<DetailedRow[] | undefined>
  /** Counts at most `max` tasks. */
  countOwn(query: OwnTasks & { max: number }): Promise<number>
}

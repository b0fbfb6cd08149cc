import type { TaskError } from './snapshot.ts'
import type { TaskSummary } from './task.ts'

export interface TaskView extends TaskSummary {
  /** The model that makes the video, which differs from `model` when a stand-in took over. */
  servedModel: string
  /** null before the vendor's first report after the create call. */
  updatedAtMs: number | null
  /** null unless its owner deleted the task. */
  deletedAtMs: number | null
  content: Readonly<Record<string, unknown>> | null
  error: TaskError | null
  /** JSON text of an object, unchanged. */
  metadata: string
  owesCallback: boolean
}

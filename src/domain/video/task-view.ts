import type { TaskError } from './snapshot.ts'
import type { TaskStatus } from './task.ts'

/** A task as its owner may see it. */
export interface TaskView {
  id: string
  model: string
  /** The model that makes it, or made it: another one where a stand-in took it over. */
  servedModel: string
  status: TaskStatus
  createdAtMs: number
  /** null before the first word of the vendor after the create call. */
  updatedAtMs: number | null
  completedAtMs: number | null
  /** null unless its owner deleted it. */
  deletedAtMs: number | null
  /** The vendor's payload of a succeeded task. */
  content: Readonly<Record<string, unknown>> | null
  error: TaskError | null
  /** The JSON text of an object, as the client sent it. */
  metadata: string
}

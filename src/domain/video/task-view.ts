import type { TaskError } from './snapshot.ts'
import type { TaskStatus } from './task.ts'

/** A task as its owner may see it. */
export interface TaskView {
  id: string
  model: string
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

/** The JSON text of the contract's task object: what Get answers and what a callback carries. */
export function taskJson(task: TaskView): string {
  const shown = {
    id: task.id,
    object: 'video.generation.task',
    created: seconds(task.createdAtMs),
    model: task.model,
    status: task.status,
    ...(task.updatedAtMs === null ? {} : { updated_at: seconds(task.updatedAtMs) }),
    ...(task.completedAtMs === null ? {} : { completed_at: seconds(task.completedAtMs) }),
    ...(task.status === 'succeeded' ? { content: task.content ?? {} } : {}),
    ...(task.status === 'failed' ? { error: errorJson(task.error) } : {}),
  }
  return withMetadata(shown, task)
}

/** What a create call answers: the task before anything else was heard of it. */
export function newTaskJson(task: TaskView): string {
  const { id, createdAtMs, model, status } = task
  const shown = { id, object: 'video.generation.task', created: seconds(createdAtMs), model, status }
  return withMetadata(shown, task)
}

/** Put in as it came: parsing would change numbers that have more digits than ours, and costs time for every client. */
function withMetadata(shown: object, { metadata }: TaskView): string {
  return `${JSON.stringify(shown).slice(0, -1)},"metadata":${metadata}}`
}

function errorJson(error: TaskError | null) {
  const { code, message } = error ?? { code: 'generation_failed', message: 'The generation failed.' }
  return { code, message, type: 'video_generation_error', param: null }
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000)
}

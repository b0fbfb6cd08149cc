import { unixSeconds } from '../../../app/views/times.ts'
import type { TaskError } from '../../../domain/video/snapshot.ts'
import type { TaskView } from '../../../domain/video/task-view.ts'

/** JSON of a task as the API returns it, for `GET` and for callbacks. */
export function taskJson(task: TaskView): string {
  const shown = {
    id: task.id,
    object: 'video.generation.task',
    created: unixSeconds(task.createdAtMs),
    model: task.model,
    status: task.status,
    ...(task.updatedAtMs === null ? {} : { updated_at: unixSeconds(task.updatedAtMs) }),
    ...(task.completedAtMs === null ? {} : { completed_at: unixSeconds(task.completedAtMs) }),
    ...(task.status === 'succeeded' ? { content: task.content ?? {} } : {}),
    ...(task.status === 'failed' ? { error: errorJson(task.error) } : {}),
  }
  return withMetadata(shown, task)
}

/** Response of a create call: the task before the vendor's first report. */
export function newTaskJson(task: TaskView): string {
  const { id, createdAtMs, model, status } = task
  const shown = { id, object: 'video.generation.task', created: unixSeconds(createdAtMs), model, status }
  return withMetadata(shown, task)
}

/** Inserts the metadata as stored text: parsing it would change long numbers, and take time in every response. */
function withMetadata(shown: object, { metadata }: TaskView): string {
  return `${JSON.stringify(shown).slice(0, -1)},"metadata":${metadata}}`
}

function errorJson(error: TaskError | null) {
  const { code, message } = error ?? { code: 'generation_failed', message: 'The generation failed.' }
  return { code, message, type: 'video_generation_error', param: null }
}

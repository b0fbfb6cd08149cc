import type { DetailedTask } from '../../../app/video/task-details.ts'
import { json } from '../../../domain/json/json-schema.ts'

export const NATIVE_STATUSES = ['queued', 'running', 'cancelled', 'succeeded', 'failed', 'expired'] as const

/** Our code of a task that was not finished in time, which is a status of its own in this format. */
export const EXPIRED = 'task_expired'

/** Fields of a create call that a task repeats under the same name. */
export const REPEATED = {
  seed: json.optional(json.integer()),
  resolution: json.optional(json.string()),
  ratio: json.optional(json.string()),
  duration: json.optional(json.integer()),
  framespersecond: json.optional(json.integer()),
  generate_audio: json.optional(json.boolean()),
  draft: json.optional(json.boolean()),
  service_tier: json.optional(json.string()),
  watermark: json.optional(json.boolean({ description: 'The value of the order.' })),
  return_last_frame: json.optional(json.boolean()),
  execution_expires_after: json.optional(json.integer()),
}

/** The vendor's task object under the given id. */
export function presentNativeTask(task: DetailedTask, id: string): object {
  const { model, order, completionTokens: tokens } = task
  const createdAt = Math.floor(task.createdAtMs / 1_000)
  return {
    id,
    model,
    status: task.status === 'failed' && task.error?.code === EXPIRED ? 'expired' : task.status,
    error: task.status === 'failed' ? errorOf(task) : null,
    created_at: createdAt,
    updated_at: task.updatedAtMs === null ? createdAt : Math.floor(task.updatedAtMs / 1_000),
    ...(task.status === 'succeeded' && { content: task.content ?? {} }),
    ...Object.fromEntries(
      Object.keys(REPEATED).flatMap((name) => (name in order ? [[name, order[name]]] : [])),
    ),
    ...(tokens !== undefined && { usage: { completion_tokens: tokens, total_tokens: tokens } }),
  }
}

function errorOf({ error }: DetailedTask): object {
  const { code, message } = error ?? { code: 'generation_failed', message: 'The generation failed.' }
  return { code, message }
}

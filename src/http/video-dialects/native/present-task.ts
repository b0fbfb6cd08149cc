import type { DetailedTask } from '../../../app/video/task-details.ts'

export const NATIVE_STATUSES = ['queued', 'running', 'cancelled', 'succeeded', 'failed', 'expired'] as const

/** Our code of a task that was not finished in time, which is a status of its own in this format. */
export const EXPIRED = 'task_expired'

/** Fields of a create call that a task repeats, by the names that both have. */
const REPEATED = [
  'seed',
  'resolution',
  'ratio',
  'duration',
  'framespersecond',
  'generate_audio',
  'draft',
  'service_tier',
  'watermark',
  'return_last_frame',
  'execution_expires_after',
] as const

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
    ...Object.fromEntries(REPEATED.flatMap((name) => (name in order ? [[name, order[name]]] : []))),
    ...(tokens !== undefined && { usage: { completion_tokens: tokens, total_tokens: tokens } }),
  }
}

function errorOf({ error }: DetailedTask): object {
  const { code, message } = error ?? { code: 'generation_failed', message: 'The generation failed.' }
  return { code, message }
}

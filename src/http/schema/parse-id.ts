import { ApiError } from '../../domain/api-error.ts'

/** Every id matches. Other values are answered like an unknown id, and the store is not read. */
const ID = /^[\w-]{1,64}$/

/** Whether the `id` of a path can be the id of a row. */
export function isId(id: unknown): id is string {
  return typeof id === 'string' && ID.test(id)
}

/** Reads the id in the path. An invalid id is answered like an unknown id. */
export function parseTaskId(params: unknown): string {
  const { task_id: id }: { task_id?: unknown } = Object(params)
  if (isId(id)) return id
  throw new ApiError('task_not_found')
}

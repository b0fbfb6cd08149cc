import { ApiError } from '../../domain/api-error.ts'

/** Every id matches. A value that does not match is answered like an unknown id, without a query. */
const ID = /^[\w-]{1,64}$/

/** Whether the `id` of a path can be the id of a row. */
export function isId(id: unknown): id is string {
  return typeof id === 'string' && ID.test(id)
}

/** Reads the id in the path. An invalid one is answered like an unknown one. */
export function parseTaskId(params: unknown): string {
  const { task_id: id }: { task_id?: unknown } = Object(params)
  if (isId(id)) return id
  throw new ApiError('task_not_found')
}

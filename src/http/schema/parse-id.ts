import { ApiError } from '../../domain/api-error.ts'
import { readMember } from '../body/request-body.ts'

/** Reads the id in a body. An id of another type, or without a visible character, counts as none. */
export function parseId(body: unknown, param: 'organization_id' | 'user_id'): string {
  const id = readMember(body, param)
  if (typeof id !== 'string' || id.trim() === '') {
    throw new ApiError('missing_parameter', { message: `${param} is required`, param })
  }
  return id
}

/** Wider than our ids: any other value cannot exist, and needs no query. */
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

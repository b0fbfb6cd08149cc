import { ApiError } from '../../domain/api-error.ts'
import { readMember } from '../body/request-body.ts'

/** The id that a body names. An id of another type, or without a visible character, is none. */
export function parseId(body: unknown, param: 'organization_id' | 'user_id'): string {
  const id = readMember(body, param)
  if (typeof id !== 'string' || id.trim() === '') {
    throw new ApiError('missing_parameter', { message: `${param} is required`, param })
  }
  return id
}

/** Wider than the ids we make; beyond it nothing can be one, and the store need not be asked. */
const ID = /^[\w-]{1,64}$/

/** The id in the path. One that cannot be is as unknown as one that is not there. */
export function parseTaskId(params: unknown): string {
  const { task_id: id }: { task_id?: unknown } = Object(params)
  if (typeof id === 'string' && ID.test(id)) return id
  throw new ApiError('task_not_found')
}

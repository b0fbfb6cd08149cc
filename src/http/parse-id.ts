import { Refusal } from '../domain/refusal.ts'
import { readMember } from './read-member.ts'

/** The id that a body names. An id of another type, or without a visible character, is none. */
export function parseId(body: unknown, param: 'organization_id' | 'user_id'): string {
  const id = readMember(body, param)
  if (typeof id !== 'string' || id.trim() === '') {
    throw new Refusal('missing_parameter', { message: `${param} is required`, param })
  }
  return id
}

import { Refusal } from '../../domain/refusal.ts'

export interface ListQuery {
  limit: number
  cursor: string | undefined
}

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100
const DIGITS = /^[0-9]+$/

export function parseListQuery(query: unknown): ListQuery {
  const { limit, cursor }: { limit?: unknown; cursor?: unknown } = Object(query)
  return { limit: parseLimit(limit), cursor: parseCursor(cursor) }
}

/** Plain digits only: what other spellings mean is a guess, and two limits are none. */
function parseLimit(limit: unknown): number {
  if (limit === undefined) return LIMIT_DEFAULT
  if (typeof limit !== 'string' || !DIGITS.test(limit)) {
    throw new Refusal('invalid_parameter', {
      param: 'limit',
      message: 'limit must be an integer that is not negative.',
    })
  }
  const asked = Number(limit)
  return asked === 0 ? LIMIT_DEFAULT : Math.min(asked, LIMIT_MAX)
}

/** An empty cursor is none: programs that page in a loop begin with one. */
function parseCursor(cursor: unknown): string | undefined {
  if (cursor === undefined || cursor === '') return undefined
  if (typeof cursor !== 'string') throw new Refusal('invalid_cursor', { param: 'cursor' })
  return cursor
}

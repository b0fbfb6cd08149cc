import { ApiError } from '../../domain/api-error.ts'

export interface PageParameters {
  limit: number
  cursor: string | undefined
}

const DIGITS = /^[0-9]+$/

/** `limit` and `cursor` of a list. */
export function parsePageQuery(
  query: unknown,
  { limitDefault, limitMax }: { limitDefault: number; limitMax: number },
): PageParameters {
  const { limit, cursor }: { limit?: unknown; cursor?: unknown } = Object(query)
  return { limit: parseLimit(limit), cursor: parseCursor(cursor) }

  /** Accepts plain digits only, and no repeated limit. */
  function parseLimit(text: unknown): number {
    if (text === undefined) return limitDefault
    if (typeof text !== 'string' || !DIGITS.test(text)) {
      throw new ApiError('invalid_parameter', {
        param: 'limit',
        message: 'limit must be an integer that is not negative.',
      })
    }
    const number = Number(text)
    return number === 0 ? limitDefault : Math.min(number, limitMax)
  }
}

/** An empty cursor counts as none: programs that page in a loop begin with one. */
function parseCursor(cursor: unknown): string | undefined {
  if (cursor === undefined || cursor === '') return undefined
  if (typeof cursor !== 'string') throw new ApiError('invalid_cursor', { param: 'cursor' })
  return cursor
}

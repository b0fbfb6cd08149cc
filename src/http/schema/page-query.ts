import { ApiError, invalidParameter } from '../../domain/api-error.ts'
import { type JsonSchema, json } from '../../domain/json/json-schema.ts'

/** Reply of a list whose pages follow each other by a cursor. */
export function pageSchema(item: JsonSchema): JsonSchema {
  return json.object({
    object: json.literal('list'),
    data: json.array(item),
    has_more: json.boolean(),
    next_cursor: json.string({ description: 'The cursor of the next page; empty on the last page.' }),
  })
}

export function presentPage(data: readonly object[], nextCursor: string | undefined): object {
  return { object: 'list', data, has_more: nextCursor !== undefined, next_cursor: nextCursor ?? '' }
}

interface PageParameters {
  limit: number
  cursor: string | undefined
}

const DIGITS = /^[0-9]+$/

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
      throw invalidParameter('limit', 'limit must be an integer that is not negative.')
    }
    const number = Number(text)
    return number === 0 ? limitDefault : Math.min(number, limitMax)
  }
}

/** An empty cursor counts as none: programs that page in a loop begin with an empty one. */
function parseCursor(cursor: unknown): string | undefined {
  if (cursor === undefined || cursor === '') return undefined
  if (typeof cursor !== 'string') throw new ApiError('invalid_cursor', { param: 'cursor' })
  return cursor
}

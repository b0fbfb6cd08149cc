import { ApiError } from '../../domain/api-error.ts'
import {
  needsHours,
  parseUsageQuery,
  type UsageQuery,
  type UsageWords,
} from '../../domain/usage/usage-query.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { UsageReportStore, UsageSum } from '../../ports/usage-reports.ts'

export interface UsagePage {
  sums: UsageSum[]
  /** undefined on the last page. */
  nextCursor: string | undefined
}

/** Of one organization; of all for an operator who names none. */
export type SumUsage = (
  query: UsageWords & { organizationId: string | undefined; limit: number; cursor: string | undefined },
) => Promise<UsagePage>

/** Reads one sum more than asked for: if it is there, another page follows. */
export function sumUsage({
  usageReports,
  secrets,
  clock,
}: {
  usageReports: Pick<UsageReportStore, 'sum'>
  secrets: Secrets
  clock: Clock
}): SumUsage {
  return async ({ organizationId, limit, cursor, ...words }) => {
    const binding = `usage-cursor:${organizationId ?? ''}`
    const { query, after } = cursor === undefined ? firstPage(words) : readCursor(cursor, binding, words)
    const unit = needsHours(query) ? 'hour' : 'day'
    const found = await usageReports.sum({ ...query, unit, organizationId, after, limit: limit + 1 })
    const sums = found.slice(0, limit)
    const last = sums.at(-1)
    const hasMore = found.length > limit && last !== undefined
    return { sums, nextCursor: hasMore ? writeCursor(query, last, binding) : undefined }
  }

  function firstPage(words: UsageWords): Position {
    return { query: parseUsageQuery(words, clock.nowMs()), after: undefined }
  }

  /** With its query, so that the default dates stay those of the first page. */
  function writeCursor(query: UsageQuery, last: UsageSum, binding: string): string {
    const after = query.by.map((group) => last[group])
    return secrets.encrypt(JSON.stringify({ query, after }), binding)
  }

  /** Words that stand beside the cursor must be those of the page before. */
  function readCursor(cursor: string, binding: string, words: UsageWords): Position {
    const text = secrets.decrypt(cursor, binding)
    if (text === undefined) throw new ApiError('invalid_cursor', { param: 'cursor' })
    const position: Position = JSON.parse(text)
    const { by, from, to } = words
    const given = parseUsageQuery({ ...words, by: by ?? position.query.by.join(',') }, clock.nowMs())
    const isSame =
      given.by.join() === position.query.by.join() &&
      (!from || given.fromMs === position.query.fromMs) &&
      (!to || given.toMs === position.query.toMs)
    if (!isSame) throw new ApiError('invalid_cursor', { param: 'cursor' })
    return position
  }
}

interface Position {
  query: UsageQuery
  after: readonly (string | number)[] | undefined
}

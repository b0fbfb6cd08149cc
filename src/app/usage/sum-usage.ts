import { ApiError } from '../../domain/api-error.ts'
import {
  needsHours,
  parseUsageQuery,
  type RawUsageQuery,
  type UsageQuery,
} from '../../domain/usage/usage-query.ts'
import type { UsageReportStore, UsageSum } from '../../ports/usage-reports.ts'
import type { Runtime } from '../runtime.ts'

export interface UsagePage {
  sums: UsageSum[]
  /** undefined on the last page. */
  nextCursor: string | undefined
}

/** Sums the usage of one organization, or of all for an operator who names none. */
export type SumUsage = (
  query: RawUsageQuery & { organizationId: string | undefined; limit: number; cursor: string | undefined },
) => Promise<UsagePage>

/** Reads one sum more than the limit, which shows whether another page follows. */
export function sumUsage(
  tools: Pick<Runtime, 'clock' | 'secrets'> & { usageReports: Pick<UsageReportStore, 'sum'> },
): SumUsage {
  const { usageReports, secrets, clock } = tools
  return async ({ organizationId, limit, cursor, ...raw }) => {
    const binding = `usage-cursor:${organizationId ?? ''}`
    const { query, after } = cursor === undefined ? firstPage(raw) : readCursor(cursor, binding, raw)
    const unit = needsHours(query) ? 'hour' : 'day'
    const found = await usageReports.sum({ ...query, unit, organizationId, after, limit: limit + 1 })
    const sums = found.slice(0, limit)
    const last = sums.at(-1)
    const hasMore = found.length > limit && last !== undefined
    return { sums, nextCursor: hasMore ? writeCursor(query, last, binding) : undefined }
  }

  function firstPage(raw: RawUsageQuery): Position {
    return { query: parseUsageQuery(raw, clock.nowMs()), after: undefined }
  }

  /** The cursor contains the query, so that the default dates stay those of the first page. */
  function writeCursor(query: UsageQuery, last: UsageSum, binding: string): string {
    const after = query.by.map((group) => last[group])
    return secrets.encrypt(JSON.stringify({ query, after }), binding)
  }

  /** Parameters beside the cursor must equal those of the first page. */
  function readCursor(cursor: string, binding: string, raw: RawUsageQuery): Position {
    const text = secrets.decrypt(cursor, binding)
    if (text === undefined) throw new ApiError('invalid_cursor', { param: 'cursor' })
    const position: Position = JSON.parse(text)
    const { by, from, to } = raw
    const given = parseUsageQuery({ ...raw, by: by ?? position.query.by.join(',') }, clock.nowMs())
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

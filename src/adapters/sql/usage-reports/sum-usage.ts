import { type RawBuilder, sql } from 'kysely'
import type { UsageGroup } from '../../../domain/usage/usage-query.ts'
import type { UsageReportStore, UsageSum } from '../../../ports/usage-reports.ts'
import { readLong, type StatementsOf } from '../statement.ts'
import { CLOSED_DAYS, CLOSED_TABLES, type ClosedTable, readClosedTo } from './close-days.ts'

export const SUM_USAGE = {
  /**
   * Reads one page of sums in the order of their groups; a query for one organization reads a part of an index. Closed
   * days come from the smallest table that has the groups, other days from the rollups.
   */
  sum: readLong(async (db, query) => {
    const { by, fromMs, toMs, unit, organizationId, after, limit } = query
    const columnOf = (group: UsageGroup) => (group === 'day' ? DAY[unit] : sql.ref(COLUMNS[group]))
    const groups = sql.join(by.map(columnOf))
    const names = by.map((group) => sql`${columnOf(group)} as ${sql.ref(group)}`)
    const conditions: RawBuilder<unknown>[] = []
    if (organizationId !== undefined) conditions.push(sql`organization_id = ${organizationId}`)
    if (after !== undefined) {
      const values = after.map((value) => (typeof value === 'number' ? sql`cast(${value} as bigint)` : value))
      conditions.push(sql`(${groups}) > (${sql.join(values)})`)
    }
    const tables = await parts()
    // A day is in one part only, so the later part is read only when the earlier one does not fill the page.
    const steps = by[0] === 'day' ? tables.map((part) => [part]) : [tables]
    const sums: UsageSum[] = []
    for (const step of steps) {
      if (sums.length === limit) break
      const { rows } = await sql<UsageSum>`
        select ${sql.join(names)}, ${SUMS}
        from (${sql.join(step, sql` union all `)}) as parts
        group by ${groups} order by ${groups} limit ${limit - sums.length}`.execute(db)
      for (const row of rows) sums.push({ ...row })
    }
    return sums

    async function parts(): Promise<RawBuilder<unknown>[]> {
      const firstMs = startAfter()
      const closed = unit === 'day' ? closedTableFor(by) : undefined
      if (closed === undefined) return [partOf(`usage_rollup_${unit}`, firstMs, toMs)]
      const splitMs = Math.min(Math.max(await readClosedTo(db), firstMs), toMs)
      const [before, since] = [partOf(closed, firstMs, splitMs), partOf('usage_rollup_day', splitMs, toMs)]
      if (splitMs === toMs) return [before]
      return splitMs === firstMs ? [since] : [before, since]
    }

    function partOf(table: string, partFromMs: number, partToMs: number): RawBuilder<unknown> {
      const columns = new Set([
        'starts_at_ms',
        ...by.map((group) => COLUMNS[group === 'day' ? 'hour' : group]),
      ])
      const time = sql`starts_at_ms >= ${partFromMs} and starts_at_ms < ${partToMs}`
      return sql`
        select ${sql.join([...columns].map((column) => sql.ref(column)))}, ${COUNTS} from ${sql.table(table)}
        where ${sql.join([time, ...conditions], sql` and `)}`
    }

    /** Returns the hour or day at which the previous page ended. */
    function startAfter(): number {
      const first = after?.[0]
      return typeof first === 'number' ? Math.max(fromMs, first) : fromMs
    }
  }),
} satisfies Partial<StatementsOf<UsageReportStore>>

const COLUMNS = {
  hour: 'starts_at_ms',
  org: 'organization_id',
  user: 'user_id',
  key: 'api_key_id',
  model: 'model',
} as const satisfies Record<Exclude<UsageGroup, 'day'>, string>

/**
 * Expression for the day. A report that begins or ends within a day sums hours by day. Sums of days need no
 * rounding, and both engines read the bare column in the order of an index.
 */
const DAY = { hour: sql`(starts_at_ms - starts_at_ms % 86400000)`, day: sql.ref('starts_at_ms') }

function closedTableFor(by: readonly UsageGroup[]): ClosedTable | undefined {
  return CLOSED_TABLES.find((table) => {
    const columns: readonly string[] = CLOSED_DAYS[table]
    return by.every((group) => group === 'day' || columns.includes(COLUMNS[group as keyof typeof COLUMNS]))
  })
}

const COUNTS = sql.raw(
  'requests, errors, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, video_ms, cost_micros',
)

/** PostgreSQL sums whole numbers as decimals. */
const SUMS = sql`
  cast(sum(requests) as bigint) as requests, cast(sum(errors) as bigint) as errors,
  cast(sum(input_tokens) as bigint) as "inputTokens",
  cast(sum(cached_input_tokens) as bigint) as "cachedInputTokens",
  cast(sum(cache_write_tokens) as bigint) as "cacheWriteTokens",
  cast(sum(output_tokens) as bigint) as "outputTokens", cast(sum(video_ms) as bigint) as "videoMs",
  cast(sum(cost_micros) as bigint) as "costMicros"`

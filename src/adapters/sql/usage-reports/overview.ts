import { sql } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import type { Histogram } from '../../../domain/usage/quantile.ts'
import type { OverviewQuery, PeriodFigures, UsageReportStore } from '../../../ports/usage-reports.ts'
import { readLong, type StatementsOf } from '../statement.ts'
import type { Db } from '../tables.ts'
import { taskIdAt } from '../tasks/tasks-for-operator.ts'
import { COUNT_COLUMNS, DURATION_BOUNDS, FIRST_BYTE_BOUNDS, type RollupCounts } from '../usage/rollups.ts'
import { readClosedTo } from './close-days.ts'

export const OVERVIEW = {
  /** Reads the sums of a period, and counts by end the tasks that were created in it. */
  readPeriod: readLong(async (db, period) => {
    const counts = await sumRollups(db, period)
    const ended = await countEnds(db, period)
    return {
      requests: counts.requests,
      errors: counts.errors,
      inputTokens: counts.input_tokens,
      cachedInputTokens: counts.cached_input_tokens,
      cacheWriteTokens: counts.cache_write_tokens,
      outputTokens: counts.output_tokens,
      videoMs: counts.video_ms,
      costMicros: micros(counts.cost_micros),
      firstByte: histogramOf('first_byte', FIRST_BYTE_BOUNDS, counts),
      duration: histogramOf('duration', DURATION_BOUNDS, counts),
      ...ended,
    }
  }),
} satisfies Partial<StatementsOf<UsageReportStore>>

/**
 * Sums the rollups. Durations leave videos out, which take minutes. A sum is of text when it has no video
 * time, but tokens or errors; a video of unknown length has none of these.
 */
async function sumRollups(db: Db, input: OverviewQuery): Promise<RollupCounts & Record<string, number>> {
  const { fromMs, toMs, unit } = input
  const sums = COUNT_COLUMNS.map((name) => {
    const counted = name.startsWith('duration_')
      ? sql`case when video_ms = 0 and input_tokens + output_tokens + errors > 0 then ${sql.ref(name)} else 0 end`
      : sql.ref(name)
    // PostgreSQL sums whole numbers as decimals.
    return sql`cast(coalesce(sum(${counted}), 0) as bigint) as ${sql.ref(name)}`
  })
  // The table with the sums by model has about a hundredth of the rows of a rollup.
  const splitMs = unit === 'day' ? Math.min(Math.max(await readClosedTo(db), fromMs), toMs) : fromMs
  const parts = [
    partOf('usage_rollup_day_model', fromMs, splitMs),
    partOf(unit === 'hour' ? 'usage_rollup_hour' : 'usage_rollup_day', splitMs, toMs),
  ]
  const { rows } = await sql<RollupCounts & Record<string, number>>`
    select ${sql.join(sums)} from (${sql.join(parts, sql` union all `)}) as parts`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a sum without groups returned no row')
  return row
}

function partOf(table: string, fromMs: number, toMs: number) {
  return sql`
    select ${sql.join(COUNT_COLUMNS.map((name) => sql.ref(name)))} from ${sql.table(table)}
    where starts_at_ms >= ${fromMs} and starts_at_ms < ${toMs}`
}

function histogramOf(name: string, bounds: readonly number[], counts: Record<string, number>): Histogram {
  return [...bounds, null].map((upToMs) => ({ upToMs, count: counts[`${name}_${upToMs ?? 'more'}`] ?? 0 }))
}

/** Limit of index entries that a count reads, because the overview need not be exact beyond it. */
const COUNTED_MAX = 100_000

const ENDS = ['succeeded', 'failed', 'cancelled'] as const

async function countEnds(
  db: Db,
  { fromMs, toMs }: OverviewQuery,
): Promise<Pick<PeriodFigures, 'ended' | 'callbacksGivenUp'>> {
  const count = (table: string, column: string, state: string, id: string) => sql`
    (select count(*) from (
      select 1 from ${sql.table(table)}
      where ${sql.ref(column)} = ${sql.lit(state)}
        and ${sql.ref(id)} >= ${taskIdAt(fromMs)} and ${sql.ref(id)} < ${taskIdAt(toMs)}
      limit ${sql.lit(COUNTED_MAX)}
    ) as counted)`
  const ends = ENDS.map(
    (status) => sql`${count('video_tasks', 'status', status, 'id')} as ${sql.ref(status)}`,
  )
  const givenUp = count('video_callbacks', 'state', 'given-up', 'task_id')
  const { rows } = await sql<Record<(typeof ENDS)[number] | 'given_up', number | string>>`
    select ${sql.join(ends)}, ${givenUp} as given_up`.execute(db)
  const [row] = rows
  const [succeeded = 0, failed = 0, cancelled = 0] = ENDS.map((status) => Number(row?.[status] ?? 0))
  return { ended: { succeeded, failed, cancelled }, callbacksGivenUp: Number(row?.given_up ?? 0) }
}

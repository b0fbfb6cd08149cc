import { sql } from 'kysely'
import type { UsageRow } from '../../../ports/usage.ts'
import { hotListStatement, hotStatement, type SqlValue } from '../hot-statement.ts'
import { inChunks } from '../in-chunks.ts'
import type { Db } from '../tables.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Figures that a usage row, settlement or refund adds to a rollup. */
export interface RollupPart
  extends Pick<UsageRow, 'organizationId' | 'userId' | 'keyId' | 'model' | 'outcome'>,
    Partial<Pick<UsageRow, 'inputTokens' | 'cachedInputTokens' | 'cacheWriteTokens' | 'outputTokens'>>,
    Partial<Pick<UsageRow, 'firstByteMs' | 'durationMs'>> {
  /** Time of the charge or the refund. */
  atMs: number
  /** 0 for a refund, which lowers the cost of a request that was counted before. */
  requests: 0 | 1
  videoMs?: number
  costMicros: number
}

/**
 * Adds charges to the sums of their hour and day, in the transaction that charges, so that rollups, rows and
 * entries agree. Callers lock the days of users before, and organizations afterwards
 * (`open-hold.ts`). Rows are locked in key order, so that two transactions cannot deadlock. A charge that is
 * written hours late, when its day is closed, reopens the day.
 */
export async function addToRollups(db: Db, parts: readonly RollupPart[]): Promise<void> {
  const hours = sumsOf(parts)
  await write(db, 'usage_rollup_hour', hours)
  const days = daysOf(hours)
  await write(db, 'usage_rollup_day', days)
  const dayMs = Math.min(...days.map(({ startsAtMs }) => startsAtMs))
  if (days.length > 0) await reopenDay(db, { dayMs })
}

/** Reopens a closed day, after the write to the rollups has waited for the closing transaction. */
const reopenDay = hotStatement<{ dayMs: number }>(
  ({ dayMs }) =>
    sql`update usage_retention set closed_to_ms = ${dayMs} where id = 1 and closed_to_ms > ${dayMs}`,
)

async function write(db: Db, table: RollupTable, sums: readonly Sum[]): Promise<void> {
  for (const chunk of inChunks(sums)) await INSERTIONS[table](db, chunk.flatMap(valuesOf))
}

export const ROLLUPS = [
  { table: 'usage_rollup_hour', lengthMs: HOUR_MS },
  { table: 'usage_rollup_day', lengthMs: DAY_MS },
] as const

type RollupTable = (typeof ROLLUPS)[number]['table']

interface Sum extends Pick<RollupPart, 'organizationId' | 'userId' | 'keyId' | 'model' | 'outcome'> {
  startsAtMs: number
  counts: RollupCounts
}

function sumsOf(parts: readonly RollupPart[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const part of parts) {
    const { organizationId, userId, keyId, model, outcome } = part
    const startsAtMs = part.atMs - (part.atMs % HOUR_MS)
    const key = `${organizationId} ${startsAtMs} ${userId} ${keyId} ${model} ${outcome}`
    let sum = sums.get(key)
    if (sum === undefined) {
      sum = { organizationId, startsAtMs, userId, keyId, model, outcome, counts: { ...NO_COUNTS } }
      sums.set(key, sum)
    }
    add(sum.counts, part)
  }
  return byKey(sums)
}

function daysOf(hours: readonly Sum[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const hour of hours) {
    const { organizationId, userId, keyId, model, outcome, counts } = hour
    const startsAtMs = hour.startsAtMs - (hour.startsAtMs % DAY_MS)
    const key = `${organizationId} ${startsAtMs} ${userId} ${keyId} ${model} ${outcome}`
    const sum = sums.get(key)
    if (sum === undefined) sums.set(key, { ...hour, startsAtMs, counts: { ...counts } })
    else for (const column of COUNT_COLUMNS) sum.counts[column] += counts[column]
  }
  return byKey(sums)
}

/** Sorts sums by key; most groups have only one. */
function byKey(sums: ReadonlyMap<string, Sum>): Sum[] {
  if (sums.size < 2) return [...sums.values()]
  return [...sums.keys()].toSorted().flatMap((key) => sums.get(key) ?? [])
}

function add(counts: RollupCounts, part: RollupPart): void {
  const { requests, firstByteMs, durationMs } = part
  counts.requests += requests
  if (part.outcome === 'failed') counts.errors += requests
  counts.input_tokens += part.inputTokens ?? 0
  counts.cached_input_tokens += part.cachedInputTokens ?? 0
  counts.cache_write_tokens += part.cacheWriteTokens ?? 0
  counts.output_tokens += part.outputTokens ?? 0
  counts.video_ms += part.videoMs ?? 0
  counts.cost_micros += part.costMicros
  if (requests === 0) return
  if (firstByteMs !== undefined && firstByteMs !== null) counts[firstByteBucket(firstByteMs)] += 1
  if (durationMs !== undefined) counts[durationBucket(durationMs)] += 1
}

function firstByteBucket(ms: number): keyof RollupCounts {
  const bound = FIRST_BYTE_BOUNDS.find((each) => ms <= each)
  return bound === undefined ? 'first_byte_more' : `first_byte_${bound}`
}

function durationBucket(ms: number): keyof RollupCounts {
  const bound = DURATION_BOUNDS.find((each) => ms <= each)
  return bound === undefined ? 'duration_more' : `duration_${bound}`
}

/** Upper bounds in milliseconds. Values above the last one count as `more`. */
export const FIRST_BYTE_BOUNDS = [100, 250, 500, 1000, 2500, 5000, 10000] as const
export const DURATION_BOUNDS = [250, 1000, 2500, 5000, 15000, 60000, 300000] as const

/** Summed columns, in the order of the statements. */
export const COUNT_COLUMNS = [
  'requests',
  'errors',
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'video_ms',
  'cost_micros',
  ...FIRST_BYTE_BOUNDS.map((bound) => `first_byte_${bound}` as const),
  'first_byte_more',
  ...DURATION_BOUNDS.map((bound) => `duration_${bound}` as const),
  'duration_more',
] as const

/**
 * Sums of a rollup. A refund lowers the cost in the hour of the refund. A bucket counts requests whose first byte, or
 * whose end, came after the previous bound and within its own. A video lasts from its creation to its settlement.
 */
export type RollupCounts = Record<(typeof COUNT_COLUMNS)[number], number>

const NO_COUNTS = Object.fromEntries(COUNT_COLUMNS.map((column) => [column, 0])) as RollupCounts

export const KEY_COLUMNS = [
  'organization_id',
  'starts_at_ms',
  'user_id',
  'api_key_id',
  'model',
  'outcome',
] as const

function valuesOf({ organizationId, startsAtMs, userId, keyId, model, outcome, counts }: Sum): SqlValue[] {
  return [
    ...[organizationId, startsAtMs, userId, keyId, model, outcome],
    ...COUNT_COLUMNS.map((column) => counts[column]),
  ]
}

const INSERTIONS = {
  usage_rollup_hour: insertionInto('usage_rollup_hour'),
  usage_rollup_day: insertionInto('usage_rollup_day'),
}

function insertionInto(table: RollupTable) {
  return hotListStatement<SqlValue>(KEY_COLUMNS.length + COUNT_COLUMNS.length, (rows) => {
    const values = rows.map((row) => sql`(${sql.join(row)})`)
    const sums = COUNT_COLUMNS.map(
      (column) =>
        sql`${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
    )
    return sql`
      insert into ${sql.table(table)} (${refs([...KEY_COLUMNS, ...COUNT_COLUMNS])}) values ${sql.join(values)}
      on conflict (${refs(KEY_COLUMNS)}) do update set ${sql.join(sums)}`
  })
}

function refs(columns: readonly string[]) {
  return sql.join(columns.map((column) => sql.ref(column)))
}

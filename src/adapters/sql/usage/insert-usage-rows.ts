import { sql } from 'kysely'
import type { UsageRow } from '../../../ports/usage.ts'
import { hotListStatement, type SqlValue } from '../hot-statement.ts'
import { inChunks } from '../in-chunks.ts'
import type { Db, Tables } from '../tables.ts'
import { writePriceLines } from './price-lines.ts'

/** Inserts rows that do not exist. Returns their number. */
export async function insertUsageRows(
  db: Db,
  rows: readonly UsageRow[],
  { entryIdOf, atMs }: { entryIdOf(organizationId: string): string; atMs: number },
): Promise<number> {
  let added = 0n
  for (const chunk of inChunks(rows)) {
    const values = chunk.flatMap((row) => valuesOf(row, entryIdOf(row.organizationId), atMs))
    const { numAffectedRows } = await insertAll(db, values)
    added += numAffectedRows ?? 0n
  }
  return Number(added)
}

const COLUMNS = [
  'id',
  'organization_id',
  'user_id',
  'api_key_id',
  'model',
  'asked_model',
  'day',
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'cost_micros',
  'outcome',
  'first_byte_ms',
  'duration_ms',
  'losses',
  'price_lines',
  'entry_id',
  'created_at_ms',
  'request_id',
  'provider',
  'price_model',
  'vendor_usage',
  'charged_at_ms',
  'operation',
  'status',
  'code',
] as const satisfies readonly (keyof Tables['text_usage'])[]

function valuesOf(row: UsageRow, entryId: string, chargedAtMs: number): SqlValue[] {
  return [
    row.id,
    row.organizationId,
    row.userId,
    row.keyId,
    row.model,
    row.askedModel,
    row.day,
    row.inputTokens,
    row.cachedInputTokens,
    row.cacheWriteTokens,
    row.outputTokens,
    row.costMicros,
    row.outcome,
    row.firstByteMs,
    row.durationMs,
    row.losses.length === 0 ? null : JSON.stringify(row.losses),
    writePriceLines(row.priceLines),
    entryId,
    row.createdAtMs,
    row.requestId,
    row.provider,
    row.priceModel,
    row.vendorUsage,
    chargedAtMs,
    row.operation,
    row.status,
    row.code,
  ]
}

const insertAll = hotListStatement<SqlValue>(COLUMNS.length, (rows) => {
  const columns = sql.join(COLUMNS.map((column) => sql.ref(column)))
  const values = rows.map((row) => sql`(${sql.join(row)})`)
  return sql`insert into text_usage (${columns}) values ${sql.join(values)} on conflict (id) do nothing`
})

import { sql } from 'kysely'
import type { UsageRow } from '../../../ports/usage.ts'
import { hotListStatement, type SqlValue } from '../hot-statement.ts'
import { inChunks } from '../in-chunks.ts'
import type { Db } from '../tables.ts'
import { writePriceLines } from './price-lines.ts'

/** Inserts rows that do not exist. Returns their number. */
export async function insertUsageRows(
  db: Db,
  rows: readonly UsageRow[],
  { entryIdOf, atMs }: { entryIdOf(organizationId: string): string; atMs: number },
): Promise<number> {
  let added = 0n
  for (const chunk of inChunks(rows)) {
    const values = chunk.flatMap((row) => {
      const charge = { entryId: entryIdOf(row.organizationId), atMs }
      return READERS.map((read) => read(row, charge))
    })
    const { numAffectedRows } = await insertAll(db, values)
    added += numAffectedRows ?? 0n
  }
  return Number(added)
}

/** Value of a row for each column. */
const COLUMNS: Record<string, (row: UsageRow, charge: { entryId: string; atMs: number }) => SqlValue> = {
  id: (row) => row.id,
  organization_id: (row) => row.organizationId,
  user_id: (row) => row.userId,
  api_key_id: (row) => row.keyId,
  model: (row) => row.model,
  asked_model: (row) => row.askedModel,
  day: (row) => row.day,
  input_tokens: (row) => row.inputTokens,
  cached_input_tokens: (row) => row.cachedInputTokens,
  cache_write_tokens: (row) => row.cacheWriteTokens,
  output_tokens: (row) => row.outputTokens,
  cost_micros: (row) => row.costMicros,
  outcome: (row) => row.outcome,
  first_byte_ms: (row) => row.firstByteMs,
  duration_ms: (row) => row.durationMs,
  losses: (row) => (row.losses.length === 0 ? null : JSON.stringify(row.losses)),
  price_lines: (row) => writePriceLines(row.priceLines),
  entry_id: (_row, { entryId }) => entryId,
  created_at_ms: (row) => row.createdAtMs,
  request_id: (row) => row.requestId,
  provider: (row) => row.provider,
  price_model: (row) => row.priceModel,
  vendor_usage: (row) => row.vendorUsage,
  charged_at_ms: (_row, { atMs }) => atMs,
  operation: (row) => row.operation,
  status: (row) => row.status,
  code: (row) => row.code,
}
const NAMES = Object.keys(COLUMNS).map((column) => sql.ref(column))
const READERS = Object.values(COLUMNS)

const insertAll = hotListStatement<SqlValue>(READERS.length, (rows) => {
  const values = rows.map((row) => sql`(${sql.join(row)})`)
  return sql`insert into text_usage (${sql.join(NAMES)}) values ${sql.join(values)} on conflict (id) do nothing`
})

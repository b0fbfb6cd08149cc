import { sql } from 'kysely'
import type { TextFigures, UsageRow } from '../../../ports/usage.ts'
import type { UsageReportStore } from '../../../ports/usage-reports.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { inChunks } from '../in-chunks.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { addToRollups, type RollupPart } from '../usage/rollups.ts'

export const COUNT_LATE_USAGE = {
  /**
   * Adds charges that the rollups lack: charges from before rollups existed, and charges of a replica of an
   * older version. Returns the number of counted entries, at most `limit` of each kind.
   */
  countLate: write(async (db, { limit }, traits) => {
    const rows = await takeLateRows(db, limit, traits)
    const entries = await takeLateEntries(db, limit, traits)
    await addToRollups(db, [...rows.parts, ...entries.parts])
    return rows.count + entries.count
  }),
} satisfies Partial<StatementsOf<UsageReportStore>>

interface Late {
  count: number
  parts: RollupPart[]
}

type LateRow = Pick<UsageRow, 'organizationId' | 'userId' | 'keyId'> &
  Omit<TextFigures, 'operation' | 'askedModel' | 'provider'>

/** Counts all rows of an entry together, under a lock of the entry, so that no entry is counted partly. */
async function takeLateRows(db: Db, limit: number, traits: EngineTraits): Promise<Late> {
  const { rows: entries } = await sql<{ id: string; atMs: number }>`
    select id, created_at_ms as "atMs" from ledger_entries
    where kind = 'usage'
      and id in (select distinct entry_id from text_usage where charged_at_ms is null limit ${limit})
    order by id ${traits.lockRows}`.execute(db)
  const parts: RollupPart[] = []
  for (const { id, atMs } of entries) {
    const { rows } = await sql<LateRow>`
      update text_usage set charged_at_ms = ${atMs} where entry_id = ${id} and charged_at_ms is null
      returning organization_id as "organizationId", user_id as "userId", api_key_id as "keyId", model, outcome,
        input_tokens as "inputTokens", cached_input_tokens as "cachedInputTokens",
        cache_write_tokens as "cacheWriteTokens", output_tokens as "outputTokens", cost_micros as "costMicros",
        first_byte_ms as "firstByteMs", duration_ms as "durationMs"`.execute(db)
    for (const row of rows) parts.push({ ...row, requests: 1, atMs })
  }
  return { count: entries.length, parts }
}

interface LateEntry {
  id: string
  kind: 'settlement' | 'refund'
  organizationId: string
  userId: string | null
  keyId: string | null
  model: string | null
  costMicros: number
  atMs: number
  durationMs: number | null
  unit: string | null
  quantity: number | null
}

/** Counts settlements and refunds. A video whose task was dropped gets no key and the model `unknown`. */
async function takeLateEntries(db: Db, limit: number, traits: EngineTraits): Promise<Late> {
  const { rows: locked } = await sql<{ id: string }>`
    select id from ledger_entries where kind in ('settlement', 'refund') and model is null
    order by id limit ${limit} ${traits.lockRows}`.execute(db)
  const parts: RollupPart[] = []
  for (const chunk of inChunks(locked)) {
    const { rows } = await sql<LateEntry>`
      select ledger_entries.id, ledger_entries.kind, ledger_entries.organization_id as "organizationId",
        holds.user_id as "userId", video_tasks.api_key_id as "keyId", video_tasks.model,
        loss_micros - ledger_entries.amount_micros as "costMicros", ledger_entries.created_at_ms as "atMs",
        ledger_entries.created_at_ms - video_tasks.created_at_ms as "durationMs", cost_unit as unit,
        cost_quantity as quantity
      from ledger_entries left join holds on holds.id = ledger_entries.hold_id
      left join video_tasks on video_tasks.id = holds.task_id
      where ledger_entries.id in (${sql.join(chunk.map(({ id }) => id))})`.execute(db)
    for (const row of rows) parts.push(await takeLateEntry(db, row))
  }
  return { count: locked.length, parts }
}

async function takeLateEntry(db: Db, row: LateEntry): Promise<RollupPart> {
  const { id, kind, organizationId, costMicros, atMs, unit, quantity } = row
  const isVideo = kind === 'settlement'
  const under = { userId: row.userId ?? '', keyId: row.keyId ?? '', model: row.model ?? 'unknown' }
  const durationMs = Math.max(0, row.durationMs ?? 0)
  const videoMs = unit === 'second' ? Math.round((quantity ?? 0) * 1_000) : 0
  await sql`
    update ledger_entries set user_id = ${under.userId}, api_key_id = ${under.keyId}, model = ${under.model},
      outcome = 'completed', video_ms = ${isVideo ? videoMs : null}, duration_ms = ${isVideo ? durationMs : null}
    where id = ${id}`.execute(db)
  const refund = { organizationId, ...under, outcome: 'completed', requests: 0, costMicros, atMs } as const
  return isVideo ? { ...refund, requests: 1, videoMs, durationMs } : refund
}

import { sql } from 'kysely'
import type { ChargePage, TextCharge, UsageReportStore, VideoCharge } from '../../../ports/usage-reports.ts'
import { read, readLong, type StatementsOf } from '../statement.ts'
import { taskIdOf } from '../tasks/task-id-of.ts'
import { readPriceLines } from '../usage/price-lines.ts'

export const FIND_CHARGES = {
  /** Finds a charge by its request id or by its own id. */
  findText: read(async (db, id) => {
    const { rows } = await sql<StoredText>`
      select ${TEXT} from text_usage where request_id = ${id} or id = ${id} order by id limit 1`.execute(db)
    return rows.map(toText)[0]
  }),

  findRowsFrom: read(async (db) => {
    const { rows } = await sql<{ rows_from_ms: number }>`select rows_from_ms from usage_retention`.execute(db)
    return rows[0]?.rows_from_ms ?? 0
  }),

  /** Finds a charge by the id of its task or of the create request. */
  findVideo: read(async (db, taskId) => {
    const { rows } = await sql<VideoCharge>`
      select ${VIDEO} from ${VIDEO_FROM} where holds.task_id = ${taskIdOf(taskId)} and ledger_entries.kind = 'settlement'
      limit 1`.execute(db)
    return rows.map((row) => ({ ...row }))[0]
  }),

  listText: readLong(async (db, page) => {
    const { rows } = await sql<StoredText>`
      select ${TEXT} from text_usage
      where charged_at_ms >= ${page.fromMs} and charged_at_ms < ${page.toMs} ${ofOne('text_usage', page)}
        and (charged_at_ms, id) > (cast(${page.after.atMs} as bigint), cast(${page.after.id} as text))
      order by charged_at_ms, id limit ${page.limit}`.execute(db)
    return rows.map(toText)
  }),

  listVideo: readLong(async (db, page) => {
    const { rows } = await sql<VideoCharge>`
      select ${VIDEO} from ${VIDEO_FROM}
      where ledger_entries.kind in ('settlement', 'refund') and ledger_entries.kind = 'settlement'
        and ledger_entries.model is not null
        and ledger_entries.created_at_ms >= ${page.fromMs} and ledger_entries.created_at_ms < ${page.toMs}
        ${ofOne('ledger_entries', page)}
        and (ledger_entries.created_at_ms, ledger_entries.id)
          > (cast(${page.after.atMs} as bigint), cast(${page.after.id} as text))
      order by ledger_entries.created_at_ms, ledger_entries.id limit ${page.limit}`.execute(db)
    return rows.map((row) => ({ ...row }))
  }),
} satisfies Partial<StatementsOf<UsageReportStore>>

function ofOne(table: string, { organizationId }: ChargePage) {
  return organizationId === undefined
    ? sql``
    : sql`and ${sql.ref(`${table}.organization_id`)} = ${organizationId}`
}

type StoredText = Omit<TextCharge, 'priceLines' | 'losses'> & {
  priceLines: string | null
  losses: string | null
}

const TEXT = sql`
  id, request_id as "requestId", organization_id as "organizationId", user_id as "userId", api_key_id as "keyId", model,
  coalesce(asked_model, model) as "askedModel", provider, price_model as "priceModel", vendor_usage as "vendorUsage",
  outcome, input_tokens as "inputTokens", cached_input_tokens as "cachedInputTokens",
  cache_write_tokens as "cacheWriteTokens", output_tokens as "outputTokens", cost_micros as "costMicros",
  price_lines as "priceLines", first_byte_ms as "firstByteMs", duration_ms as "durationMs", losses,
  entry_id as "entryId", coalesce(charged_at_ms, created_at_ms) as "atMs"`

function toText(row: StoredText): TextCharge {
  return {
    ...row,
    priceLines: row.priceLines === null ? null : (readPriceLines(row.priceLines) ?? null),
    losses: row.losses === null ? [] : JSON.parse(row.losses),
  }
}

const VIDEO_FROM = sql`
  ledger_entries join holds on holds.id = ledger_entries.hold_id
  left join video_tasks on video_tasks.id = holds.task_id`

const VIDEO = sql`
  ledger_entries.id as "entryId", holds.task_id as "taskId", video_tasks.request_id as "requestId", ledger_entries.organization_id as "organizationId",
  holds.user_id as "userId", coalesce(ledger_entries.api_key_id, video_tasks.api_key_id) as "keyId",
  coalesce(ledger_entries.model, video_tasks.model, 'unknown') as model, video_tasks.provider,
  cost_unit as unit, cost_quantity as quantity, cost_price_micros as "priceMicros",
  coalesce(ledger_entries.video_ms, 0) as "videoMs", holds.amount_micros as "holdMicros",
  loss_micros - ledger_entries.amount_micros as "costMicros", loss_micros as "lossMicros", quote_loss_micros as "quoteLossMicros",
  (select cast(coalesce(sum(refunds.amount_micros), 0) as bigint) from ledger_entries as refunds
    where refunds.hold_id = holds.id and refunds.kind = 'refund') as "refundedMicros",
  ledger_entries.created_at_ms as "atMs"`

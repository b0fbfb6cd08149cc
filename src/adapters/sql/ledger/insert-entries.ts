import { sql } from 'kysely'
import type { CostTerms } from '../../../domain/video/cost-of-task.ts'
import { hotStatement } from '../hot-statement.ts'
import { inChunks } from '../in-chunks.ts'
import type { Db, Tables } from '../tables.ts'

export interface NewEntry {
  id: string
  organizationId: string
  kind: Tables['ledger_entries']['kind']
  amount: number
  loss: number
  holdId: string | null
  note: string | null
  atMs: number
}

export const insertEntry = hotStatement<NewEntry>((entry) => sql`${COLUMNS} values ${valuesOf(entry)}`)

/** Keys under which the rollups count a settlement or a refund. */
export interface CountedUnder {
  userId: string | null
  keyId: string | null
  model: string | null
  outcome: Tables['ledger_entries']['outcome']
}

type PricedEntry = NewEntry &
  Omit<CostTerms, 'maxMicros'> &
  CountedUnder & { quoteLoss: number; videoMs: number | null; durationMs: number | null }

/** Inserts an entry with the terms of its cost. */
export const insertPricedEntry = hotStatement<PricedEntry>(
  (entry) => sql`
    insert into ledger_entries
      (id, organization_id, kind, amount_micros, loss_micros, hold_id, note, created_at_ms, cost_unit, cost_quantity,
       cost_price_micros, quote_loss_micros, user_id, api_key_id, model, outcome, video_ms, duration_ms)
    values (${entry.id}, ${entry.organizationId}, ${entry.kind}, ${entry.amount}, ${entry.loss}, ${entry.holdId},
      ${entry.note}, ${entry.atMs}, ${entry.unit}, ${entry.quantity}, ${entry.priceMicros}, ${entry.quoteLoss}, ${entry.userId},
      ${entry.keyId}, ${entry.model}, ${entry.outcome}, ${entry.videoMs}, ${entry.durationMs})`,
)

/** Inserts entries. Throws for an existing one: a balance never moves without its own entry. */
export async function insertEntries(db: Db, entries: readonly NewEntry[]): Promise<void> {
  const [only] = entries
  // Most groups are of one organization.
  if (entries.length === 1 && only !== undefined) {
    await insertEntry(db, only)
    return
  }
  for (const chunk of inChunks(entries)) {
    await sql`${COLUMNS} values ${sql.join(chunk.map(valuesOf))}`.execute(db)
  }
}

/** Inserts an entry. Returns false when it exists, by its id or another unique key. */
export async function insertNewEntry(db: Db, entry: NewEntry): Promise<boolean> {
  const { numAffectedRows } = await sql`
    ${COLUMNS} values ${valuesOf(entry)} on conflict do nothing`.execute(db)
  return numAffectedRows === 1n
}

const COLUMNS = sql`
  insert into ledger_entries
    (id, organization_id, kind, amount_micros, loss_micros, hold_id, note, created_at_ms)`

function valuesOf({ id, organizationId, kind, amount, loss, holdId, note, atMs }: NewEntry) {
  return sql`(${id}, ${organizationId}, ${kind}, ${amount}, ${loss}, ${holdId}, ${note}, ${atMs})`
}

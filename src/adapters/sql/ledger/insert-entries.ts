import { type Kysely, sql } from 'kysely'
import { hotStatement } from '../hot-statement.ts'
import { inChunks } from '../in-chunks.ts'
import type { Tables } from '../tables.ts'

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

/** Leaves out those that are there already, by id or by what may be entered once. Returns how many are new. */
export async function insertNewEntries(db: Kysely<Tables>, entries: readonly NewEntry[]): Promise<number> {
  let added = 0n
  for (const chunk of inChunks(entries)) {
    const { numAffectedRows } = await sql`
      ${COLUMNS} values ${sql.join(chunk.map(valuesOf))} on conflict do nothing`.execute(db)
    added += numAffectedRows ?? 0n
  }
  return Number(added)
}

const COLUMNS = sql`
  insert into ledger_entries
    (id, organization_id, kind, amount_micros, loss_micros, hold_id, note, created_at_ms)`

function valuesOf({ id, organizationId, kind, amount, loss, holdId, note, atMs }: NewEntry) {
  return sql`(${id}, ${organizationId}, ${kind}, ${amount}, ${loss}, ${holdId}, ${note}, ${atMs})`
}

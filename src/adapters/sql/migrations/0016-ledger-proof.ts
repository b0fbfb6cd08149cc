import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** What the check needs to compute every charge again and to find the audit row of every credit and refund. */
export function createLedgerProof(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await keepCostTerms(db, columns)
    await allowPartialRefunds(db, columns)
    await linkAudits(db, columns)
    await lowerRefundedDays(db)
  }
}

/** Settlements of before keep no terms. */
async function keepCostTerms(db: Kysely<unknown>, { text, decimal, integer }: ColumnTypes): Promise<void> {
  const entries = db.schema.alterTable('ledger_entries')
  await entries
    .addColumn('cost_unit', text, (column) =>
      column.check(sql`cost_unit in ('video_token', 'second', 'credit')`),
    )
    .execute()
  await entries.addColumn('cost_quantity', decimal).execute()
  await entries.addColumn('cost_price_micros', integer).execute()
}

/** How much was given back is counted under a lock of the hold; the indexes find the parts, and those of a moment. */
async function allowPartialRefunds(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('ledger_entries').addColumn('day_version', integer).execute()
  await sql`drop index ledger_entries_refund_once`.execute(db)
  await sql`create index ledger_entries_refunds on ledger_entries (hold_id) where kind = 'refund'`.execute(db)
  await sql`
    create index ledger_entries_refunds_by_time on ledger_entries (created_at_ms) where kind = 'refund'`.execute(
    db,
  )
}

/** Audit rows of before name their entry in their detail; the first credit of a demo is the only one that does not. */
async function linkAudits(db: Kysely<unknown>, { id, integer }: ColumnTypes): Promise<void> {
  const audits = db.schema.alterTable('audit_events')
  await audits.addColumn('entry_id', id).execute()
  await audits.addColumn('amount_micros', integer).execute()
  for (let after = ''; ; ) {
    const { rows } = await sql<OldAudit>`
      select id, action, organization_id, detail from audit_events
      where action in ('credit.add', 'ledger.refund', 'demo.create') and id > ${after}
      order by id limit 500`.execute(db)
    for (const row of rows) await linkAudit(db, row)
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
  }
  await sql`create index audit_events_of_entry on audit_events (entry_id) where entry_id is not null`.execute(
    db,
  )
}

interface OldAudit {
  id: string
  action: string
  organization_id: string | null
  detail: string
}

async function linkAudit(
  db: Kysely<unknown>,
  { id, action, organization_id, detail }: OldAudit,
): Promise<void> {
  const { entry_id, amount_micros, credit_micros } = JSON.parse(detail)
  if (action === 'demo.create') {
    await sql`
      update audit_events set amount_micros = ${credit_micros}, entry_id = (
        select min(id) from ledger_entries where kind = 'credit' and organization_id = ${organization_id}
      ) where id = ${id}`.execute(db)
  } else if (typeof entry_id === 'string' && typeof amount_micros === 'number') {
    await sql`
      update audit_events set entry_id = ${entry_id}, amount_micros = ${amount_micros} where id = ${id}`.execute(
      db,
    )
  }
}

/** Refunds of before left the day as it was. */
async function lowerRefundedDays(db: Kysely<unknown>): Promise<void> {
  const refunds = sql`
    select sum(ledger_entries.amount_micros) from ledger_entries join holds on holds.id = ledger_entries.hold_id
    where ledger_entries.kind = 'refund' and holds.user_id = user_days.user_id and holds.day = user_days.day`
  await sql`
    update user_days set used_micros = used_micros - (${refunds}), version = version + 1
    where (${refunds}) is not null`.execute(db)
}

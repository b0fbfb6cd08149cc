import { type Kysely, sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Values by which the check computes charges again, and finds audit rows of credits and refunds. */
export const createLedgerProof: MigrationStep = ({ id, text, integer, decimal }) => [
  // Null in earlier settlements.
  sql`
    alter table ledger_entries add column cost_unit ${text}
    check (cost_unit in ('video_token', 'second', 'credit'))`,
  sql`alter table ledger_entries add column cost_quantity ${decimal}`,
  sql`alter table ledger_entries add column cost_price_micros ${integer}`,
  // A hold may have several refunds, one after another by its lock.
  sql`alter table ledger_entries add column day_version ${integer}`,
  sql`drop index ledger_entries_refund_once`,
  sql`create index ledger_entries_refunds on ledger_entries (hold_id) where kind = 'refund'`,
  sql`create index ledger_entries_refunds_by_time on ledger_entries (created_at_ms) where kind = 'refund'`,
  sql`alter table audit_events add column entry_id ${id}`,
  sql`alter table audit_events add column amount_micros ${integer}`,
  linkAudits,
  sql`create index audit_events_of_entry on audit_events (entry_id) where entry_id is not null`,
  // Refunds of earlier versions did not lower the day.
  sql`
    update user_days set used_micros = used_micros - (${REFUNDS}), version = version + 1
    where (${REFUNDS}) is not null`,
]

const REFUNDS = sql`
  select sum(ledger_entries.amount_micros) from ledger_entries join holds on holds.id = ledger_entries.hold_id
  where ledger_entries.kind = 'refund' and holds.user_id = user_days.user_id and holds.day = user_days.day`

interface OldAudit {
  id: string
  action: string
  organization_id: string | null
  detail: string
}

/** Earlier audit rows name their entry in their detail, except the first credit of a demo. */
async function linkAudits(db: Kysely<unknown>): Promise<void> {
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
      update audit_events set entry_id = ${entry_id}, amount_micros = ${amount_micros}
      where id = ${id}`.execute(db)
  }
}

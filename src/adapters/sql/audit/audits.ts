import { type Selectable, sql } from 'kysely'
import type { AuditStore, NewAudit } from '../../../ports/audit.ts'
import { markAdminRequestDone } from '../admin-requests/admin-requests.ts'
import { columnsOf } from '../columns-of.ts'
import { equal, pageOf } from '../page-of.ts'
import { page, type StatementsOf, single } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'

export const AUDIT = {
  add: single(insertAudit),
  list: page(async (db, query) => {
    const filters = (['actor', 'action', 'subject'] as const).flatMap((name) => equal(name, query[name]))
    const { rows } = await sql<Selectable<Tables['audit_events']>>`
      select * from audit_events ${pageOf('audit_events', query, filters)}`.execute(db)
    return rows.map((row) => ({
      id: row.id,
      atMs: row.at_ms,
      actor: row.actor,
      action: row.action,
      organizationId: row.organization_id,
      subject: row.subject,
      detail: JSON.parse(row.detail),
    }))
  }),
} satisfies StatementsOf<AuditStore>

/** Ledger entry and amount of an action that moved money. */
interface MoneyGiven {
  entryId?: string
  amountMicros?: number
}

/** Writes an audit row in the transaction of the change that it records. */
export async function insertAudit(db: Db, audit: NewAudit & MoneyGiven): Promise<void> {
  const { id, atMs, actor, action, organizationId, subject, entryId = null, amountMicros = null } = audit
  if (audit.claimId !== undefined) await markAdminRequestDone(db, audit.claimId)
  const detail = JSON.stringify(audit.detail)
  await db
    .insertInto('audit_events')
    .values(columnsOf({ id, atMs, actor, action, organizationId, subject, detail, entryId, amountMicros }))
    .execute()
}

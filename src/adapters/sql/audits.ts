import type { Kysely } from 'kysely'
import type { NewAudit } from '../../ports/audit.ts'
import type { Tables } from './tables.ts'

/** Of an act that gave money: the ledger entry and its amount. */
interface Given {
  entryId?: string
  amountMicros?: number
}

/** Called inside the transaction of the change that it records: both are written, or neither. */
export async function insertAudit(db: Kysely<Tables>, audit: NewAudit & Given): Promise<void> {
  await db
    .insertInto('audit_events')
    .values({
      id: audit.id,
      at_ms: audit.atMs,
      actor: audit.actor,
      action: audit.action,
      organization_id: audit.organizationId,
      subject: audit.subject,
      detail: JSON.stringify(audit.detail),
      entry_id: audit.entryId ?? null,
      amount_micros: audit.amountMicros ?? null,
    })
    .execute()
}

/** Ids sort by time, so the newest are at the end of the primary key. */
export async function listAudits(db: Kysely<Tables>, { limit }: { limit: number }): Promise<NewAudit[]> {
  const rows = await db.selectFrom('audit_events').selectAll().orderBy('id', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    id: row.id,
    atMs: row.at_ms,
    actor: row.actor,
    action: row.action,
    organizationId: row.organization_id,
    subject: row.subject,
    detail: JSON.parse(row.detail),
  }))
}

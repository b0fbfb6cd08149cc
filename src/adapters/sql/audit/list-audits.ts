import type { Kysely } from 'kysely'
import type { NewAudit } from '../../../ports/audit.ts'
import type { Tables } from '../tables.ts'

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

import type { Kysely } from 'kysely'
import type { NewAudit } from '../../../ports/audit.ts'
import type { Tables } from '../tables.ts'

/** Called inside the transaction of the change it tells of: both are there, or neither. */
export async function insertAudit(db: Kysely<Tables>, audit: NewAudit): Promise<void> {
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
    })
    .execute()
}

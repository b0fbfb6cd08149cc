import type { Kysely } from 'kysely'
import type { NewAudit } from '../../../ports/audit.ts'
import type { NewOrganization } from '../../../ports/tenants.ts'
import { insertAudit } from '../audit/insert-audit.ts'
import type { Tables } from '../tables.ts'

export async function createOrganization(
  db: Kysely<Tables>,
  { organization, audit }: { organization: NewOrganization; audit: NewAudit },
): Promise<void> {
  await insertOrganization(db, { organization, balanceMicros: 0 })
  await insertAudit(db, audit)
}

/** Whoever gives a balance writes the entry that explains it. */
export async function insertOrganization(
  db: Kysely<Tables>,
  { organization, balanceMicros }: { organization: NewOrganization; balanceMicros: number },
): Promise<void> {
  await db
    .insertInto('organizations')
    .values({
      id: organization.id,
      name: organization.name,
      billing: organization.billing,
      balance_micros: balanceMicros,
      requests_per_minute: organization.requestsPerMinute,
      webhook_secret: organization.sealedWebhookSecret,
      created_at_ms: organization.createdAtMs,
    })
    .execute()
}

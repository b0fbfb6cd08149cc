import type { Kysely } from 'kysely'
import type { NewOrganization } from '../../../ports/tenants.ts'
import type { Tables } from '../tables.ts'

export async function createOrganization(db: Kysely<Tables>, organization: NewOrganization): Promise<void> {
  await db
    .insertInto('organizations')
    .values({
      id: organization.id,
      name: organization.name,
      billing: organization.billing,
      requests_per_minute: organization.requestsPerMinute,
      webhook_secret: organization.sealedWebhookSecret,
      created_at_ms: organization.createdAtMs,
    })
    .execute()
}

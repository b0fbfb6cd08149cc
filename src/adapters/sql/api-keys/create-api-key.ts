import type { Kysely } from 'kysely'
import type { NewAudit } from '../../../ports/audit.ts'
import type { NewApiKey } from '../../../ports/tenants.ts'
import { insertAudit } from '../audit/insert-audit.ts'
import type { Tables } from '../tables.ts'

export async function createApiKey(
  db: Kysely<Tables>,
  { apiKey, audit }: { apiKey: NewApiKey; audit: NewAudit },
): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', apiKey.userId)
    .where('organization_id', '=', apiKey.organizationId)
    .executeTakeFirst()
  if (user === undefined) return false
  await insertApiKey(db, apiKey)
  await insertAudit(db, audit)
  return true
}

export async function insertApiKey(db: Kysely<Tables>, apiKey: NewApiKey): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({
      id: apiKey.id,
      organization_id: apiKey.organizationId,
      user_id: apiKey.userId,
      name: apiKey.name,
      prefix: apiKey.prefix,
      digest: apiKey.digest,
      requests_per_minute: apiKey.requestsPerMinute,
      created_at_ms: apiKey.createdAtMs,
    })
    .execute()
}

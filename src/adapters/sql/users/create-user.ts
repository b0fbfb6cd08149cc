import type { Kysely } from 'kysely'
import type { NewAudit } from '../../../ports/audit.ts'
import type { NewUser } from '../../../ports/tenants.ts'
import { insertAudit } from '../audit/insert-audit.ts'
import type { Tables } from '../tables.ts'

export async function createUser(
  db: Kysely<Tables>,
  { user, audit }: { user: NewUser; audit: NewAudit },
): Promise<boolean> {
  const organization = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', user.organizationId)
    .executeTakeFirst()
  if (organization === undefined) return false
  await insertUser(db, user)
  await insertAudit(db, audit)
  return true
}

export async function insertUser(db: Kysely<Tables>, user: NewUser): Promise<void> {
  await db
    .insertInto('users')
    .values({
      id: user.id,
      organization_id: user.organizationId,
      name: user.name,
      created_at_ms: user.createdAtMs,
    })
    .execute()
}

import type { Kysely } from 'kysely'
import type { NewUser } from '../../../ports/tenants.ts'
import type { Tables } from '../tables.ts'

export async function createUser(db: Kysely<Tables>, user: NewUser): Promise<boolean> {
  const organization = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', user.organizationId)
    .executeTakeFirst()
  if (organization === undefined) return false
  await insertUser(db, user)
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

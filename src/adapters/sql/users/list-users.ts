import type { Kysely } from 'kysely'
import type { User } from '../../../domain/access/user.ts'
import type { Tables } from '../tables.ts'
import { toUser, USER_COLUMNS } from './to-user.ts'

/** Oldest first. */
export async function listUsers(
  db: Kysely<Tables>,
  { organizationId }: { organizationId: string },
): Promise<User[]> {
  const rows = await db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('organization_id', '=', organizationId)
    .orderBy('created_at_ms')
    .orderBy('id')
    .execute()
  return rows.map(toUser)
}

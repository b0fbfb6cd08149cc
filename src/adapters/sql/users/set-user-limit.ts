import type { Kysely } from 'kysely'
import type { User } from '../../../domain/access/user.ts'
import type { NewAudit } from '../../../ports/audit.ts'
import type { UserLimitChange } from '../../../ports/tenants.ts'
import { insertAudit } from '../audit/insert-audit.ts'
import type { Tables } from '../tables.ts'
import { toUser, USER_COLUMNS } from './to-user.ts'

export async function setUserLimit(
  db: Kysely<Tables>,
  { change, audit }: { change: UserLimitChange; audit: NewAudit },
): Promise<User | undefined> {
  const row = await db
    .updateTable('users')
    .set({ max_daily_user_limit: change.maxDailyUserLimit, enable_limit: change.enableLimit })
    .where('id', '=', change.id)
    .returning(USER_COLUMNS)
    .executeTakeFirst()
  if (row === undefined) return undefined
  await insertAudit(db, { ...audit, organizationId: row.organization_id })
  return toUser(row)
}

import type { Kysely } from 'kysely'
import type { User } from '../../../domain/access/user.ts'
import type { Tables } from '../tables.ts'
import { toUser, USER_COLUMNS } from './to-user.ts'

export async function setUserLimit(
  db: Kysely<Tables>,
  change: { id: string; maxDailyUserLimit: string; enableLimit: boolean },
): Promise<User | undefined> {
  const row = await db
    .updateTable('users')
    .set({ max_daily_user_limit: change.maxDailyUserLimit, enable_limit: change.enableLimit })
    .where('id', '=', change.id)
    .returning(USER_COLUMNS)
    .executeTakeFirst()
  return row === undefined ? undefined : toUser(row)
}

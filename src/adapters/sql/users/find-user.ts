import type { Kysely } from 'kysely'
import type { User } from '../../../domain/access/user.ts'
import type { Tables } from '../tables.ts'
import { toUser, USER_COLUMNS } from './to-user.ts'

export async function findUser(db: Kysely<Tables>, { id }: { id: string }): Promise<User | undefined> {
  const row = await db.selectFrom('users').select(USER_COLUMNS).where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : toUser(row)
}

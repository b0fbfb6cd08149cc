import { sql } from 'kysely'
import type { User } from '../../../domain/access/organization.ts'
import type { NewUser, UserStore } from '../../../ports/tenants.ts'
import { insertAudit } from '../audit/audits.ts'
import { columnsAs, type NamedRow } from '../columns-as.ts'
import { columnsOf } from '../columns-of.ts'
import { readPage } from '../page-of.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { lockOrganization, lockUser } from './lock-organization.ts'

export const USERS = {
  create: write(async (db, user, audit, traits) => {
    if (!(await lockOrganization(db, user.organizationId, traits))) return false
    await insertUser(db, user)
    await insertAudit(db, audit)
    return true
  }),

  /** Lists users, the oldest first. */
  list: read(async (db, organizationId) => {
    const { rows } = await sql<UserRow>`
      select ${COLUMNS} from users where organization_id = ${organizationId}
      order by created_at_ms, users.id`.execute(db)
    return rows.map(toUser)
  }),

  page: read(async (db, query) => (await readPage(db, 'users', COLUMNS, query)).map(toUser)),

  find: read(findUser),
  setLimit: write(async (db, change, audit, traits) => {
    if ((await lockUser(db, change.id, traits)) === undefined) return undefined
    await db
      .updateTable('users')
      .set({ max_daily_user_limit: change.maxDailyUserLimit, enable_limit: change.enableLimit })
      .where('id', '=', change.id)
      .execute()
    const user = await findUser(db, change.id)
    if (user !== undefined) await insertAudit(db, { ...audit, organizationId: user.organizationId })
    return user
  }),
} satisfies Partial<StatementsOf<UserStore>>

export async function insertUser(db: Db, { id, organizationId, name, createdAtMs }: NewUser): Promise<void> {
  await db.insertInto('users').values(columnsOf({ id, organizationId, name, createdAtMs })).execute()
}

/** Normalizes a decimal of at most six places: `5.250000` and the number 5.25 become `5.25`. */
export function toDecimalString(value: string | number): string {
  const spelled = typeof value === 'number' ? value.toFixed(6) : value
  if (!spelled.includes('.')) return spelled
  const shortened = spelled.replace(/\.?0+$/, '')
  return shortened === '-0' ? '0' : shortened
}

export async function findUser(db: Db, id: string): Promise<User | undefined> {
  const { rows } = await sql<UserRow>`select ${COLUMNS} from users where id = ${id}`.execute(db)
  return rows[0] && toUser(rows[0])
}

const COLUMNS = columnsAs('users', [
  'id',
  'organizationId',
  'name',
  'maxDailyUserLimit',
  'enableLimit',
  'createdAtMs',
  'disabledAtMs',
])

type UserRow = NamedRow<typeof COLUMNS>

function toUser(row: UserRow): User {
  const limit = row.maxDailyUserLimit
  return {
    ...row,
    maxDailyUserLimit: limit === null ? null : toDecimalString(limit),
    enableLimit: Boolean(row.enableLimit),
  }
}

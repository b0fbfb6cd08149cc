import { type Selectable, sql } from 'kysely'
import type { User } from '../../../domain/access/organization.ts'
import type { NewUser, UserStore } from '../../../ports/tenants.ts'
import { insertAudit } from '../audit/audits.ts'
import { pageOf } from '../page-of.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'
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
    const rows = await db
      .selectFrom('users')
      .select(USER_COLUMNS)
      .where('organization_id', '=', organizationId)
      .orderBy('created_at_ms')
      .orderBy('id')
      .execute()
    return rows.map(toUser)
  }),

  page: read(async (db, query) => {
    const { rows } = await sql<Selectable<Tables['users']>>`
      select * from users ${pageOf('users', query)}`.execute(db)
    return rows.map(toUser)
  }),

  find: read(findUser),
  setLimit: write(async (db, change, audit, traits) => {
    if ((await lockUser(db, change.id, traits)) === undefined) return undefined
    const row = await db
      .updateTable('users')
      .set({ max_daily_user_limit: change.maxDailyUserLimit, enable_limit: change.enableLimit })
      .where('id', '=', change.id)
      .returning(USER_COLUMNS)
      .executeTakeFirst()
    if (row === undefined) return undefined
    await insertAudit(db, { ...audit, organizationId: row.organization_id })
    return toUser(row)
  }),
} satisfies Partial<StatementsOf<UserStore>>

export async function insertUser(db: Db, user: NewUser): Promise<void> {
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

/** Normalizes a decimal of at most six places: `5.250000` and the number 5.25 become `5.25`. */
export function toDecimalString(value: string | number): string {
  const spelled = typeof value === 'number' ? value.toFixed(6) : value
  if (!spelled.includes('.')) return spelled
  const shortened = spelled.replace(/\.?0+$/, '')
  return shortened === '-0' ? '0' : shortened
}

export async function findUser(db: Db, id: string): Promise<User | undefined> {
  const row = await db.selectFrom('users').select(USER_COLUMNS).where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : toUser(row)
}

const USER_COLUMNS = [
  'id',
  'organization_id',
  'name',
  'max_daily_user_limit',
  'enable_limit',
  'created_at_ms',
  'disabled_at_ms',
] as const

function toUser(row: Omit<Selectable<Tables['users']>, 'erased_at_ms'>): User {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    maxDailyUserLimit: row.max_daily_user_limit === null ? null : toDecimalString(row.max_daily_user_limit),
    enableLimit: Boolean(row.enable_limit),
    createdAtMs: row.created_at_ms,
    disabledAtMs: row.disabled_at_ms,
  }
}

import { sql } from 'kysely'
import type { DisabledChange, OrganizationStore, UserStore } from '../../../ports/tenants.ts'
import { insertAudit } from '../audit/audits.ts'
import { inChunks } from '../in-chunks.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { lockOrganization, lockUser } from './lock-organization.ts'
import { findOrganization } from './organizations.ts'
import { findUser } from './users.ts'

export const DISABLING_USERS = {
  setDisabled: write(async (db, change, audit, traits) => {
    if ((await lockUser(db, change.id, traits)) === undefined) return undefined
    await setDisabled(db, 'users', change)
    const user = await findUser(db, change.id)
    if (user !== undefined) await insertAudit(db, { ...audit, organizationId: user.organizationId })
    return user
  }),
} satisfies Partial<StatementsOf<UserStore>>

export const DISABLING = {
  setDisabled: write(async (db, change, audit, traits) => {
    if (!(await lockOrganization(db, change.id, traits))) return undefined
    await setDisabled(db, 'organizations', change)
    const organization = await findOrganization(db, change.id)
    if (organization !== undefined) await insertAudit(db, audit)
    return organization
  }),

  findDisabled: read(async (db, { organizationIds, userIds }) => {
    return {
      organizationIds: await findDisabledIn(db, 'organizations', organizationIds),
      userIds: await findDisabledIn(db, 'users', userIds),
    }
  }),
} satisfies Partial<StatementsOf<OrganizationStore>>

/** A second call keeps the time of the first. */
async function setDisabled(db: Db, table: 'organizations' | 'users', input: DisabledChange): Promise<void> {
  const { id, disabledAtMs: atMs } = input
  const value = atMs === null ? sql`null` : sql`coalesce(disabled_at_ms, cast(${atMs} as bigint))`
  await sql`update ${sql.table(table)} set disabled_at_ms = ${value} where id = ${id}`.execute(db)
}

async function findDisabledIn(
  db: Db,
  table: 'organizations' | 'users',
  ids: readonly string[],
): Promise<string[]> {
  const found: string[] = []
  for (const chunk of inChunks(ids)) {
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(table)}
      where id in (${sql.join(chunk)}) and disabled_at_ms is not null`.execute(db)
    for (const { id } of rows) found.push(id)
  }
  return found
}

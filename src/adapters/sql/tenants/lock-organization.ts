import { sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'
import type { Db } from '../tables.ts'

/** Locks an organization, so that its erasure waits for the change. Returns false when it is unknown or erased. */
export async function lockOrganization(db: Db, id: string, { lockRows }: EngineTraits): Promise<boolean> {
  const { rows } = await sql`
    select id from organizations where id = ${id} and name <> '' ${lockRows}`.execute(db)
  return rows.length === 1
}

/** Locks a user and then its organization, in the order of an erasure. Returns the organization's id. */
export async function lockUser(db: Db, id: string, traits: EngineTraits): Promise<string | undefined> {
  const { rows } = await sql<{ organizationId: string }>`
    select organization_id as "organizationId" from users
    where id = ${id} and erased_at_ms is null ${traits.lockRows}`.execute(db)
  const [user] = rows
  if (user === undefined || !(await lockOrganization(db, user.organizationId, traits))) return undefined
  return user.organizationId
}

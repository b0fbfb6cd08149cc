import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Organization, User } from '../../domain/access/organization.ts'
import type { NewAudit } from '../../ports/audit.ts'
import type { DisabledChange, ReplyOwners } from '../../ports/tenants.ts'
import { insertAudit } from './audits.ts'
import type { EngineTraits } from './engine-traits.ts'
import { inChunks } from './in-chunks.ts'
import { lockOrganization, lockUser } from './lock-organization.ts'
import { findOrganization } from './organizations.ts'
import type { Tables } from './tables.ts'
import { findUser } from './users.ts'

interface Change {
  change: DisabledChange
  audit: NewAudit
}

export async function setOrganizationDisabled(
  db: Kysely<Tables>,
  { change, audit }: Change,
  traits: EngineTraits,
): Promise<Organization | undefined> {
  if (!(await lockOrganization(db, change.id, traits))) return undefined
  await db
    .updateTable('organizations')
    .set({ disabled_at_ms: firstMoment(change) })
    .where('id', '=', change.id)
    .execute()
  const organization = await findOrganization(db, change)
  if (organization !== undefined) await insertAudit(db, audit)
  return organization
}

export async function setUserDisabled(
  db: Kysely<Tables>,
  { change, audit }: Change,
  traits: EngineTraits,
): Promise<User | undefined> {
  if (!(await lockUser(db, change.id, traits))) return undefined
  await db
    .updateTable('users')
    .set({ disabled_at_ms: firstMoment(change) })
    .where('id', '=', change.id)
    .execute()
  const user = await findUser(db, change)
  if (user !== undefined) await insertAudit(db, { ...audit, organizationId: user.organizationId })
  return user
}

function firstMoment({ disabledAtMs }: DisabledChange): RawBuilder<number | null> {
  return disabledAtMs === null ? sql`null` : sql`coalesce(disabled_at_ms, cast(${disabledAtMs} as bigint))`
}

export async function findDisabled(
  db: Kysely<Tables>,
  { organizationIds, userIds }: ReplyOwners,
): Promise<ReplyOwners> {
  return {
    organizationIds: await among(db, 'organizations', organizationIds),
    userIds: await among(db, 'users', userIds),
  }
}

async function among(
  db: Kysely<Tables>,
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

import { type Kysely, sql } from 'kysely'
import type { NewAudit } from '../../ports/audit.ts'
import type { Consent, ErasedGroup } from '../../ports/erasures.ts'
import type { EngineTraits } from './engine-traits.ts'
import { eraseGroup } from './erasures.ts'
import type { Tables } from './tables.ts'

/** Of any organization: only for ids that this deployment has marked. */
export async function findConsent(
  db: Kysely<Tables>,
  { groupId }: { groupId: string },
): Promise<Consent | undefined> {
  const { rows } = await sql<Consent>`
    select organizations.name as "organizationName", asset_groups.created_at_ms as "verifiedAtMs",
      null as "revokedAtMs"
    from asset_groups join organizations on organizations.id = asset_groups.organization_id
    where asset_groups.id = ${groupId} and asset_groups.kind = 'person'
    union all
    select organizations.name, revocations.verified_at_ms, revocations.revoked_at_ms
    from revocations join organizations on organizations.id = revocations.organization_id
    where revocations.group_id = ${groupId}`.execute(db)
  return rows[0] === undefined ? undefined : { ...rows[0] }
}

/** The group is locked first: a task that begins with it is linked to it before this goes on, or finds it gone. */
export async function revokeConsent(
  db: Kysely<Tables>,
  { groupId, audit, removers }: { groupId: string; audit: NewAudit; removers: readonly string[] },
  { lockRows }: EngineTraits,
): Promise<ErasedGroup | undefined> {
  const { rows } = await sql<{ organization_id: string; created_at_ms: number }>`
    select organization_id, created_at_ms from asset_groups
    where id = ${groupId} and kind = 'person' ${lockRows}`.execute(db)
  const group = rows[0]
  if (group === undefined) return undefined
  const { organization_id: organizationId, created_at_ms: verifiedAtMs } = group
  await sql`
    insert into revocations (group_id, organization_id, verified_at_ms, revoked_at_ms)
    values (${groupId}, ${organizationId}, ${verifiedAtMs}, ${audit.atMs})`.execute(db)
  const ref = { groupId, organizationId }
  return eraseGroup(db, { group: ref, audit: { ...audit, organizationId }, removers })
}

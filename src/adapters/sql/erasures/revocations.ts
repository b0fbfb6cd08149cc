import { sql } from 'kysely'
import type { Consent, ErasureStore } from '../../../ports/erasures.ts'
import { insertEventsOf } from '../events/insert-events.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import { eraseGroup } from './erasures.ts'

export const REVOCATIONS = {
  /** Searches all organizations, so callers must have checked that the id has this deployment's mark. */
  findConsent: read(async (db, groupId) => {
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
  }),

  /** Locks the group first, so that a new task is linked before the revocation, or finds no group. */
  revokeConsent: write(async (db, { groupId, audit, deletableProviders }, traits) => {
    const { rows } = await sql<{ organization_id: string; created_at_ms: number }>`
      select organization_id, created_at_ms from asset_groups
      where id = ${groupId} and kind = 'person' ${traits.lockRows}`.execute(db)
    const group = rows[0]
    if (group === undefined) return undefined
    const { organization_id: organizationId, created_at_ms: verifiedAtMs } = group
    await sql`
      insert into revocations (group_id, organization_id, verified_at_ms, revoked_at_ms)
      values (${groupId}, ${organizationId}, ${verifiedAtMs}, ${audit.atMs})`.execute(db)
    const { atMs } = audit
    const revoked = {
      organization_id: organizationId,
      group_id: groupId,
      revoked_at: new Date(atMs).toISOString(),
    }
    await insertEventsOf(db, 'person.revoked', [revoked], { atMs, occasionOf: () => groupId })
    const ref = { groupId, organizationId }
    const erased = await eraseGroup(db, ref, { ...audit, organizationId }, deletableProviders, traits)
    const files = JSON.stringify(erased?.files ?? [])
    await sql`update revocations set files = ${files} where group_id = ${groupId}`.execute(db)
    return erased
  }),
} satisfies Partial<StatementsOf<ErasureStore>>

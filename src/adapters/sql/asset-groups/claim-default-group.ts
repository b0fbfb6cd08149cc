import { type Kysely, sql } from 'kysely'
import type { AssetStore } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'
import { Undone } from '../undone.ts'
import { findDefaultGroup } from './find-default-group.ts'

/** A lease that ends later than a new one would was taken before a clock went back: it would never lapse in time. */
const CLOCKS_APART_MS = 60_000

type Claim = Parameters<AssetStore['claimDefaultGroup']>[0]

/**
 * The claim's row comes first, here and where the group is set: who waited for it reads the group afterwards, and sees
 * what the one before has made.
 */
export async function claimDefaultGroup(db: Kysely<Tables>, claim: Claim): Promise<boolean> {
  if (!(await takeLease(db, claim))) return false
  const group = await findDefaultGroup(db, claim)
  if (group?.ticket !== claim.seenTicket) throw new Undone(false)
  return true
}

async function takeLease(
  db: Kysely<Tables>,
  { organizationId, provider, nowMs, leaseUntilMs }: Claim,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into default_group_claims (organization_id, provider, lease_until_ms)
    values (${organizationId}, ${provider}, ${leaseUntilMs})
    on conflict (organization_id, provider) do update set lease_until_ms = excluded.lease_until_ms
    where default_group_claims.lease_until_ms <= ${nowMs}
      or default_group_claims.lease_until_ms > ${leaseUntilMs + CLOCKS_APART_MS}`.execute(db)
  return numAffectedRows === 1n
}

import { type Kysely, sql } from 'kysely'
import type { AssetStore } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'

/** A claim is known by the end of its lease: one that somebody else has taken since stays. */
export async function releaseDefaultGroup(
  db: Kysely<Tables>,
  { organizationId, provider, leaseUntilMs }: Parameters<AssetStore['releaseDefaultGroup']>[0],
): Promise<void> {
  await sql`
    delete from default_group_claims
    where organization_id = ${organizationId} and provider = ${provider}
      and lease_until_ms = ${leaseUntilMs}`.execute(db)
}

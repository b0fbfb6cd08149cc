import { type Kysely, sql } from 'kysely'
import type { AssetStore, StoredGroup } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'
import { type GroupRow, toStoredGroup } from './to-stored-group.ts'

/** Assets refer to the group by our id, so that one made again is another ticket of the same group. */
export async function setDefaultGroup(
  db: Kysely<Tables>,
  group: Parameters<AssetStore['setDefaultGroup']>[0],
): Promise<StoredGroup> {
  const { id, organizationId, provider, ticket, createdAtMs, insteadOf = null } = group
  await sql`
    delete from default_group_claims
    where organization_id = ${organizationId} and provider = ${provider}`.execute(db)
  const { rows } = await sql<GroupRow>`
    insert into asset_groups (id, organization_id, kind, provider, ticket, created_at_ms)
    values (${id}, ${organizationId}, 'default', ${provider}, ${ticket}, ${createdAtMs})
    on conflict (organization_id, provider) where kind = 'default' do update
    set ticket = case when asset_groups.ticket = ${insteadOf} then excluded.ticket else asset_groups.ticket end
    returning *`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`the default group of ${organizationId} was not stored`)
  return toStoredGroup(row)
}

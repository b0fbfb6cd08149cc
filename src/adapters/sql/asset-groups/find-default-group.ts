import { type Kysely, sql } from 'kysely'
import type { StoredGroup } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'
import { toStoredGroup } from './to-stored-group.ts'

/** One that is still being made has no row yet. */
export async function findDefaultGroup(
  db: Kysely<Tables>,
  { organizationId, provider }: { organizationId: string; provider: string },
): Promise<StoredGroup | undefined> {
  const row = await db
    .selectFrom('asset_groups')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('provider', '=', provider)
    .where('kind', '=', sql.lit('default'))
    .executeTakeFirst()
  return row === undefined ? undefined : toStoredGroup(row)
}

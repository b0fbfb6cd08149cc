import type { Kysely } from 'kysely'
import type { StoredGroup } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'
import { toStoredGroup } from './to-stored-group.ts'

export async function findGroup(
  db: Kysely<Tables>,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<StoredGroup | undefined> {
  const row = await db
    .selectFrom('asset_groups')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row === undefined ? undefined : toStoredGroup(row)
}

import type { Kysely } from 'kysely'
import type { StoredAsset } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'
import { toStoredAsset } from './to-stored-asset.ts'

export async function findAsset(
  db: Kysely<Tables>,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<StoredAsset | undefined> {
  const row = await db
    .selectFrom('assets')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row === undefined ? undefined : toStoredAsset(row)
}

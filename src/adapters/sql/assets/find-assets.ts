import type { Kysely } from 'kysely'
import type { StoredAsset } from '../../../ports/asset-store.ts'
import { inChunks } from '../in-chunks.ts'
import type { Tables } from '../tables.ts'
import { toStoredAsset } from './to-stored-asset.ts'

export async function findAssets(
  db: Kysely<Tables>,
  { ids, organizationId }: { ids: readonly string[]; organizationId: string },
): Promise<StoredAsset[]> {
  const found: StoredAsset[] = []
  for (const chunk of inChunks([...new Set(ids)])) {
    const rows = await db
      .selectFrom('assets')
      .selectAll()
      .where('id', 'in', chunk)
      .where('organization_id', '=', organizationId)
      .execute()
    found.push(...rows.map(toStoredAsset))
  }
  return found
}

import { type Kysely, sql } from 'kysely'
import type { StoredAsset } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'
import type { AssetMove } from './move-asset.ts'
import { ASSET_COLUMNS, type AssetRow, toStoredAsset } from './to-stored-asset.ts'

/**
 * Most words on an asset say what is known, perhaps with a fresh URL: one statement takes that in, and no transaction
 * is needed. Undefined when the word says something else. To clients an asset with another URL is the same asset, so
 * that it stays where it is in their lists.
 */
export async function refreshAsset(
  db: Kysely<Tables>,
  { id, organizationId, status, sealedUrl, atMs }: AssetMove,
): Promise<StoredAsset | undefined> {
  if (status !== 'active' || sealedUrl === null) return undefined
  const { rows } = await sql<AssetRow>`
    update assets set sealed_url = ${sealedUrl}, url_at_ms = ${atMs}
    where id = ${id} and organization_id = ${organizationId} and status = 'active' returning ${ASSET_COLUMNS}`.execute(
    db,
  )
  return rows[0] === undefined ? undefined : toStoredAsset(rows[0])
}

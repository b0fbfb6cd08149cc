import { sql } from 'kysely'
import { ASSET_MOVES_FROM } from '../../../domain/assets/asset.ts'
import type { AssetStore, StoredAsset } from '../../../ports/asset-store.ts'
import { insertAssetClip } from '../clips/insert-clips.ts'
import { withoutNul } from '../in-chunks.ts'
import { firstOf, type StatementsOf, single, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { decrementCount, incrementCount } from './count-asset.ts'
import { ASSET_COLUMNS, type AssetRow, findAsset, toStoredAsset } from './find-asset.ts'

export const MOVE_ASSET = {
  move: firstOf(single(refreshAsset), write(moveAsset)),
} satisfies Partial<StatementsOf<AssetStore>>

export type AssetMove = Parameters<AssetStore['move']>[0]

/** Changes the row in one of several simultaneous moves. The others return the stored asset. */
export async function moveAsset(db: Db, move: AssetMove): Promise<StoredAsset | undefined> {
  for (const from of ASSET_MOVES_FROM[move.status]) {
    const row = await advance(db, { ...move, from })
    if (row === undefined) continue
    const asset = toStoredAsset(row)
    await decrementCount(db, { ...asset, status: from })
    await incrementCount(db, asset)
    const { clipId, atMs } = move
    if (clipId !== undefined && move.status === 'active') await insertAssetClip(db, asset, { clipId, atMs })
    return asset
  }
  return await findAsset(db, move)
}

async function advance(
  db: Db,
  input: AssetMove & { from: StoredAsset['status'] },
): Promise<AssetRow | undefined> {
  const { id, organizationId, status, encryptedUrl, error, atMs, from } = input
  const { rows } = await sql<AssetRow>`
    update assets set
      status = ${status}, updated_at_ms = ${atMs},
      sealed_url = ${encryptedUrl}, url_at_ms = ${encryptedUrl === null ? null : atMs},
      error_code = ${error === null ? null : withoutNul(error.code)},
      error_message = ${error === null ? null : withoutNul(error.message)}
    where id = ${id} and organization_id = ${organizationId} and status = ${from}
    returning ${ASSET_COLUMNS}`.execute(db)
  return rows[0]
}

/**
 * Stores a new URL with one statement and without a transaction, because most snapshots of an asset bring
 * only that. Returns undefined unless the asset is active, stays active and gets a URL. `updated_at_ms` does
 * not change, so that the asset keeps its position in lists.
 */
export async function refreshAsset(db: Db, input: AssetMove): Promise<StoredAsset | undefined> {
  const { id, organizationId, status, encryptedUrl, atMs } = input
  if (status !== 'active' || encryptedUrl === null) return undefined
  const { rows } = await sql<AssetRow>`
    update assets set sealed_url = ${encryptedUrl}, url_at_ms = ${atMs}
    where id = ${id} and organization_id = ${organizationId} and status = 'active'
    returning ${ASSET_COLUMNS}`.execute(db)
  return rows[0] === undefined ? undefined : toStoredAsset(rows[0])
}

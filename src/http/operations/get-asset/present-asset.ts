import type { AssetView } from '../../../domain/assets/asset-view.ts'

export function presentAsset(asset: AssetView): object {
  return { id: asset.id, object: 'video.asset', ...fieldsOf(asset) }
}

export function presentAssetItem(asset: AssetView): object {
  return { id: asset.id, ...fieldsOf(asset) }
}

/** Empty members are left out. */
function fieldsOf(asset: AssetView): object {
  const { name, type, status, url, error } = asset
  return {
    ...(name === null ? {} : { name }),
    asset_type: type,
    ...(asset.groupKind === 'person' ? { group_id: asset.groupId } : {}),
    status,
    ...(status === 'active' && url !== undefined ? { url } : {}),
    ...(status === 'failed' && error !== null ? { error: { code: error.code, message: error.message } } : {}),
    created_at: isoTime(asset.createdAtMs),
    updated_at: isoTime(asset.updatedAtMs),
  }
}

function isoTime(unixMs: number): string {
  return new Date(unixMs).toISOString()
}

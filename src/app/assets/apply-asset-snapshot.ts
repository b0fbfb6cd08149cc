import type { AssetSnapshot } from '../../domain/assets/asset.ts'
import type { AssetStore, StoredAsset } from '../../ports/asset-store.ts'
import type { Runtime } from '../runtime.ts'
import { encryptUrl } from './asset-url.ts'

/** Stores a vendor's snapshot that ends the processing, or gives an active asset a fresh link. Returns the current asset. */
export type ApplyAssetSnapshot = (asset: StoredAsset, snapshot: AssetSnapshot) => Promise<StoredAsset>

export function applyAssetSnapshot(
  tools: Pick<Runtime, 'clock' | 'secrets'> & {
    assets: Pick<AssetStore, 'move'>
    /** Left out: no files are kept. */
    newClipId?: (() => string) | undefined
  },
): ApplyAssetSnapshot {
  const { assets, secrets, clock, newClipId } = tools
  return async (asset, { status, url, error }) => {
    const isNews = asset.status === 'processing' ? status !== 'processing' : status === asset.status
    if (!isNews || (asset.status === 'failed' && status === 'failed')) return asset
    const moved = await assets.move({
      id: asset.id,
      organizationId: asset.organizationId,
      status,
      encryptedUrl: url === undefined ? null : encryptUrl(url, asset.id, secrets),
      error: error ?? null,
      atMs: clock.nowMs(),
      clipId: newClipId?.(),
    })
    return moved ?? asset
  }
}

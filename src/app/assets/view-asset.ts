import type { AssetView } from '../../domain/assets/asset-view.ts'
import { isUsableUrl } from '../../domain/assets/url-age.ts'
import type { StoredAsset } from '../../ports/asset-store.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { urlOf } from './sealed-url.ts'

/** Without its link when that one no longer works, or soon will not. */
export function viewAsset(asset: StoredAsset, secrets: Secrets, nowMs: number): AssetView {
  const isShown = asset.status === 'active' && isUsableUrl(asset, nowMs)
  return { ...asset, url: isShown ? urlOf(asset, secrets) : undefined }
}

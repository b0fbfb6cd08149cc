import type { AssetView } from '../../domain/assets/asset-view.ts'
import type { StoredAsset } from '../../ports/asset-store.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { urlOf } from './sealed-url.ts'

export function viewAsset(asset: StoredAsset, secrets: Secrets): AssetView {
  return { ...asset, url: asset.status === 'active' ? urlOf(asset, secrets) : undefined }
}

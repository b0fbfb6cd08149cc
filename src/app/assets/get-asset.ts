import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import { couldBeAssetId } from '../../domain/assets/asset.ts'
import type { AssetView } from '../../domain/assets/asset-view.ts'
import type { AssetStore } from '../../ports/asset-store.ts'
import type { Runtime } from '../runtime.ts'
import { viewAsset } from './asset-url.ts'
import { type AssetVendor, demandVendor } from './asset-vendor.ts'
import type { SyncAsset } from './sync-asset.ts'

export type GetAsset = (question: {
  id: string
  caller: Pick<Caller, 'organizationId'>
}) => Promise<AssetView>

/** Returns an asset of the calling organization, in the latest state that the vendor reports in time. */
export function getAsset(
  tools: Pick<Runtime, 'clock' | 'secrets'> & {
    vendor: AssetVendor | undefined
    assets: Pick<AssetStore, 'find'>
    sync: SyncAsset
  },
): GetAsset {
  const { vendor, assets, sync, secrets, clock } = tools
  return async ({ id, caller: { organizationId } }) => {
    demandVendor(vendor)
    const asset = couldBeAssetId(id) ? await assets.find({ id, organizationId }) : undefined
    if (asset === undefined) throw new ApiError('asset_not_found')
    return viewAsset(await sync(asset), secrets, clock.nowMs())
  }
}

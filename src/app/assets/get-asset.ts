import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import { couldBeAssetId } from '../../domain/assets/asset.ts'
import type { AssetView } from '../../domain/assets/asset-view.ts'
import type { AssetStore } from '../../ports/asset-store.ts'
import type { OwnLinks } from '../media/own-links.ts'
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
    /** Left out: no files are kept. */
    links?: OwnLinks | undefined
  },
): GetAsset {
  const { vendor, assets, sync, links, secrets, clock } = tools
  return async ({ id, caller: { organizationId } }) => {
    demandVendor(vendor)
    const asset = couldBeAssetId(id) ? await assets.find({ id, organizationId }) : undefined
    if (asset === undefined) throw new ApiError('asset_not_found')
    const keptUrl = asset.status === 'active' ? (await links?.([id]))?.get(id)?.url : undefined
    // An asset whose file is kept needs no fresh link of the vendor.
    return viewAsset(keptUrl === undefined ? await sync(asset) : asset, secrets, clock.nowMs(), keptUrl)
  }
}

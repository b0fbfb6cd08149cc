import { isFreshUrl } from '../../domain/assets/url-age.ts'
import type { StoredAsset } from '../../ports/asset-store.ts'
import { SingleFlight } from '../jobs/single-flight.ts'
import type { Runtime } from '../runtime.ts'
import type { ApplyAssetSnapshot } from './apply-asset-snapshot.ts'
import type { AssetVendor } from './asset-vendor.ts'

/** Asks the vendor about an asset whose row may be out of date. Without an answer in time, the stored asset is returned. */
export type SyncAsset = (asset: StoredAsset) => Promise<StoredAsset>

export interface SyncTools extends Pick<Runtime, 'clock' | 'log'> {
  vendor: AssetVendor | undefined
  applySnapshot: ApplyAssetSnapshot
  patienceMs?: number
}

/** Shorter than a client's timeout. */
const PATIENCE_MS = 10_000

/** All requests for one asset share one call, which continues when no request waits any more. */
export function syncAsset(input: SyncTools): SyncAsset {
  const { vendor, applySnapshot, clock, log, patienceMs = PATIENCE_MS } = input
  return async (asset) => {
    if (vendor?.provider !== asset.provider || !isWorthAsking(asset, clock.nowMs())) return asset
    const after = await callsTo(vendor).runWithin(asset.id, patienceMs, () => read(asset, vendor))
    return after ?? asset
  }

  /** A failed call says nothing about the asset. */
  async function read(asset: StoredAsset, { driver }: AssetVendor): Promise<StoredAsset | undefined> {
    try {
      const reading = await driver.getAsset(asset.ticket, asset.organizationId)
      if (reading.kind === 'snapshot') return await applySnapshot(asset, reading.snapshot)
      if (reading.kind === 'gone' && asset.status === 'active') warnOfUnknown(asset)
      return undefined
    } catch (error) {
      const { organizationId, provider } = asset
      log.warn('asset.sync_failed', { organizationId, provider, error })
      return undefined
    }
  }

  /** The asset stays active, because a vendor called with the wrong account or project knows none of its assets. */
  function warnOfUnknown({ organizationId, provider }: StoredAsset): void {
    log.warn('asset.unknown_to_vendor', { organizationId, provider })
  }
}

type AssetCalls = SingleFlight<StoredAsset | undefined>

const CALLS = new WeakMap<AssetVendor, AssetCalls>()

/** Running calls by asset. They are kept per vendor, so that a list and a Get of one asset share them too. */
function callsTo(vendor: AssetVendor): AssetCalls {
  const calls: AssetCalls = CALLS.get(vendor) ?? new SingleFlight()
  CALLS.set(vendor, calls)
  return calls
}

/** An active asset is read for a fresh link; a failed one cannot change. */
function isWorthAsking(asset: StoredAsset, nowMs: number): boolean {
  return asset.status === 'processing' || (asset.status === 'active' && !isFreshUrl(asset, nowMs))
}

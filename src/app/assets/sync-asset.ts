import { isFreshUrl } from '../../domain/assets/url-age.ts'
import type { StoredAsset } from '../../ports/asset-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { AssetVendor } from './asset-vendor.ts'
import type { TakeInAsset } from './take-in-asset.ts'

/** Asks the vendor where that could bring news. When it does not say in time, the asset is returned as it was stored. */
export type SyncAsset = (asset: StoredAsset) => Promise<StoredAsset>

/** Less than a client's own patience. */
const PATIENCE_MS = 10_000

/** Everybody who asks about one asset shares one question; it goes on when they have stopped waiting for it. */
export function syncAsset({
  vendor,
  takeIn,
  clock,
  log,
  patienceMs = PATIENCE_MS,
}: {
  vendor: AssetVendor | undefined
  takeIn: TakeInAsset
  clock: Clock
  log: Log
  patienceMs?: number
}): SyncAsset {
  const underWay = new Map<string, Promise<StoredAsset | undefined>>()

  return async (asset) => {
    if (vendor?.provider !== asset.provider || !isWorthAsking(asset, clock.nowMs())) return asset
    return (await (underWay.get(asset.id) ?? ask(asset, vendor))) ?? asset
  }

  function ask(asset: StoredAsset, from: AssetVendor): Promise<StoredAsset | undefined> {
    const patience = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => patience.resolve(undefined), patienceMs)
    const answer = read(asset, from).finally(() => {
      clearTimeout(timer)
      underWay.delete(asset.id)
    })
    const bounded = Promise.race([answer, patience.promise])
    underWay.set(asset.id, bounded)
    return bounded
  }

  /** A question that fails says nothing about the asset. */
  async function read(asset: StoredAsset, { service }: AssetVendor): Promise<StoredAsset | undefined> {
    try {
      const reading = await service.getAsset(asset.ticket)
      return reading.kind === 'snapshot' ? await takeIn(asset, reading.snapshot) : undefined
    } catch (error) {
      const { organizationId, provider } = asset
      log.warn('an asset could not be synchronised', { organizationId, provider, error })
      return undefined
    }
  }
}

/** An active one is asked about for a fresh link; a failed one has nothing new to say. */
function isWorthAsking(asset: StoredAsset, nowMs: number): boolean {
  return asset.status === 'processing' || (asset.status === 'active' && !isFreshUrl(asset, nowMs))
}

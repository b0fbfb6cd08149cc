import { isFreshUrl } from '../../domain/assets/url-age.ts'
import type { StoredAsset } from '../../ports/asset-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { SingleFlight } from '../jobs/single-flight.ts'
import type { ApplyAssetSnapshot } from './apply-asset-snapshot.ts'
import type { AssetVendor } from './asset-vendor.ts'

/** Asks the vendor where that could bring news. When it does not say in time, the asset is returned as it was stored. */
export type SyncAsset = (asset: StoredAsset) => Promise<StoredAsset>

export interface SyncTools {
  vendor: AssetVendor | undefined
  applySnapshot: ApplyAssetSnapshot
  clock: Clock
  log: Log
  patienceMs?: number
}

/** Less than a client's own patience. */
const PATIENCE_MS = 10_000

/** All requests for one asset share one question; it goes on when they have stopped waiting for it. */
export function syncAsset({
  vendor,
  applySnapshot,
  clock,
  log,
  patienceMs = PATIENCE_MS,
}: SyncTools): SyncAsset {
  return async (asset) => {
    if (vendor?.provider !== asset.provider || !isWorthAsking(asset, clock.nowMs())) return asset
    const after = await questionsTo(vendor).runWithin(asset.id, patienceMs, () => read(asset, vendor))
    return after ?? asset
  }

  /** A question that fails says nothing about the asset. */
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

  /** It stays active: a vendor that is asked in the wrong account or project knows none of our assets. */
  function warnOfUnknown({ organizationId, provider }: StoredAsset): void {
    log.warn('asset.unknown_to_vendor', { organizationId, provider })
  }
}

type Questions = SingleFlight<StoredAsset | undefined>

const QUESTIONS = new WeakMap<AssetVendor, Questions>()

/** By asset. They belong to the vendor, so that a list and a Get that want the same asset share them too. */
function questionsTo(vendor: AssetVendor): Questions {
  const questions: Questions = QUESTIONS.get(vendor) ?? new SingleFlight()
  QUESTIONS.set(vendor, questions)
  return questions
}

/** An active one is asked about for a fresh link; a failed one has nothing new to say. */
function isWorthAsking(asset: StoredAsset, nowMs: number): boolean {
  return asset.status === 'processing' || (asset.status === 'active' && !isFreshUrl(asset, nowMs))
}

import type { AssetStore, ClaimedAsset } from '../../ports/asset-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { AssetVendor } from './asset-vendor.ts'
import { type PollAssetTools, pollAsset } from './poll-asset.ts'

/** Brings assets to their end that nobody asks for. */
export interface AssetSweep {
  /** Claims and asks until nothing more is due. The last questions may still be open when it resolves. */
  pass(): Promise<void>
  /** Resolves when no question is open. */
  settled(): Promise<void>
  /** Nothing begins any more; what was claimed is given back. Resolves when nothing is under way. */
  stop(): Promise<void>
}

const PLACES_MAX = 16
/** Longer than a question may take. */
const LEASE_MS = 60_000

/** Whoever has its answer makes room for the next, so that a slow one holds up nobody else. */
export function sweepAssets({
  vendor,
  assets,
  clock,
  log,
  placesMax = PLACES_MAX,
  ...tools
}: Omit<PollAssetTools, 'service'> & {
  vendor: AssetVendor
  assets: Pick<AssetStore, 'claimDue' | 'reschedule'>
  clock: Clock
  log: Log
  placesMax?: number
}): AssetSweep {
  const { provider, service } = vendor
  const leaving = new AbortController()
  const poll = pollAsset({ ...tools, service, clock, log })
  const running = new Set<Promise<void>>()
  let onRoom = () => {}

  return {
    async pass() {
      let limit: number
      let claimed: ClaimedAsset[]
      do {
        await room()
        if (leaving.signal.aborted) return
        limit = placesMax - running.size
        const nowMs = clock.nowMs()
        claimed = await assets.claimDue({ provider, nowMs, leaseUntilMs: nowMs + LEASE_MS, limit })
        for (const asset of claimed) begin(asset, nowMs)
      } while (claimed.length === limit)
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
    async stop() {
      leaving.abort()
      onRoom()
      await Promise.all(running)
    },
  }

  function room(): Promise<void> {
    if (running.size < placesMax) return Promise.resolve()
    return new Promise((resolve) => {
      onRoom = resolve
    })
  }

  function begin(asset: ClaimedAsset, claimedAtMs: number): void {
    const polling = run(asset, claimedAtMs).then(() => {
      running.delete(polling)
      onRoom()
    })
    running.add(polling)
  }

  async function run(asset: ClaimedAsset, claimedAtMs: number): Promise<void> {
    const { id, fence, organizationId } = asset
    try {
      const nextPollAtMs = await poll(asset, { claimedAtMs, signal: leaving.signal })
      if (nextPollAtMs !== undefined) await assets.reschedule({ id, fence, nextPollAtMs })
    } catch (error) {
      const event = 'an asset could not be swept; it is due again when its lease has lapsed'
      log.warn(event, { organizationId, provider, error })
    }
  }
}

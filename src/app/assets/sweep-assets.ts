import { POLL_PAUSE_MS_MAX } from '../../domain/polling/poll-pace.ts'
import type { AssetStore, ClaimedAsset } from '../../ports/asset-store.ts'
import type { Clock, Pause } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { bringForward } from '../waiting/bring-forward.ts'
import { InHand } from '../waiting/in-hand.ts'
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

/** Of one organization. For each eight there is one more, which it leaves to the others. */
const PLACES_MAX = 16
const PLACES_PER_RESERVE = 8
/** While there is no room for one organization, others are looked for this often. */
const LOOK_AGAIN_MS = 1_000
/** Longer than a question may take. */
const LEASE_MS = 60_000

/** Whoever has its answer makes room for the next, so that a slow one holds up nobody else. */
export function sweepAssets({
  vendor,
  assets,
  clock,
  pause,
  log,
  placesMax = PLACES_MAX,
  ...tools
}: Omit<PollAssetTools, 'driver'> & {
  vendor: AssetVendor
  assets: Pick<AssetStore, 'claimDue' | 'reschedule' | 'bringForward'>
  clock: Clock
  pause: Pause
  log: Log
  placesMax?: number
}): AssetSweep {
  const { provider, driver } = vendor
  const bringFar = bringForward({
    move: (far) => assets.bringForward({ ...far, provider }),
    pauseMsMax: Math.max(POLL_PAUSE_MS_MAX, tools.sweepIntervalMs, LEASE_MS),
    ...{ clock, log, provider, operation: 'sweep assets' },
  })
  const leaving = new AbortController()
  const poll = pollAsset({ ...tools, driver, clock, log })
  const running = new Set<Promise<void>>()
  const placesOfAll = placesMax + Math.ceil(placesMax / PLACES_PER_RESERVE)
  const inHand = new InHand(placesMax)
  let onRoom = () => {}
  let isShort = false
  let after = ''

  return {
    async pass() {
      await bringFar()
      let hasMore: boolean
      do {
        await room()
        if (leaving.signal.aborted) return
        const limit = placesOfAll - running.size
        // While the claim runs questions may be answered, and make room that this claim did not know of.
        const wasShort = inHand.hasFullShare()
        const nowMs = clock.nowMs()
        const claim = { provider, nowMs, leaseUntilMs: nowMs + LEASE_MS, limit, share: inHand.share(after) }
        const { assets: claimed, more } = await assets.claimDue(claim)
        after = more ?? ''
        for (const asset of claimed) begin(asset, nowMs)
        isShort = running.size >= placesOfAll || inHand.hasFullShare()
        hasMore = more !== undefined || wasShort
      } while (hasMore)
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

  /** After a claim that left something for want of room: resolves when there is some. */
  function room(): Promise<void> {
    if (!isShort) return Promise.resolve()
    return new Promise((resolve) => {
      onRoom = resolve
      if (running.size < placesOfAll) void pause(LOOK_AGAIN_MS).then(resolve)
    })
  }

  function begin(asset: ClaimedAsset, claimedAtMs: number): void {
    const polling = run(asset, claimedAtMs).then(() => {
      running.delete(polling)
      inHand.leave(asset.organizationId)
      isShort = false
      onRoom()
    })
    running.add(polling)
    inHand.enter(asset.organizationId)
  }

  async function run(asset: ClaimedAsset, claimedAtMs: number): Promise<void> {
    const { id, fence, organizationId } = asset
    try {
      const nextPollAtMs = await poll(asset, { claimedAtMs, signal: leaving.signal })
      if (nextPollAtMs !== undefined) await assets.reschedule({ id, fence, nextPollAtMs })
    } catch (error) {
      const event = 'asset.sweep_failed'
      log.warn(event, { organizationId, provider, error })
    }
  }
}

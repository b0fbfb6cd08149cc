import type { AssetSnapshot } from '../../domain/assets/asset-snapshot.ts'
import { nextPollAtMs } from '../../domain/video/poll-pace.ts'
import type { AssetReading } from '../../ports/asset-service.ts'
import type { AssetStore, ClaimedAsset } from '../../ports/asset-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { settledFirst } from '../video/settled-first.ts'
import type { AssetVendor } from './asset-vendor.ts'
import type { TakeInAsset } from './take-in-asset.ts'

/** Brings assets to their end that nobody asks for. */
export interface AssetSweep {
  /** Claims and asks until nothing more is due. */
  pass(): Promise<void>
  /** Nothing begins any more; what was claimed is given back. Resolves when nothing is under way. */
  stop(): Promise<void>
}

const AT_ONCE_MAX = 16
/** Longer than a question may take. */
const LEASE_MS = 60_000

/** An asset that the vendor does not know may be a wrong address of ours; after a day it is lost. */
const GONE_FOR_GOOD_MS = 24 * 3_600_000
const GONE_WAIT_MS = 60_000

export function sweepAssets({
  vendor: { provider, service },
  assets,
  takeIn,
  clock,
  log,
  sweepIntervalMs,
}: {
  vendor: AssetVendor
  assets: Pick<AssetStore, 'claimDue' | 'reschedule'>
  takeIn: TakeInAsset
  clock: Clock
  log: Log
  sweepIntervalMs: number
}): AssetSweep {
  const leaving = new AbortController()
  let underWay: Promise<unknown> = Promise.resolve()

  return {
    async pass() {
      let claimed: ClaimedAsset[]
      do {
        if (leaving.signal.aborted) return
        const nowMs = clock.nowMs()
        const claim = { provider, nowMs, leaseUntilMs: nowMs + LEASE_MS, limit: AT_ONCE_MAX }
        claimed = await assets.claimDue(claim)
        const polls = Promise.all(claimed.map((asset) => poll(asset, nowMs)))
        underWay = polls
        await polls
      } while (claimed.length === AT_ONCE_MAX)
    },
    async stop() {
      leaving.abort()
      await underWay
    },
  }

  async function poll(asset: ClaimedAsset, claimedAtMs: number): Promise<void> {
    try {
      const reading = await settledFirst(service.getAsset(asset.ticket), leaving.signal)
      const nextPollAtMs = reading === undefined ? clock.nowMs() : await follow(asset, reading, claimedAtMs)
      if (nextPollAtMs === undefined) return
      await assets.reschedule({ id: asset.id, fence: asset.fence, nextPollAtMs })
    } catch (error) {
      const { organizationId } = asset
      log.warn('an asset could not be swept; it is due again when its lease has lapsed', {
        organizationId,
        provider,
        error,
      })
    }
  }

  /** When to ask again; undefined: never. */
  async function follow(
    asset: ClaimedAsset,
    reading: AssetReading,
    claimedAtMs: number,
  ): Promise<number | undefined> {
    const nowMs = clock.nowMs()
    const isLost = reading.kind === 'gone' && nowMs - asset.createdAtMs >= GONE_FOR_GOOD_MS
    const snapshot = reading.kind === 'snapshot' ? reading.snapshot : isLost ? LOST : undefined
    if (snapshot !== undefined && (await takeIn(asset, snapshot)).status !== 'processing') return undefined
    return nextPollAtMs({
      createdAtMs: asset.createdAtMs,
      expiresAtMs: Number.POSITIVE_INFINITY,
      claimedAtMs,
      nowMs,
      sweepIntervalMs,
      waitMsMin: waitAfter(reading),
    })
  }
}

const LOST: AssetSnapshot = {
  status: 'failed',
  url: undefined,
  error: { code: 'processing_failed', message: 'The provider no longer knows the asset.' },
}

function waitAfter(reading: AssetReading): number {
  if (reading.kind === 'gone') return GONE_WAIT_MS
  return reading.kind === 'unanswered' ? (reading.retryAfterMs ?? 0) : 0
}

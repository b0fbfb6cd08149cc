import { overdueError, PROCESSING_MS_MAX, type Unfinished } from '../../domain/assets/overdue.ts'
import { nextPollAtMs } from '../../domain/polling/poll-pace.ts'
import type { AssetDriver, AssetReading } from '../../ports/asset-driver.ts'
import type { ClaimedAsset } from '../../ports/asset-store.ts'
import type { Clock } from '../../ports/clock.ts'
import { withDeadline } from '../jobs/deadline.ts'
import type { Runtime } from '../runtime.ts'
import type { ApplyAssetSnapshot } from './apply-asset-snapshot.ts'

/** Polls the vendor for one claimed asset. Returns the time of the next poll; undefined: the asset has ended. */
export type PollAsset = (
  asset: ClaimedAsset,
  poll: {
    claimedAtMs: number
    /** Aborted when the process stops. It then does not wait for the answer, and another worker may poll at once. */
    signal: AbortSignal
  },
) => Promise<number | undefined>

export interface PollAssetTools extends Pick<Runtime, 'clock' | 'log'> {
  driver: Pick<AssetDriver, 'getAsset'>
  applySnapshot: ApplyAssetSnapshot
  /** Ignores a jump ahead of the system clock for a while, so that nothing expires too early. */
  deadlineClock: Clock
  sweepIntervalMs: number
}

export function pollAsset(input: PollAssetTools): PollAsset {
  const { driver, applySnapshot, clock, deadlineClock, log, sweepIntervalMs } = input
  return async (asset, { claimedAtMs, signal }) => {
    const { ticket, organizationId } = asset
    const answer = signal.aborted
      ? undefined
      : await withDeadline(driver.getAsset(ticket, organizationId), { signal })
    const nowMs = clock.nowMs()
    if (answer === undefined) return nowMs
    const reading = answer.value
    const { createdAtMs } = asset
    const state = reading.kind === 'snapshot' ? 'processing' : reading.kind
    if (reading.kind === 'snapshot' && (await applySnapshot(asset, reading.snapshot)).status !== 'processing')
      return
    if (await failWhenOverdue(asset, state, deadlineClock.nowMs())) return
    return nextPollAtMs({
      createdAtMs,
      expiresAtMs: createdAtMs + PROCESSING_MS_MAX,
      claimedAtMs,
      nowMs,
      sweepIntervalMs,
      waitMsMin: waitAfter(reading, nowMs - createdAtMs),
    })
  }

  async function failWhenOverdue(asset: ClaimedAsset, state: Unfinished, nowMs: number): Promise<boolean> {
    const error = overdueError(state, nowMs - asset.createdAtMs)
    if (error === undefined) return false
    await applySnapshot(asset, { status: 'failed', url: undefined, error })
    const { organizationId, provider } = asset
    log.warn('asset.expired', { organizationId, provider, reason: state })
    return true
  }
}

const GONE_WAIT_MS = 60_000
/** No client waits any longer for an overdue asset, and there may be many of them. */
const OVERDUE_WAIT_MS = 10 * 60_000

function waitAfter(reading: AssetReading, ageMs: number): number {
  if (ageMs >= PROCESSING_MS_MAX) return OVERDUE_WAIT_MS
  if (reading.kind === 'gone') return GONE_WAIT_MS
  return reading.kind === 'unanswered' ? (reading.retryAfterMs ?? 0) : 0
}

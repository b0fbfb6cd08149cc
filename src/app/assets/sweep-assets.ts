import { overdueError, PROCESSING_MS_MAX, type Unfinished } from '../../domain/assets/overdue.ts'
import { nextPollAtMs, POLL_PAUSE_MS_MAX } from '../../domain/polling/poll-pace.ts'
import type { AssetDriver, AssetReading } from '../../ports/asset-driver.ts'
import type { AssetStore, ClaimedAsset } from '../../ports/asset-store.ts'
import type { Clock } from '../../ports/clock.ts'
import { bringForward } from '../jobs/bring-forward.ts'
import { withDeadline } from '../jobs/deadline.ts'
import type { Job } from '../jobs/job-slots.ts'
import { createLeaseRunner, type JobLease, type LeaseRunner } from '../jobs/lease-runner.ts'
import type { Runtime } from '../runtime.ts'
import type { ApplyAssetSnapshot } from './apply-asset-snapshot.ts'
import type { AssetVendor } from './asset-vendor.ts'

/** Polls each processing asset until it ends, even if no client asks for it. */
export type AssetSweep = Pick<LeaseRunner, 'pass' | 'idle' | 'stop'>

/** Slots per organization; one extra slot per eight is reserved for other organizations. */
const SLOTS_EACH = 16
const SLOTS_PER_RESERVE = 8
/** Interval of passes while one organization has no free slot, because assets of other organizations may be due. */
const LOOK_AGAIN_MS = 1_000
const LEASE_MS = 60_000

interface AssetJob extends Job {
  asset: ClaimedAsset
  claimedAtMs: number
}

/** Each answer frees its slot for the next poll, so polls do not wait for the slowest answer of a group. */
export function sweepAssets(
  input: Omit<PollAssetTools, 'driver'> & {
    vendor: AssetVendor
    assets: Pick<AssetStore, 'claimDue' | 'reschedule' | 'bringForward'>
    slotsEach?: number
  },
): AssetSweep {
  const { vendor, assets, clock, log, slotsEach = SLOTS_EACH, ...tools } = input
  const { provider, driver } = vendor
  const poll = pollAsset({ ...tools, driver, clock, log })
  return createLeaseRunner<AssetJob>({
    prepare: bringForward({
      move: (far) => assets.bringForward({ ...far, provider }),
      pauseMsMax: Math.max(POLL_PAUSE_MS_MAX, tools.sweepIntervalMs, LEASE_MS),
      clock,
      log,
      provider,
      operation: 'sweep assets',
    }),
    claim,
    run,
    giveBack: (job) => reschedule(job, clock.nowMs()),
    slots: slotsEach + Math.ceil(slotsEach / SLOTS_PER_RESERVE),
    slotsEach,
    leaseMs: LEASE_MS,
    lookAgainMs: LOOK_AGAIN_MS,
    clock,
    log,
    failure: 'asset.claim_failed',
  })

  async function claim(room: Pick<Parameters<AssetStore['claimDue']>[0], 'limit' | 'share'>) {
    const nowMs = clock.nowMs()
    const claimed = await assets.claimDue({ ...room, provider, nowMs, leaseUntilMs: nowMs + LEASE_MS })
    const jobs = claimed.assets.map((asset) => {
      const { id: key, organizationId } = asset
      return { key, organizationId, asset, claimedAtMs: nowMs }
    })
    return { jobs, more: claimed.more }
  }

  async function run(job: AssetJob, lease: JobLease): Promise<void> {
    const { asset, claimedAtMs } = job
    try {
      const nextPollAtMs = await poll(asset, { claimedAtMs, signal: lease.signal })
      if (nextPollAtMs !== undefined && !lease.isOver()) await reschedule(job, nextPollAtMs)
    } catch (error) {
      warn(asset, error)
    }
  }

  async function reschedule({ asset }: AssetJob, nextPollAtMs: number): Promise<void> {
    const { id, fence } = asset
    await assets.reschedule({ id, fence, nextPollAtMs }).catch((error: unknown) => warn(asset, error))
  }

  function warn({ organizationId }: ClaimedAsset, error: unknown): void {
    log.warn('asset.sweep_failed', { organizationId, provider, error })
  }
}

/** Polls the vendor for one claimed asset. Returns the time of the next poll; undefined: the asset has ended. */
type PollAsset = (
  asset: ClaimedAsset,
  poll: {
    claimedAtMs: number
    /** Aborted when the process stops. The process does not wait for the answer, and another worker may poll immediately. */
    signal: AbortSignal
  },
) => Promise<number | undefined>

interface PollAssetTools extends Pick<Runtime, 'clock' | 'log'> {
  driver: Pick<AssetDriver, 'getAsset'>
  applySnapshot: ApplyAssetSnapshot
  /** Ignores a forward jump of the system clock for a while, so that nothing expires too early. */
  deadlineClock: Clock
  sweepIntervalMs: number
}

function pollAsset(input: PollAssetTools): PollAsset {
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
/** Overdue assets are polled rarely: no client waits for them any longer, and there may be many. */
const OVERDUE_WAIT_MS = 10 * 60_000

function waitAfter(reading: AssetReading, ageMs: number): number {
  if (ageMs >= PROCESSING_MS_MAX) return OVERDUE_WAIT_MS
  if (reading.kind === 'gone') return GONE_WAIT_MS
  return reading.kind === 'unanswered' ? (reading.retryAfterMs ?? 0) : 0
}

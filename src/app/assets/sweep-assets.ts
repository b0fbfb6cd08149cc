import { POLL_PAUSE_MS_MAX } from '../../domain/polling/poll-pace.ts'
import type { AssetStore, ClaimedAsset } from '../../ports/asset-store.ts'
import { bringForward } from '../jobs/bring-forward.ts'
import type { Job } from '../jobs/job-slots.ts'
import { createLeaseRunner, type JobLease, type LeaseRunner } from '../jobs/lease-runner.ts'
import type { AssetVendor } from './asset-vendor.ts'
import { type PollAssetTools, pollAsset } from './poll-asset.ts'

/** Polls each processing asset until it ends, even if no client asks for it. */
export type AssetSweep = Pick<LeaseRunner, 'pass' | 'idle' | 'stop'>

/** Slots per organization; one extra slot per eight is reserved for other organizations. */
const SLOTS_EACH = 16
const SLOTS_PER_RESERVE = 8
/** Interval of passes while one organization has no free slot, because assets of others may be due. */
const LOOK_AGAIN_MS = 1_000
const LEASE_MS = 60_000

interface AssetJob extends Job {
  asset: ClaimedAsset
  claimedAtMs: number
}

/** Each answer frees a slot for the next poll, so a slow one delays no other. */
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

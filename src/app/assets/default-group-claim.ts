import type { AssetStore } from '../../ports/asset-store.ts'
import type { Clock, Pause } from '../../ports/clock.ts'
import { withDeadline } from '../jobs/deadline.ts'

/** The lease is short, because the first uploads of an organization wait for its end if the maker of the group dies. */
export const DEFAULT_GROUP_LEASE_MS = 15_000
/** One or two renewals may fail before the lease ends. */
const RENEW_EVERY_MS = 4_000

interface GroupClaim {
  organizationId: string
  provider: string
  seenTicket: string | undefined
  leaseUntilMs: number
}

export interface HeldGroupClaim {
  stop(): Promise<void>
  /** Stops the renewals, and lets others claim at once. */
  release(): Promise<void>
}

/** Renews the claim to make a default group until the group is made, which may take longer than the lease. */
export function holdGroupClaim(
  claim: GroupClaim,
  {
    assets,
    clock,
    pause,
  }: { assets: Pick<AssetStore, 'claimDefaultGroup' | 'releaseDefaultGroup'>; clock: Clock; pause: Pause },
): HeldGroupClaim {
  const over = new AbortController()
  let { leaseUntilMs } = claim
  const renewing = renew()

  return {
    stop,
    async release() {
      await stop()
      // When the store is unreachable, the lease lapses by itself.
      await assets.releaseDefaultGroup({ ...claim, leaseUntilMs }).catch(() => {})
    },
  }

  async function stop(): Promise<void> {
    over.abort()
    await renewing
  }

  async function renew(): Promise<void> {
    do {
      await withDeadline(pause(RENEW_EVERY_MS), { signal: over.signal })
    } while (!over.signal.aborted && (await renewOnce()))
  }

  /**
   * Returns false when another process has the claim. Only the holder knows the end of the lease, which identifies the
   * holder.
   */
  async function renewOnce(): Promise<boolean> {
    const next = clock.nowMs() + DEFAULT_GROUP_LEASE_MS
    try {
      const isMine = await assets.claimDefaultGroup({ ...claim, nowMs: leaseUntilMs, leaseUntilMs: next })
      if (isMine) leaseUntilMs = next
      return isMine
    } catch {
      // While the store is unreachable, no other process can claim the group either.
      return true
    }
  }
}

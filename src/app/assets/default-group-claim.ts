import type { AssetStore } from '../../ports/asset-store.ts'
import type { Clock, Pause } from '../../ports/clock.ts'
import { withDeadline } from '../jobs/deadline.ts'

/** Short, because an organization's first uploads wait for its end when the maker of their group has died. */
export const DEFAULT_GROUP_LEASE_MS = 15_000
/** Often enough that a renewal or two may fail. */
const RENEW_EVERY_MS = 4_000

interface GroupClaim {
  organizationId: string
  provider: string
  seenTicket: string | undefined
  leaseUntilMs: number
}

export interface HeldGroupClaim {
  /** Renews it no more. */
  stop(): Promise<void>
  /** Stops, and lets others have it at once. */
  release(): Promise<void>
}

/** Keeps the right to make a default group for as long as the making takes, though its lease is shorter than that. */
export function holdGroupClaim(
  claim: GroupClaim,
  {
    assets,
    clock,
    pause,
  }: {
    assets: Pick<AssetStore, 'claimDefaultGroup' | 'releaseDefaultGroup'>
    clock: Clock
    pause: Pause
  },
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

  /** False: another process has it by now. A claim is renewed by its end, which only its holder knows. */
  async function renewOnce(): Promise<boolean> {
    const next = clock.nowMs() + DEFAULT_GROUP_LEASE_MS
    try {
      const isMine = await assets.claimDefaultGroup({ ...claim, nowMs: leaseUntilMs, leaseUntilMs: next })
      if (isMine) leaseUntilMs = next
      return isMine
    } catch {
      // While the store is unreachable, no other process can claim it either.
      return true
    }
  }
}

import type { ErasureStore, Removal } from '../../ports/erasures.ts'
import type { Runtime } from '../runtime.ts'
import type { AssetVendor } from './asset-vendor.ts'

/** Longer than the timeout of a call to the vendor. */
const LEASE_MS = 10 * 60_000
const FIRST_PAUSE_MS = 5_000
const PAUSE_MS_MAX = 3_600_000

/** Asks the vendor to delete its copies of erased rows. A removal is stored until the vendor has confirmed it. */
export function removeCopies(
  input: Pick<Runtime, 'clock' | 'log'> & {
    vendor: AssetVendor
    erasures: Pick<ErasureStore, 'claimRemovals' | 'finishRemoval' | 'postponeRemoval'>
  },
): () => Promise<void> {
  const { vendor, erasures, clock, log } = input
  const { provider, driver } = vendor
  return async () => {
    const nowMs = clock.nowMs()
    for (;;) {
      // Claims one copy at a time, so that each claim leaves out the groups that an organization now uses again.
      const claim = { provider, nowMs, leaseUntilMs: clock.nowMs() + LEASE_MS, limit: 1 }
      const [removal] = await erasures.claimRemovals(claim)
      if (removal === undefined) return
      await remove(removal)
    }
  }

  async function remove(removal: Removal): Promise<void> {
    const { kind, ticket, organizationId, attempts } = removal
    const outcome = await (kind === 'asset'
      ? driver.deleteAsset(ticket, organizationId)
      : driver.deleteGroup(ticket, organizationId))
    if (outcome.kind === 'removed') return erasures.finishRemoval(removal)
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20), PAUSE_MS_MAX)
    log.warn('erasure.removal_failed', { provider, organizationId, count: attempts, error: outcome.cause })
    await erasures.postponeRemoval({ ...removal, dueAtMs: clock.nowMs() + (outcome.retryAfterMs ?? pauseMs) })
  }
}

import type { ErasureStore, Removal } from '../../ports/erasures.ts'
import type { Runtime } from '../runtime.ts'
import type { AssetVendor } from './asset-vendor.ts'

/** Few enough that all calls end within their lease, even when each one times out. */
const BATCH_MAX = 10
const LEASE_MS = 10 * 60_000
const FIRST_PAUSE_MS = 5_000
const PAUSE_MS_MAX = 3_600_000

/**
 * Asks the vendor to delete its copies of erased rows. The row of a removal stays until the vendor has confirmed it, so
 * neither a crash nor a silent vendor leaves a copy behind.
 */
export function removeCopies(
  input: Pick<Runtime, 'clock' | 'log'> & {
    vendor: AssetVendor
    erasures: Pick<ErasureStore, 'claimRemovals' | 'finishRemoval' | 'postponeRemoval'>
  },
): () => Promise<void> {
  const { vendor, erasures, clock, log } = input
  const { provider, driver } = vendor
  return async () => {
    for (let claimed = BATCH_MAX; claimed === BATCH_MAX; ) {
      const nowMs = clock.nowMs()
      const leaseUntilMs = nowMs + LEASE_MS
      const due = await erasures.claimRemovals({ provider, nowMs, leaseUntilMs, limit: BATCH_MAX })
      claimed = due.length
      for (const removal of due) await remove(removal)
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

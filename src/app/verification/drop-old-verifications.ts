import type { VerificationStore } from '../../ports/asset-store.ts'
import type { Clock } from '../../ports/clock.ts'

/** Long enough for an operator who investigates a complaint. */
const KEPT_MS = 30 * 24 * 3_600_000

const PASS_VERIFICATIONS_MAX = 5_000

/** Drops one bounded batch, so that a stop never waits for more than one batch. */
export function dropOldVerifications(input: {
  verifications: Pick<VerificationStore, 'dropOld'>
  clock: Clock
}): () => Promise<void> {
  const { verifications, clock } = input
  return async () => {
    await verifications.dropOld({ expiredByMs: clock.nowMs() - KEPT_MS, limit: PASS_VERIFICATIONS_MAX })
  }
}

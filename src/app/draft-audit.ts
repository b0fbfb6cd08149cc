import type { Actor, NewAudit } from '../ports/audit.ts'
import type { Clock } from '../ports/clock.ts'
import type { NewId } from '../ports/secrets.ts'

export interface By {
  actor: Actor
  /** Claim of the admin request with an `Idempotency-Key`. */
  claimId?: string | undefined
}

export interface AuditTools extends By {
  newId: NewId
  clock: Clock
}

/** Nothing in `detail` may be a secret. */
export function draftAudit(
  act: Pick<NewAudit, 'action' | 'organizationId' | 'subject' | 'detail'>,
  { newId, clock, actor, claimId }: AuditTools,
): NewAudit {
  return { id: newId('aud'), atMs: clock.nowMs(), actor, claimId, ...act }
}

import type { Actor, NewAudit } from '../ports/audit.ts'
import type { Clock } from '../ports/clock.ts'
import type { NewId } from '../ports/secrets.ts'

/** In whose name a use case acts. */
export interface By {
  actor: Actor
  /** Of the admin request with an `Idempotency-Key` that asked for it. */
  claimId?: string | undefined
}

/** What a use case needs to say who did what; the actor is chosen where the use cases are put together. */
export interface AuditTools extends By {
  newId: NewId
  clock: Clock
}

/** The row that records an act. Nothing in `detail` may be a secret. */
export function draftAudit(
  act: Pick<NewAudit, 'action' | 'organizationId' | 'subject' | 'detail'>,
  { newId, clock, actor, claimId }: AuditTools,
): NewAudit {
  return { id: newId('aud'), atMs: clock.nowMs(), actor, ...act, ...(claimId !== undefined && { claimId }) }
}

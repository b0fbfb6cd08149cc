import type { CallbackAttempt, DueCallback } from './callbacks.ts'
import type { ClaimShare, Far, More } from './tasks.ts'

/** `person.revoked`: a verified person revoked the consent; the subject is the group. */
export type EventType = 'person.revoked'

/** A due message to an organization, at its address for events at the time of sending. */
export interface DueEvent extends Omit<DueCallback, 'taskId'> {
  type: EventType
  subject: string
  createdAtMs: number
  /** null: the organization no longer has one. */
  url: string | null
}

/** Attempts are counted like those of callbacks. */
export interface OrganizationEventStore {
  claimDue(claim: {
    nowMs: number
    leaseUntilMs: number
    limit: number
    share?: ClaimShare
  }): Promise<{ due: DueEvent[]; abandoned: Pick<DueEvent, 'organizationId'>[]; more: More }>
  /** Returns the number of rows that were brought forward. */
  bringForward(far: Far): Promise<number>
  /** The outcome counts only if the event was not claimed since. */
  recordAttempt(record: {
    callbackId: string
    fence: number
    attempt: Omit<CallbackAttempt, 'taskId'>
    outcome: 'delivered' | 'given-up' | 'again'
    nextAttemptAtMs: number | null
  }): Promise<void>
  /** Returns an event of which certainly nothing was sent: the attempt is not counted. */
  giveBack(unsent: { callbackId: string; fence: number; nextAttemptAtMs: number }): Promise<void>
}

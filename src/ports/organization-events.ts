import type { CallbackAttempt, DueCallback } from './callbacks.ts'
import type { ClaimShare, Far, More } from './tasks.ts'

/** `person.revoked`: a verified person took the consent back; the subject is the group. */
export type EventType = 'person.revoked'

/** A message we owe an organization, at the address that it has for events when it is sent. */
export interface DueEvent extends Omit<DueCallback, 'taskId'> {
  type: EventType
  subject: string
  createdAtMs: number
  /** null: the organization has none any more. */
  url: string | null
}

/** Attempts are counted as those of callbacks are. */
export interface OrganizationEventStore {
  claimDue(claim: {
    nowMs: number
    leaseUntilMs: number
    limit: number
    share?: ClaimShare
  }): Promise<{ due: DueEvent[]; abandoned: Pick<DueEvent, 'organizationId'>[]; more: More }>
  /** How many were brought forward. */
  bringForward(far: Far): Promise<number>
  /** What follows from the attempt counts only if the event was not claimed since. */
  recordAttempt(record: {
    callbackId: string
    fence: number
    attempt: Omit<CallbackAttempt, 'taskId'>
    outcome: 'delivered' | 'given-up' | 'again'
    nextAttemptAtMs: number | null
  }): Promise<void>
  /** Certainly nothing was sent: the attempt is not counted, and the event is due again then. */
  giveBack(unsent: { callbackId: string; fence: number; nextAttemptAtMs: number }): Promise<void>
}

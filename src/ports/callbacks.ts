import type { NewAudit } from './audit.ts'
import type { ClaimShare, Far, More } from './tasks.ts'

/** A message we owe a client about the end of a task. */
export interface DueCallback {
  id: string
  taskId: string
  organizationId: string
  /** 1 for the first of its whole life. Counted before it is sent, so that a crash never makes a fourth. */
  attempt: number
  /** How many may follow this one: 2, 1, 0 of three, and again after `resend`. */
  attemptsLeft: number
  fence: number
}

/** One that ran out of attempts while the result of the last is unknown: its sender was killed, or lost the store. */
export type AbandonedCallback = Pick<DueCallback, 'id' | 'taskId' | 'organizationId'>

export interface CallbackAttempt {
  taskId: string
  attempt: number
  atMs: number
  /** null when no answer came. */
  status: number | null
  /** `unknown` from the claim on, until its result is recorded. */
  error: string | null
}

export interface CallbackStore {
  /**
   * Takes callbacks that are due, of each organization its share, the oldest first, until `leaseUntilMs`; their attempt is counted and listed with it.
   * One whose lease lapsed on its last attempt is not due: it is given up, because no attempt is left. Both together
   * are `limit` at most.
   */
  claimDue(claim: {
    nowMs: number
    leaseUntilMs: number
    limit: number
    share?: ClaimShare
  }): Promise<{ due: DueCallback[]; abandoned: AbandonedCallback[]; more: More }>
  /** How many were brought forward. */
  bringForward(far: Far): Promise<number>
  /**
   * Stores the attempt, which was made in any case; what follows from it counts only if the callback was not claimed or
   * resent since. `nextAttemptAtMs` is read when the outcome is `again`.
   */
  recordAttempt(record: {
    callbackId: string
    fence: number
    attempt: CallbackAttempt
    outcome: 'delivered' | 'given-up' | 'again'
    nextAttemptAtMs: number | null
  }): Promise<void>
  /**
   * Certainly nothing was sent: the attempt is neither counted nor listed, and the callback is due again then. Nothing
   * happens if it was claimed or resent since.
   */
  giveBack(unsent: { callbackId: string; fence: number; nextAttemptAtMs: number }): Promise<void>
  /** The last `limit` of them, oldest first. */
  listAttempts(query: { taskId: string | undefined; limit: number }): Promise<CallbackAttempt[]>
  /** Makes it due again with three more attempts; it keeps its id. The id of the task, which its request may name; undefined when the task has none. */
  resend(callback: { taskId: string; atMs: number }, audit?: NewAudit): Promise<string | undefined>
}

/** One message to a client's own server. */
export interface CallbackMessage {
  /** The same on every attempt, so that the receiver can tell a repetition. */
  id: string
  organizationId: string
  url: string
  body: string
  /** When this attempt is made; it is signed too. */
  atMs: number
  /** Each signs it: two while an old secret is still valid. */
  secrets: readonly string[]
}

export type Delivery =
  | { kind: 'answered'; status: number }
  /** No answer came. The word is short and fixed: never an address. */
  | { kind: 'failed'; word: string; mayBeRepeated: boolean }
  /** It never left the house, for want of room or because the process leaves: that is no attempt. */
  | { kind: 'not-sent' }

/** Sends it once and never rejects. */
export type SendCallback = (message: CallbackMessage, signal: AbortSignal) => Promise<Delivery>

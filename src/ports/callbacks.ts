import type { CallbackState } from '../domain/callbacks/callback-retry.ts'
import type { NewAudit } from './audit.ts'
import type { ClaimShare, Far, More, TaskPosition } from './tasks.ts'

/** A due message to a client about the end of a task. */
export interface DueCallback {
  id: string
  taskId: string
  organizationId: string
  /** Number of the attempt, from 1. Counted before it is sent, so that a crash never makes a fourth. */
  attempt: number
  /** Number of attempts that may follow: 2, 1, 0 of three, and again after `resend`. */
  attemptsLeft: number
  fence: number
  /** Time of the last attempt under extended retries; null: the default ones. */
  retryUntilMs: number | null
}

/** A callback without attempts whose last result is unknown: its sender was killed, or lost the store. */
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

/** A callback for the client whose task has ended. */
export interface OwnCallback {
  id: string
  task: TaskPosition
  state: CallbackState
  attempts: number
  /** null: no attempt follows. */
  nextAttemptAtMs: number | null
  /** Status of the last answer; null: the last attempt had none. */
  lastStatus: number | null
}

export interface CallbackStore {
  /**
   * Claims due callbacks until `leaseUntilMs`, the oldest first, a share for each organization; the attempt is counted and
   * listed with the claim. A callback whose lease expired on its last attempt is given up instead. Both together are at most
   * `limit`.
   */
  claimDue(claim: {
    nowMs: number
    leaseUntilMs: number
    limit: number
    share?: ClaimShare
  }): Promise<{ due: DueCallback[]; abandoned: AbandonedCallback[]; more: More }>
  /** Returns the number of rows that were brought forward. */
  bringForward(far: Far): Promise<number>
  /**
   * Stores the attempt in any case; its outcome counts only if the callback was not claimed or resent since.
   * `nextAttemptAtMs` is read when the outcome is `again`.
   */
  recordAttempt(record: {
    callbackId: string
    fence: number
    attempt: CallbackAttempt
    outcome: 'delivered' | 'given-up' | 'again'
    nextAttemptAtMs: number | null
  }): Promise<void>
  /** Returns an unsent callback: the attempt is not counted or listed. Nothing happens if it was claimed or resent since. */
  giveBack(unsent: { callbackId: string; fence: number; nextAttemptAtMs: number }): Promise<void>
  /** Lists the last `limit` attempts, oldest first. */
  listAttempts(query: { taskId: string | undefined; limit: number }): Promise<CallbackAttempt[]>
  /** Makes it due again with its id and all attempts that its organization has now. Returns the id of the task; undefined: it has none. */
  resend(callback: { taskId: string; atMs: number }, audit: NewAudit | undefined): Promise<string | undefined>
  /** Lists the callbacks of an API key, by their tasks: the newest first. Those of deleted tasks are left out. */
  listOwn(query: {
    keyId: string
    state: CallbackState | undefined
    after: TaskPosition | undefined
    limit: number
  }): Promise<OwnCallback[]>
  /** Like `resend`, for the callback of a listed task; undefined: the key has no such callback. */
  resendOwn(callback: { id: string; keyId: string; atMs: number }): Promise<OwnCallback | undefined>
}

/** One message to a client's own server. */
export interface CallbackMessage {
  /** Equal on every attempt, so that the receiver can recognise a repetition. */
  id: string
  organizationId: string
  url: string
  body: string
  /** Time of this attempt; it is signed too. */
  atMs: number
  /** Signing secrets: two while an old one is still valid. */
  secrets: readonly string[]
}

export type Delivery =
  | { kind: 'answered'; status: number; retryAfterMs?: number | undefined }
  /** No answer came. The word is short and fixed, never an address. */
  | { kind: 'failed'; word: string; mayBeRepeated: boolean }
  /** Nothing was sent, for lack of room or because the process stops: that is no attempt. */
  | { kind: 'not-sent' }

/** Sends it once and never rejects. */
export type SendCallback = (message: CallbackMessage, signal: AbortSignal) => Promise<Delivery>

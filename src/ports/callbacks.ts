import type { CallbackState } from '../domain/callbacks/callback-retry.ts'
import type { NewAudit } from './audit.ts'
import type { DueClaim, Far, More, TaskPosition } from './tasks.ts'

export interface DueCallback {
  id: string
  taskId: string
  organizationId: string
  /** Number of the attempt, from 1. The claim counts it before the message is sent, so an attempt that crashes counts too. */
  attempt: number
  attemptsLeft: number
  fence: number
  /** Latest time for an attempt under extended retries; null: the default retries apply. */
  retryUntilMs: number | null
}

/** A callback that was given up because the result of its last attempt is unknown. */
export type AbandonedCallback = Pick<DueCallback, 'id' | 'taskId' | 'organizationId'>

export interface CallbackAttempt {
  taskId: string
  attempt: number
  atMs: number
  status: number | null
  /** `unknown` from the claim until the result is recorded. */
  error: string | null
}

export interface OwnCallback {
  id: string
  task: TaskPosition
  state: CallbackState
  attempts: number
  /** null: no attempt follows. */
  nextAttemptAtMs: number | null
  /** Status of the last answer; null: the last attempt had no answer. */
  lastStatus: number | null
}

/** Store of rows that become due, and whose attempts are counted. */
export interface DueStore<Due, Abandoned> {
  /**
   * Claims due rows until `leaseUntilMs`, the oldest first, a share for each organization. The claim also counts the
   * attempt. A row whose lease ended on its last attempt is given up instead. `limit` bounds claimed and given-up rows.
   */
  claimDue(claim: DueClaim): Promise<{ due: Due[]; abandoned: Abandoned[]; more: More }>
  bringForward(far: Far): Promise<number>
  /** Undoes the count of a claim and sets the next attempt. Does nothing if the row was claimed again since. */
  giveBack(unsent: { callbackId: string; fence: number; nextAttemptAtMs: number }): Promise<void>
}

export interface AttemptRecord<Attempt = CallbackAttempt> {
  callbackId: string
  fence: number
  attempt: Attempt
  outcome: 'delivered' | 'given-up' | 'again'
  /** Read only for `again`. */
  nextAttemptAtMs: number | null
}

/** A claim adds its attempt to the list, and `giveBack` removes it. */
export interface CallbackStore extends DueStore<DueCallback, AbandonedCallback> {
  /** The outcome is ignored if the callback was claimed or resent since. */
  recordAttempt(record: AttemptRecord): Promise<void>
  /** Returns the last `limit` attempts, oldest first. */
  listAttempts(query: { taskId: string | undefined; limit: number }): Promise<CallbackAttempt[]>
  /** Makes the callback due, with a full number of attempts. Returns the task's id; undefined: it has no callback. */
  resend(callback: { taskId: string; atMs: number }, audit: NewAudit | undefined): Promise<string | undefined>
  /** Lists the callbacks of an API key by task, the newest task first, without deleted tasks. */
  listOwn(query: {
    keyId: string
    state: CallbackState | undefined
    after: TaskPosition | undefined
    limit: number
  }): Promise<OwnCallback[]>
  /** Like `resend`; undefined: the key has no such callback. */
  resendOwn(callback: { id: string; keyId: string; atMs: number }): Promise<OwnCallback | undefined>
}

export interface CallbackMessage {
  /** Equal on every attempt, so the receiver can recognise a repetition. */
  id: string
  organizationId: string
  url: string
  body: string
  /** Time of this attempt, which is part of the signed text. */
  atMs: number
  /** Two while the previous secret is still valid. */
  secrets: readonly string[]
}

export type Delivery =
  | { kind: 'answered'; status: number; retryAfterMs?: number | undefined }
  /** No answer came. `word` is short and fixed, never an address. */
  | { kind: 'failed'; word: string; mayBeRepeated: boolean }
  /** Nothing was sent, for lack of room or because the process stops. It does not count as an attempt. */
  | { kind: 'not-sent' }

/** Sends the message once and never rejects. */
export type SendCallback = (message: CallbackMessage, signal: AbortSignal) => Promise<Delivery>

import type { Micros } from '../domain/billing/micros.ts'
import type { CallbackState } from '../domain/callbacks/callback-retry.ts'
import type { TaskClipKind } from '../domain/video/clip.ts'
import type { CostTerms, TaskPricing } from '../domain/video/cost-of-task.ts'
import type { TaskError, VendorMeasures } from '../domain/video/snapshot.ts'
import type { TaskStatus, TaskSummary } from '../domain/video/task.ts'
import type { NewAudit } from './audit.ts'
import type { AmountRefusal, DayMove, NewHold } from './ledger.ts'
import type { TaskFilter } from './page-query.ts'
import type { AttemptStart, CurrentAttempt, HandOver, TaskAttempt } from './task-attempts.ts'

/** A position in a list that is ordered by creation time, then id, both descending. */
export interface TaskPosition {
  createdAtMs: number
  id: string
}

export interface TaskIdentity {
  id: string
  organizationId: string
  userId: string
  keyId: string
  model: string
  /** Provider of the current attempt. */
  provider: string
  createdAtMs: number
}

/** Columns of a task that its creation sets. */
interface OrderedTask extends TaskIdentity {
  /** Alias that the client used; left out: the client used the name. */
  alias?: string | undefined
  pricing: TaskPricing
  /** Whether the end of the task creates a callback, as `sendsCallbacks` in `draft-task.ts` decides. */
  owesCallback: boolean
  /** Deadline: the task fails when it has not ended by then. */
  expiresAtMs: number
}

/** Small columns for work on a task. Columns that only the owner or the vendor may read are encrypted. */
export interface StoredTask extends OrderedTask, CurrentAttempt {
  status: TaskStatus
  /** The vendor's id of the task; null while the create call has no answer. */
  encryptedTicket: string | null
  error: TaskError | null
  /** Time of the vendor's last report, with or without a change; null: none came since the create call. */
  updatedAtMs: number | null
  completedAtMs: number | null
  deletedAtMs: number | null
  /** Time since which the result is withheld because a person in it revoked the consent; null: it is not withheld. */
  withheldAtMs: number | null
}

/** Adds the result, whose length the vendor decides. */
export interface TaskWithContent extends StoredTask {
  encryptedContent: string | null
}

/** Adds columns whose length the client decides. Whole tasks are read one at a time. */
export interface WholeTask extends TaskWithContent {
  /** JSON text of an object, as the client sent it. */
  metadata: string
  encryptedCallbackUrl: string | null
}

export interface TaskForOperator extends StoredTask {
  hasCallbackUrl: boolean
  /** Time since which sweeps skip the task because its row could not be claimed or read; null: they do not. */
  setAsideAtMs: number | null
  /** Held amount, also after the hold has ended. */
  holdMicros: Micros
  /** null unless the hold was settled. */
  chargedMicros: Micros | null
  refundedMicros: Micros
  /** null: the task owes no callback, or has not ended. */
  callbackState: CallbackState | null
}

export interface NewTask extends OrderedTask, Pick<WholeTask, 'metadata' | 'encryptedCallbackUrl'> {
  requestId?: string | undefined
  /** Left out: no model may step in. */
  standIns?: readonly string[]
  encryptedRequest?: string
  /** Digest of the token that a vendor's notice must present; null: no notice was requested. */
  noticeTokenDigest: string | null
  nextPollAtMs: number
  /** JSON of the order, for the receipt. Left out: none. */
  ordered?: string
}

/** `key` is the `Idempotency-Key` of a request: all requests of an API key with this value make one task. */
export interface IdempotencyClaim {
  keyId: string
  key: string
  bodyDigest: string
  expiresAtMs: number
}

export type Begun =
  | { kind: 'begun'; day: DayMove }
  | AmountRefusal
  /** The organization was disabled or erased after its key was accepted. */
  | { kind: 'organization-disabled' }
  | { kind: 'quote-used' }
  /** A person in the request was erased after the assets were looked up. */
  | { kind: 'group-gone' }
  /** An equal request came before and has its task. */
  | { kind: 'replay' }
  | { kind: 'in-progress' }
  | { kind: 'other-body' }

/** State of the request with this key. The variants are checked in this order. */
export type Replay = { kind: 'other-body' } | { kind: 'in-progress' } | { kind: 'replay'; task: WholeTask }

export interface TaskMove {
  id: string
  attempt: number
  status: Exclude<TaskStatus, 'submitting'>
  encryptedContent: string | null
  error: TaskError | null
  atMs: number
  /** Measure of the vendor, as an operator sees it. */
  measured?: VendorMeasures
  /** Read only when the status is `succeeded`, because no other end costs anything. */
  cost: CostTerms
  videoMs: number
  entryId: string
  callbackId: string
  /** Files that the gateway copies; left out: none. */
  clips?: readonly { id: string; kind: TaskClipKind }[]
  /** Left out when no operator asked for the change. */
  audit?: NewAudit
  /** Reason why the vendor did not take the attempt that ends the task; left out: it took the attempt. */
  refusal?: string
}

export type Moved =
  /**
   * `ended` is true only for the caller who ended the task. `lossMicros` is the part of the cost that was not charged,
   * because the balance was too small or the hold had expired.
   */
  | { kind: 'moved'; task: TaskWithContent; ended: boolean; day: DayMove | undefined; lossMicros: Micros }
  /** The task had this status already, or was further ahead. */
  | { kind: 'unchanged'; task: TaskWithContent }
  | { kind: 'no-task' }

export type HandOverOutcome =
  | Exclude<Moved, { kind: 'moved' }>
  | { kind: 'handed-over'; task: TaskWithContent }

/** A task that a sweep has leased. A write with an old fence has no effect. */
export interface ClaimedTask extends StoredTask {
  fence: number
}

export interface NextPoll {
  id: string
  fence: number
  nextPollAtMs: number
  /** Time when the vendor reported no change; null: the vendor reported nothing. */
  seenAtMs: number | null
}

export interface TaskStore {
  /** Lists tasks of one API key that are neither deleted nor still `submitting`, newest first. */
  list(query: { keyId: string; after: TaskPosition | undefined; limit: number }): Promise<TaskSummary[]>
  /** Finds a task of one API key. Skips `submitting` tasks, and deleted tasks that are not `cancelled`. */
  find(query: { id: string; keyId: string }): Promise<WholeTask | undefined>
  /** Finds a task of any organization. */
  findWhole(id: string): Promise<WholeTask | undefined>
  findForOperator(id: string): Promise<TaskForOperator | undefined>
  /** Lists tasks newest first, including `submitting` and deleted ones. */
  listForOperator(query: TaskFilter): Promise<TaskForOperator[]>
  findByNotice(tokenDigest: string): Promise<StoredTask | undefined>
  /** Writes all or none: the claim on the key, the task as `submitting`, the use of its quote, its people and the hold. */
  begin(work: {
    task: NewTask
    hold: NewHold
    idempotency: IdempotencyClaim | undefined
    quoteId?: string | undefined
    /** Groups of the verified people in the request, each once. */
    groupIds?: readonly string[]
    /** Returns the result that a real begin would have, and rolls back. */
    isRehearsal?: boolean
  }): Promise<Begun>
  /**
   * Stores that the vendor took the current attempt. A `submitting` task gets its first status; a `running` task never
   * returns to `queued`. Returns `unchanged` when the attempt no longer waits for an answer. If the returned task has
   * this ticket, an earlier try of this call had succeeded.
   */
  accept(answer: { move: TaskMove; encryptedTicket: string; nextPollAtMs: number }): Promise<Moved>
  /**
   * Ends the current attempt and begins the next one, which has no ticket yet. Returns `unchanged` when the task has
   * ended, another attempt is current, its result is withheld, or the next attempt would lack its request.
   */
  handOver(change: HandOver): Promise<HandOverOutcome>
  /** Marks the attempt as sent. Returns undefined when it no longer waits to be sent. */
  startAttempt(start: AttemptStart): Promise<TaskWithContent | undefined>
  findRequest(id: string): Promise<string | undefined>
  /** Lists attempts in their order; empty for a task that was never handed over. */
  listAttempts(taskId: string): Promise<TaskAttempt[]>
  /** Undoes a refused task: releases its hold, and removes the task and its idempotency key. */
  forget(refused: { id: string; atMs: number }): Promise<DayMove | undefined>
  /**
   * Moves a task only forward: `queued` after `running`, or anything after an end, changes nothing. An equal status
   * updates time and content, except for a failed or cancelled task. A `submitting` task has no ticket yet, so here it
   * can only fail.
   */
  move(move: TaskMove): Promise<Moved>
  /**
   * Claims due tasks of one provider until `leaseUntilMs`, except tasks that are set aside. Each organization gets a
   * share: its tasks that have been due longest. The result has no order.
   */
  claimDue(claim: DueClaim & { provider: string }): Promise<{
    tasks: ClaimedTask[]
    /** Claimed tasks whose rows are too long or damaged. */
    unreadable: Pick<StoredTask, 'id' | 'organizationId'>[]
    more: More
  }>
  bringForward(far: Far & { provider: string }): Promise<number>
  /** Excludes a task from claims. Does nothing for an ended task. */
  setAside(task: { id: string; atMs: number }): Promise<void>
  /** Postpones the task that the next claim would take first, without reading its values. */
  putOffNext(claim: {
    provider: string
    nowMs: number
    untilMs: number
    share?: ClaimShare
  }): Promise<Pick<StoredTask, 'id' | 'organizationId'> | undefined>
  /** Makes a task due by its id or its request id. Returns the task id; undefined: it is not set aside. */
  resume(task: { id: string; atMs: number }, audit: NewAudit | undefined): Promise<string | undefined>
  countSetAside(): Promise<number>
  /** Sets the next polls of claimed tasks. A task that has ended or was claimed again since stays unchanged. */
  reschedule(nexts: readonly NextPoll[]): Promise<void>
  /**
   * Returns the result of an idempotency key; undefined: there is none, or it has expired. Writes nothing, so a repeated
   * request costs no money and meets no limit. Deleted tasks are found too.
   */
  findReplay(query: {
    keyId: string
    key: string
    bodyDigest: string
    nowMs: number
  }): Promise<Replay | undefined>
  /** Soft-deletes an ended task. Returns false when the task is unknown, has not ended, or was deleted before. */
  remove(query: { id: string; keyId: string; atMs: number }): Promise<boolean>
  dropExpiredKeys(pass: { nowMs: number; limit: number }): Promise<number>
}

/** A claim of rows that are due, until the lease ends. */
export interface DueClaim {
  nowMs: number
  leaseUntilMs: number
  limit: number
  share?: ClaimShare
}

export interface ClaimShare {
  /** Maximum rows of an organization, including those that this process works on. */
  perOrganizationMax: number
  inHand: Readonly<Record<string, number>>
  /** Organizations with a greater id come first: `more` of the previous claim, else empty. */
  after: string
}

/** Position where the next claim continues. undefined: no more rows are due, except of organizations with a full share. */
export type More = string | undefined

/** Rows due after `farthestMs` become due at `nowMs`. No pause is that long, so a clock went back. */
export interface Far {
  nowMs: number
  farthestMs: number
}

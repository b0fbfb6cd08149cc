import type { Micros } from '../domain/billing/micros.ts'
import type { CallbackState } from '../domain/callbacks/callback-retry.ts'
import type { ClipKind } from '../domain/video/clip.ts'
import type { CostTerms, TaskPricing } from '../domain/video/cost-of-task.ts'
import type { TaskError, VendorMeasures } from '../domain/video/snapshot.ts'
import type { TaskStatus, TaskSummary } from '../domain/video/task.ts'
import type { NewAudit } from './audit.ts'
import type { DayMove, NewHold } from './ledger.ts'
import type { TaskFilter } from './page-query.ts'
import type { AttemptStart, CurrentAttempt, HandOver, TaskAttempt } from './task-attempts.ts'

/** A place in a list that is ordered by creation time, then id, both descending. */
export interface TaskPosition {
  createdAtMs: number
  id: string
}

/** Columns for work on a task: all are small, and those that only the owner or the vendor may read are encrypted. */
export interface StoredTask extends CurrentAttempt {
  id: string
  organizationId: string
  userId: string
  keyId: string
  model: string
  /** Alias by which the client named it; left out: by its name. */
  alias?: string
  /** Provider of the current attempt. */
  provider: string
  status: TaskStatus
  /** The vendor's handle; null while the create call has no answer. */
  encryptedTicket: string | null
  error: TaskError | null
  pricing: TaskPricing
  /** False for a task without a callback, and for family A while no notices are configured. */
  owesCallback: boolean
  createdAtMs: number
  /** Time when a vendor's snapshot was last applied; null before the first one after the create call. */
  updatedAtMs: number | null
  completedAtMs: number | null
  deletedAtMs: number | null
  /** Deadline: the task fails when it has not ended by then. */
  expiresAtMs: number
  /** Time since which its result is withheld, because a person in it revoked the consent; null: it is not. */
  withheldAtMs: number | null
}

/** Adds the result, whose length the vendor decides. */
export interface TaskWithContent extends StoredTask {
  encryptedContent: string | null
}

/** Adds columns whose length the client decides. Only read one at a time. */
export interface WholeTask extends TaskWithContent {
  /** JSON text of an object, as the client sent it. */
  metadata: string
  encryptedCallbackUrl: string | null
}

/** Adds columns for operators: the money, and the state of the callback. */
export interface TaskForOperator extends StoredTask {
  hasCallbackUrl: boolean
  /** Time since which sweeps skip it, because it could not be read; null: they do not. */
  setAsideAtMs: number | null
  /** Held amount, also after the hold has ended. */
  holdMicros: Micros
  /** null unless the hold was settled. */
  chargedMicros: Micros | null
  refundedMicros: Micros
  /** null while there is no callback row: it owes none, or has not ended. */
  callbackState: CallbackState | null
}

export interface NewTask
  extends Omit<
    WholeTask,
    | 'status'
    | 'encryptedTicket'
    | 'encryptedContent'
    | 'error'
    | 'updatedAtMs'
    | 'completedAtMs'
    | 'deletedAtMs'
    | 'withheldAtMs'
    | keyof CurrentAttempt
  > {
  /** Id that the response to its create call carries. */
  requestId?: string
  /** Left out: no model may step in. */
  standIns?: readonly string[]
  /** Request for a stand-in; left out where there is none. */
  encryptedRequest?: string
  /** Digest of the token that a vendor's notice must present; null where no notice was requested. */
  noticeTokenDigest: string | null
  /** Time of the sweep's first poll. */
  nextPollAtMs: number
  /** JSON of the order for its receipt. Left out: none. */
  ordered?: string
}

/** A client's claim that requests with this key are one. */
export interface IdempotencyClaim {
  keyId: string
  key: string
  bodyDigest: string
  /** Time until which the first answer is replayed. */
  expiresAtMs: number
}

export type Begun =
  | { kind: 'begun'; day: DayMove }
  | { kind: 'insufficient-balance'; availableMicros: Micros }
  | { kind: 'budget-exceeded' }
  /** The organization was disabled or erased a moment ago: its key was accepted before. */
  | { kind: 'organization-disabled' }
  /** Another task has used the quote. */
  | { kind: 'quote-used' }
  /** A person in it was erased since its assets were looked up. */
  | { kind: 'group-gone' }
  /** An equal request came before and has its task. */
  | { kind: 'replay' }
  | { kind: 'in-progress' }
  | { kind: 'other-body' }

/** State of the request with this key; in this order: another body counts even while the first request is running. */
export type Replay =
  | { kind: 'other-body' }
  | { kind: 'in-progress' }
  /** The task has left `submitting`. */
  | { kind: 'replay'; task: WholeTask }

/** Change of a task by a vendor's snapshot. */
export interface TaskMove {
  id: string
  /** Attempt that the snapshot belongs to. */
  attempt: number
  status: Exclude<TaskStatus, 'submitting'>
  encryptedContent: string | null
  error: TaskError | null
  atMs: number
  /** Measure of the vendor, as an operator sees it. */
  measured?: VendorMeasures
  /** Only read when the status is `succeeded`: no other end costs anything. */
  cost: CostTerms
  /** Length of the video. */
  videoMs: number
  entryId: string
  callbackId: string
  /** Copies of its files; left out: none. */
  clips?: readonly { id: string; kind: ClipKind }[]
  /** Left out where no operator asked for it. */
  audit?: NewAudit
  /** Reason why the vendor did not take the attempt that ends the task; left out: it did. */
  refusal?: string
}

export type Moved =
  /**
   * `ended` is true for the one caller who ended the task. The amount that could not be charged is a loss: the balance was
   * too small, or the hold had expired.
   */
  | { kind: 'moved'; task: TaskWithContent; ended: boolean; day: DayMove | undefined; lossMicros: Micros }
  /** The task had this status already, or was further ahead. */
  | { kind: 'unchanged'; task: TaskWithContent }
  | { kind: 'no-task' }

export type HandOverOutcome =
  | Exclude<Moved, { kind: 'moved' }>
  | { kind: 'handed-over'; task: TaskWithContent }

/** A task that a sweep has leased. A write with an old fence changes nothing. */
export interface ClaimedTask extends StoredTask {
  fence: number
}

/** Next poll of a claimed task that has not ended. */
export interface NextPoll {
  id: string
  fence: number
  nextPollAtMs: number
  /** Time when the vendor reported no change; null when it reported nothing. */
  seenAtMs: number | null
}

export interface TaskStore {
  /** Lists tasks of one API key that are neither deleted nor still `submitting`, newest first, after `after`. */
  list(query: { keyId: string; after: TaskPosition | undefined; limit: number }): Promise<TaskSummary[]>
  /** Finds a task of one API key; `submitting` tasks and deleted ones that had ended are not found. */
  find(query: { id: string; keyId: string }): Promise<WholeTask | undefined>
  /** Finds a task of any organization, for the callback of a task that has ended. */
  findWhole(id: string): Promise<WholeTask | undefined>
  findForOperator(id: string): Promise<TaskForOperator | undefined>
  /** Lists tasks newest first, `submitting` and deleted ones too. */
  listForOperator(query: TaskFilter): Promise<TaskForOperator[]>
  findByNotice(tokenDigest: string): Promise<StoredTask | undefined>
  /** Writes the claim on the key, the task as `submitting`, the use of its quote, its people and the hold, all or none. */
  begin(work: {
    task: NewTask
    hold: NewHold
    idempotency: IdempotencyClaim | undefined
    quoteId?: string | undefined
    /** Groups of the verified people that it shows, each once. */
    groupIds?: readonly string[]
    /** Returns the result of a real begin, and rolls back. */
    isRehearsal?: boolean
  }): Promise<Begun>
  /**
   * Stores that the vendor took the current attempt: `submitting` becomes the first status, with the ticket; a task that was
   * handed over later keeps `running`. When the attempt no longer waits for an answer the task is `unchanged`; if it has this
   * ticket, an earlier attempt of this call had succeeded.
   */
  accept(answer: { move: TaskMove; encryptedTicket: string; nextPollAtMs: number }): Promise<Moved>
  /**
   * Ends the current attempt and begins the next one, which has no ticket yet. `unchanged` when the task has ended or another
   * attempt is current, when its result is withheld, or when the next one would wait without the request that it needs.
   */
  handOver(change: HandOver): Promise<HandOverOutcome>
  /** Marks the attempt as sent. Returns undefined when it no longer waits to be sent. */
  startAttempt(start: AttemptStart): Promise<TaskWithContent | undefined>
  /** Returns the encrypted request for a stand-in; undefined when there is none. */
  findRequest(id: string): Promise<string | undefined>
  /** Lists attempts in their order; empty for a task that was never handed over. */
  listAttempts(taskId: string): Promise<TaskAttempt[]>
  /** Undoes a refused task: the hold is released, and task and idempotency key are removed. */
  forget(refused: { id: string; atMs: number }): Promise<DayMove | undefined>
  /**
   * Moves forward only: `queued` after `running`, or anything after an end, changes nothing. An equal status updates time and
   * content; for ended tasks only those of a succeeded one. A task that is `submitting` has no ticket yet: here it can only
   * fail.
   */
  move(move: TaskMove): Promise<Moved>
  /**
   * Claims due tasks of one provider until `leaseUntilMs`, in no order: each organization gets its share, the tasks that have
   * been due longest. Tasks that are set aside are not claimed.
   */
  claimDue(claim: {
    provider: string
    nowMs: number
    leaseUntilMs: number
    limit: number
    share?: ClaimShare
  }): Promise<{
    tasks: ClaimedTask[]
    /** Claimed tasks whose rows are too long or damaged. */
    unreadable: Pick<StoredTask, 'id' | 'organizationId'>[]
    more: More
  }>
  /** Returns the number of rows that were brought forward. */
  bringForward(far: Far & { provider: string }): Promise<number>
  /** Excludes a task from claims. An ended task stays unchanged. */
  setAside(task: { id: string; atMs: number }): Promise<void>
  /** Postpones the task that a claim of one would take; its values are not read. */
  putOffNext(claim: {
    provider: string
    nowMs: number
    untilMs: number
    share?: ClaimShare
  }): Promise<Pick<StoredTask, 'id' | 'organizationId'> | undefined>
  /** Makes a task due again that was set aside, also by its request id. Returns the task id; undefined: it was not. */
  resume(task: { id: string; atMs: number }, audit: NewAudit | undefined): Promise<string | undefined>
  countSetAside(): Promise<number>
  /** Returns claimed tasks, each by itself; a task that has ended or was claimed again since stays unchanged. */
  reschedule(nexts: readonly NextPoll[]): Promise<void>
  /**
   * Returns the result of an idempotency key; undefined when there is none, or no longer. Writes nothing, so that a repeated
   * request costs no money and meets no limit. Deleted tasks are found too.
   */
  findReplay(query: {
    keyId: string
    key: string
    bodyDigest: string
    nowMs: number
  }): Promise<Replay | undefined>
  /** Soft-deletes an ended task. False when it is not there, has not ended, or was deleted before. */
  remove(query: { id: string; keyId: string; atMs: number }): Promise<boolean>
  /** Drops expired idempotency keys, at most `limit`; returns their number. */
  dropExpiredKeys(pass: { nowMs: number; limit: number }): Promise<number>
}

/** Distribution of one claim between the organizations that have due rows. */
export interface ClaimShare {
  /** Maximum rows of an organization, including those in hand. */
  perOrganizationMax: number
  /** Rows that this process works on, by organization. */
  inHand: Readonly<Record<string, number>>
  /** `more` of the claim before, else empty: the organizations after this one get theirs first. */
  after: string
}

/** Position where the next claim continues. undefined: nothing is due, except for organizations with a full share. */
export type More = string | undefined

/** Rows that are due later than `farthestMs` become due at `nowMs`: no pause is that long, so a clock went back. */
export interface Far {
  nowMs: number
  farthestMs: number
}

import type { Micros } from '../domain/billing/micros.ts'
import type { CallbackState } from '../domain/callbacks/callback-retry.ts'
import type { CostTerms, TaskPricing } from '../domain/video/cost-of-task.ts'
import type { Measured, TaskError } from '../domain/video/snapshot.ts'
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

/**
 * What work on a task needs: every value is small, so that many tasks can be read at once. What only its owner or the
 * vendor may read is encrypted.
 */
export interface StoredTask extends CurrentAttempt {
  id: string
  organizationId: string
  userId: string
  keyId: string
  /** As the client named it. */
  model: string
  /** Of the current attempt. */
  provider: string
  status: TaskStatus
  /** The vendor's handle; null while the create call has no answer. */
  encryptedTicket: string | null
  error: TaskError | null
  pricing: TaskPricing
  /** False for a task without a callback, and for family A while no notices are configured. */
  owesCallback: boolean
  createdAtMs: number
  /** When a vendor's snapshot of it was last applied; null before the first after the create call. */
  updatedAtMs: number | null
  completedAtMs: number | null
  deletedAtMs: number | null
  /** The task fails when it has not ended by then. */
  expiresAtMs: number
  /** Since when its result is withheld, because a person in it took the consent back; null: it is not. */
  withheldAtMs: number | null
}

/** With what the vendor made: the vendor decides how long that is. */
export interface TaskWithContent extends StoredTask {
  encryptedContent: string | null
}

/** With what the client decides the length of. Only ever read one at a time. */
export interface WholeTask extends TaskWithContent {
  /** The JSON text of an object, as the client sent it. */
  metadata: string
  encryptedCallbackUrl: string | null
}

/** With what only an operator sees: its money, and the state of its callback. */
export interface TaskForOperator extends StoredTask {
  hasCallbackUrl: boolean
  /** Since when sweeps leave it alone, because it could not be read; null: they do not. */
  setAsideAtMs: number | null
  /** What was set aside for it, also after the hold has ended. */
  holdMicros: Micros
  /** null unless the hold was settled. */
  chargedMicros: Micros | null
  /** What was given back of the charge so far. */
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
  /** The id that the answer of its create call carries. */
  requestId?: string
  /** Left out: no model may step in. */
  standIns?: readonly string[]
  /** What a stand-in would be sent; left out where there is none. */
  encryptedRequest?: string
  /** What a vendor's notice must present; null where none was asked for. */
  noticeTokenDigest: string | null
  /** When the sweep looks at it first. */
  nextPollAtMs: number
  /** JSON: what its receipt will say of the order. Left out: nothing. */
  ordered?: string
}

/** A client's promise that two requests are one. */
export interface IdempotencyClaim {
  keyId: string
  key: string
  bodyDigest: string
  /** Until when the first answer is replayed. */
  expiresAtMs: number
}

export type Begun =
  | { kind: 'begun'; day: DayMove }
  | { kind: 'insufficient-balance'; availableMicros: Micros }
  | { kind: 'budget-exceeded' }
  /** Or erased, a moment ago: its key was let in before. */
  | { kind: 'organization-disabled' }
  /** Another task was made by it. */
  | { kind: 'quote-used' }
  /** A person whom it shows was erased since its assets were looked up. */
  | { kind: 'group-gone' }
  /** The same request came before and has its task. */
  | { kind: 'replay' }
  | { kind: 'in-progress' }
  | { kind: 'other-body' }

/** What the request with this key has come to; in this order: another body counts also while the first is running. */
export type Replay =
  | { kind: 'other-body' }
  | { kind: 'in-progress' }
  /** It has left `submitting`. */
  | { kind: 'replay'; task: WholeTask }

/** How a task changes when a vendor's snapshot is applied. */
export interface TaskMove {
  id: string
  /** The attempt that it is about. */
  attempt: number
  status: Exclude<TaskStatus, 'submitting'>
  encryptedContent: string | null
  error: TaskError | null
  atMs: number
  /** What the vendor measured, as an operator sees it. */
  measured?: Measured
  /** Only read when the status is `succeeded`: no other end costs anything. */
  cost: CostTerms
  /** How long the video is. */
  videoMs: number
  entryId: string
  callbackId: string
  /** Written with the move; left out where no operator asked for it. */
  audit?: NewAudit
  /** Why the vendor did not take the attempt that ends the task; left out: it did. */
  refusal?: string
}

export type Moved =
  /**
   * `ended` is true for the one caller who brought it to its end. What could not be charged is a loss: the balance was
   * short, or the hold had expired.
   */
  | { kind: 'moved'; task: TaskWithContent; ended: boolean; day: DayMove | undefined; lossMicros: Micros }
  /** It was there already, or further. */
  | { kind: 'unchanged'; task: TaskWithContent }
  | { kind: 'no-task' }

export type HandedOver = Exclude<Moved, { kind: 'moved' }> | { kind: 'handed-over'; task: TaskWithContent }

/** A task that a sweep has taken for a while. Who works with an old fence changes nothing. */
export interface ClaimedTask extends StoredTask {
  fence: number
}

/** What becomes of a claimed task that has not ended. */
export interface NextPoll {
  id: string
  fence: number
  nextPollAtMs: number
  /** When the vendor said that nothing has changed; null when it said nothing. */
  seenAtMs: number | null
}

export interface TaskStore {
  /** The tasks of one API key that are neither deleted nor still `submitting`, newest first, after `after`. */
  list(query: { keyId: string; after: TaskPosition | undefined; limit: number }): Promise<TaskSummary[]>
  /** Of one API key; `submitting` tasks and deleted ones that had ended are not found. */
  find(query: { id: string; keyId: string }): Promise<WholeTask | undefined>
  /** Of any organization: for the callback of a task that has ended. */
  findWhole(id: string): Promise<WholeTask | undefined>
  /** Of any organization. */
  findForOperator(id: string): Promise<TaskForOperator | undefined>
  /** Newest first, `submitting` and deleted ones too. */
  listForOperator(query: TaskFilter): Promise<TaskForOperator[]>
  findByNotice(tokenDigest: string): Promise<StoredTask | undefined>
  /** In one transaction: the claim on the key, the task as `submitting`, the use of its quote, whom it shows, and the hold. All or none. */
  begin(work: {
    task: NewTask
    hold: NewHold
    idempotency: IdempotencyClaim | undefined
    quoteId?: string | undefined
    /** Of the verified people that it shows, each once. */
    groupIds?: readonly string[]
    /** Answers what it would answer, and nothing of it stays. */
    isRehearsal?: boolean
  }): Promise<Begun>
  /**
   * The vendor took the current attempt: `submitting` becomes the first status, with the ticket; a task that was handed
   * over later keeps `running`. When the attempt no longer waits for an answer it is `unchanged`; if it then carries this
   * very ticket, an earlier try of the same call had come through.
   */
  accept(answer: { move: TaskMove; encryptedTicket: string; nextPollAtMs: number }): Promise<Moved>
  /**
   * Ends the current attempt and makes the task that of the next one, which has no ticket yet. `unchanged` when the task
   * has ended or another attempt is current, when its result is withheld, or when the next one would wait without the
   * request that it needs.
   */
  handOver(change: HandOver): Promise<HandedOver>
  /** From now on the attempt counts as sent. undefined when it does not wait to be sent any more. */
  startAttempt(start: AttemptStart): Promise<TaskWithContent | undefined>
  /** What a stand-in is sent, encrypted; undefined when there is none. */
  findRequest(id: string): Promise<string | undefined>
  /** In their order; empty for a task that was never handed over. */
  listAttempts(taskId: string): Promise<TaskAttempt[]>
  /** The vendor refused: the hold is released, and task and idempotency key are as if they had never been. */
  forget(refused: { id: string; atMs: number }): Promise<DayMove | undefined>
  /**
   * Forward only: a queued word after a running one, or anything after an end, changes nothing. The same word again
   * brings the moment and the content up to date; of ended tasks only those of a succeeded one. A task that is
   * `submitting` has no ticket yet: here it can only fail.
   */
  move(move: TaskMove): Promise<Moved>
  /**
   * Takes due tasks of one provider until `leaseUntilMs`, in no order: of each organization its share, those that have
   * been due longest. What is set aside is not taken.
   */
  claimDue(claim: {
    provider: string
    nowMs: number
    leaseUntilMs: number
    limit: number
    share?: ClaimShare
  }): Promise<{
    tasks: ClaimedTask[]
    /** Claimed too, but too long or damaged. */
    unreadable: Pick<StoredTask, 'id' | 'organizationId'>[]
    more: More
  }>
  /** How many were brought forward. */
  bringForward(far: Far & { provider: string }): Promise<number>
  /** From now on no claim takes it. Nothing happens to one that has ended. */
  setAside(task: { id: string; atMs: number }): Promise<void>
  /** Puts off the task that a claim of one would take; its values are not read. */
  putOffNext(claim: {
    provider: string
    nowMs: number
    untilMs: number
    share?: ClaimShare
  }): Promise<Pick<StoredTask, 'id' | 'organizationId'> | undefined>
  /** Makes a task that is set aside due again, also by the id of the request that made it. Its own id; undefined when it is not there or not set aside. */
  resume(task: { id: string; atMs: number }, audit?: NewAudit): Promise<string | undefined>
  /** Open tasks that are set aside. */
  countSetAside(): Promise<number>
  /** Gives claimed tasks back, each by itself; one that has ended or was claimed again since stays as it is. */
  reschedule(nexts: readonly NextPoll[]): Promise<void>
  /**
   * What an idempotency key already stands for; undefined when that is nothing, or no longer. Writes nothing, so that a
   * repeated request costs no money and meets no limit. Deleted tasks are found too.
   */
  findReplay(query: {
    keyId: string
    key: string
    bodyDigest: string
    nowMs: number
  }): Promise<Replay | undefined>
  /** Soft-deletes a task that has ended. False when it is not there, has not ended, or was deleted before. */
  remove(query: { id: string; keyId: string; atMs: number }): Promise<boolean>
  /** Forgets idempotency keys whose time is over, at most `limit`; returns how many. */
  dropExpiredKeys(pass: { nowMs: number; limit: number }): Promise<number>
}

/** How one claim is shared out between the organizations that have something due. */
export interface ClaimShare {
  /** An organization gets at most so many, together with those that it has in hand already. */
  perOrganizationMax: number
  /** What this process works on, by organization. */
  inHand: Readonly<Record<string, number>>
  /** What the claim before gave as `more`, else empty: the organizations behind this one get theirs first. */
  after: string
}

/** Something may still be due: where the next claim goes on. undefined: nothing is, except what had its share. */
export type More = string | undefined

/** What is due later than `farthestMs` becomes due at `nowMs`: no pause is that long, so a clock went back. */
export interface Far {
  nowMs: number
  farthestMs: number
}

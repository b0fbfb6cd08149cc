import type { AssetGroupKind, AssetStatus } from '../domain/assets/asset.ts'
import type { Micros } from '../domain/billing/micros.ts'
import type { CallbackState } from '../domain/callbacks/callback-retry.ts'
import type { TaskError, VendorMeasures } from '../domain/video/snapshot.ts'
import type { StoredAsset, StoredGroup, StoredVerification } from './asset-store.ts'
import type { CallbackAttempt } from './callbacks.ts'
import type { PageQuery } from './page-query.ts'

export interface LedgerEntry {
  id: string
  organizationId: string
  kind: 'credit' | 'settlement' | 'usage' | 'refund'
  amountMicros: Micros
  /** Cost of the work beyond the balance. */
  lossMicros: Micros
  /** Cost by the vendor's measure beyond the quote of the task. */
  quoteLossMicros: Micros
  /** Task that was charged or refunded; null for other kinds. */
  taskId: string | null
  note: string | null
  createdAtMs: number
}

export interface TracedEntry extends LedgerEntry {
  hold: EntryHold | null
  /** Usage row of the refunded text request; null for other kinds. */
  usageId: string | null
  /** Text requests that the entry charges or refunds. An entry of usage has several. */
  requests: EntryRequest[]
}

export interface EntryHold {
  id: string
  kind: 'task' | 'allowance'
  state: 'open' | 'settled' | 'released' | 'expired'
  amountMicros: Micros
  createdAtMs: number
  endedAtMs: number | null
}

export interface EntryRequest {
  usageId: string
  requestId: string | null
  model: string
  costMicros: Micros
}

export interface SeenSnapshot {
  status: string
  atMs: number
  error: TaskError | null
  measured: VendorMeasures
}

/** The next page begins after this attempt. */
export type AttemptPosition = Pick<CallbackAttempt, 'atMs' | 'taskId' | 'attempt'>

/** At most one of task, hold and usage is set. */
export interface EntryFilter extends PageQuery {
  kind?: LedgerEntry['kind'] | undefined
  taskId?: string | undefined
  holdId?: string | undefined
  /** Selects the charge and the refunds of a usage row, by its id or its request's id. */
  usageId?: string | undefined
}

export interface AssetFilter extends PageQuery {
  status?: AssetStatus | undefined
  groupId?: string | undefined
}

export interface ListedAttempt extends CallbackAttempt {
  organizationId: string
  encryptedCallbackUrl: string | null
}

export interface AttemptQuery {
  taskId?: string | undefined
  /** Selects callbacks in this state, ordered by task. */
  state?: CallbackState | undefined
  fromMs?: number | undefined
  /** Exclusive. */
  toMs?: number | undefined
  after: AttemptPosition | undefined
  limit: number
}

export const VERIFICATION_STATES = ['open', 'ended', 'expired'] as const
export type VerificationState = (typeof VERIFICATION_STATES)[number]

export interface VerificationFilter extends PageQuery {
  /** State of the verification at `atMs`. */
  state?: { is: VerificationState; atMs: number } | undefined
}

/** Rows of every organization, page by page, the newest first. Only for operators. */
export interface OperatorPageStore {
  entries(query: EntryFilter): Promise<LedgerEntry[]>
  /** Includes the first `requestsMax` requests. */
  findEntry(query: { id: string; requestsMax: number }): Promise<TracedEntry | undefined>
  /** Returns the settlement and the refunds of one task, oldest first. */
  entriesOfTask(taskId: string): Promise<LedgerEntry[]>
  /** Returns the vendors' reports that moved the task, oldest first. */
  snapshotsOfTask(taskId: string): Promise<SeenSnapshot[]>
  assets(query: AssetFilter): Promise<StoredAsset[]>
  groups(query: PageQuery & { kind?: AssetGroupKind | undefined }): Promise<StoredGroup[]>
  verifications(query: VerificationFilter): Promise<StoredVerification[]>
  attempts(query: AttemptQuery): Promise<ListedAttempt[]>
}

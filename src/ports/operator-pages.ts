import type { AssetGroupKind, AssetStatus } from '../domain/assets/asset.ts'
import type { Micros } from '../domain/billing/micros.ts'
import type { CallbackState } from '../domain/callbacks/callback-retry.ts'
import type { Measured, TaskError } from '../domain/video/snapshot.ts'
import type { StoredAsset, StoredGroup, StoredVerification } from './asset-store.ts'
import type { CallbackAttempt } from './callbacks.ts'
import type { PageQuery } from './page-query.ts'

/** One unchangeable line of the ledger. */
export interface LedgerEntry {
  id: string
  organizationId: string
  kind: 'credit' | 'settlement' | 'usage' | 'refund'
  amountMicros: Micros
  /** What the work cost beyond what the balance could pay. */
  lossMicros: Micros
  /** What the vendor's measure came to beyond the quote of its task. */
  quoteLossMicros: Micros
  /** Of the task that was charged or refunded; null for all else. */
  taskId: string | null
  note: string | null
  createdAtMs: number
}

/** An entry with what it was made for. */
export interface TracedEntry extends LedgerEntry {
  hold: EntryHold | null
  /** Of the text request that was refunded; null for all else. */
  usageId: string | null
  /** The text requests that it charges or refunds; entries of usage have several. */
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

/** What a vendor reported about a task when it moved. */
export interface SeenSnapshot {
  status: string
  atMs: number
  error: TaskError | null
  measured: Measured
}

/** Behind this attempt the next page begins. */
export type AttemptPosition = Pick<CallbackAttempt, 'atMs' | 'taskId' | 'attempt'>

/** What an operator narrows the ledger by; of task, hold and usage one at most. */
export interface EntryFilter extends PageQuery {
  kind?: LedgerEntry['kind'] | undefined
  taskId?: string | undefined
  holdId?: string | undefined
  /** The id of a usage row, or of its request: its charge and its refunds. */
  usageId?: string | undefined
}

export interface AssetFilter extends PageQuery {
  status?: AssetStatus | undefined
  groupId?: string | undefined
}

export interface AttemptQuery {
  taskId?: string | undefined
  /** Only of callbacks in this state, ordered by task. */
  state?: CallbackState | undefined
  after: AttemptPosition | undefined
  limit: number
}

export const VERIFICATION_STATES = ['open', 'ended', 'expired'] as const
export type VerificationState = (typeof VERIFICATION_STATES)[number]

export interface VerificationFilter extends PageQuery {
  /** In which state it was at this moment. */
  state?: { is: VerificationState; atMs: number } | undefined
}

/** Rows of every organization, page by page, the newest first. Only for operators. */
export interface OperatorPageStore {
  entries(query: EntryFilter): Promise<LedgerEntry[]>
  /** With the first `requestsMax` of its requests. */
  findEntry(query: { id: string; requestsMax: number }): Promise<TracedEntry | undefined>
  /** The settlement and the refunds of one task, oldest first. */
  entriesOfTask(taskId: string): Promise<LedgerEntry[]>
  /** What vendors reported when it moved, oldest first. */
  snapshotsOfTask(taskId: string): Promise<SeenSnapshot[]>
  assets(query: AssetFilter): Promise<StoredAsset[]>
  groups(query: PageQuery & { kind?: AssetGroupKind | undefined }): Promise<StoredGroup[]>
  verifications(query: VerificationFilter): Promise<StoredVerification[]>
  attempts(query: AttemptQuery): Promise<CallbackAttempt[]>
}

import type { Micros } from '../domain/billing/micros.ts'
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
  /** Of the task that was charged or refunded; null for all else. */
  taskId: string | null
  note: string | null
  createdAtMs: number
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

/** Rows of every organization, page by page, the newest first. Only for operators. */
export interface OperatorPageStore {
  entries(query: PageQuery): Promise<LedgerEntry[]>
  /** The settlement and the refunds of one task, oldest first. */
  entriesOfTask(taskId: string): Promise<LedgerEntry[]>
  /** What vendors reported when it moved, oldest first. */
  snapshotsOfTask(taskId: string): Promise<SeenSnapshot[]>
  assets(query: PageQuery): Promise<StoredAsset[]>
  groups(query: PageQuery): Promise<StoredGroup[]>
  verifications(query: PageQuery): Promise<StoredVerification[]>
  attempts(query: {
    taskId: string | undefined
    after: AttemptPosition | undefined
    limit: number
  }): Promise<CallbackAttempt[]>
}

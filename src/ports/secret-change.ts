import type { NewAudit } from './audit.ts'
import type { SecretState } from './secrets.ts'

/** The tables with columns that are encrypted. Their rows have an `id`. */
export type EncryptedTable =
  | 'admin_requests'
  | 'assets'
  | 'organizations'
  | 'receipt_keys'
  | 'task_attempts'
  | 'verifications'
  | 'video_tasks'

export interface EncryptedColumns {
  table: EncryptedTable
  columns: readonly string[]
}

export interface EncryptedRow {
  id: string
  /** In the order of the columns. */
  values: readonly (string | null)[]
}

/** One value that gets another text; nothing happens when it has changed meanwhile. */
export interface EncryptedChange {
  id: string
  column: string
  from: string
  to: string
}

/** Rows that cannot be read, or not be found, without the secret before. */
export interface SecretNeed {
  of:
    | EncryptedTable
    | 'api_keys'
    | 'operators'
    | 'operator_sessions'
    | 'sign_in_links'
    | 'open_verifications'
    | 'notices_of_open_tasks'
    | 'request_claims'
    | 'admin_request_claims'
    | 'vendor_ids'
  rows: number
  /** When the last of them ends by itself; null: it does not. */
  untilMs: number | null
  /** Ids of the first of them, where an operator can do something about each. */
  ids: readonly string[]
}

/** How everything under the secret that is written under begins; null: with no name, while all others have one. */
export type StartOfWritten = string | null

export interface SecretChangeStore {
  /** False when the store no longer has the check that was read. */
  switch(change: { fromCheck: string; to: SecretState }, audit: NewAudit): Promise<boolean>
  /** False when the change is over already. */
  end(change: { check: string }, audit: NewAudit): Promise<boolean>
  /** The next rows after an id, in the order of their ids. */
  listEncrypted(window: EncryptedColumns & { afterId: string; limit: number }): Promise<EncryptedRow[]>
  /** Resolves with the number of values that changed. */
  replaceEncrypted(batch: { table: EncryptedTable; changes: readonly EncryptedChange[] }): Promise<number>
  /** Those with at least one row. */
  countNeeds(question: {
    start: StartOfWritten
    encrypted: readonly EncryptedColumns[]
    nowMs: number
    /** A claim that expires before then may have a reply that was encrypted before the switch. */
    claimsExpireByMs: number
  }): Promise<SecretNeed[]>
  /** False when the row does not have the digest any longer. */
  replaceDigest(change: {
    table: 'api_keys' | 'operators'
    id: string
    from: string
    to: string
  }): Promise<boolean>
}

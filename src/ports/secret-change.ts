import type { NewAudit } from './audit.ts'
import type { SecretState } from './secrets.ts'

/** Tables with encrypted columns. Their rows have an `id`. */
export type EncryptedTable =
  | 'admin_requests'
  | 'assets'
  | 'organizations'
  | 'providers'
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
  values: readonly (string | null)[]
}

/** Replacement of one value. A value that differs from `from` stays. */
export interface EncryptedChange {
  id: string
  column: string
  from: string
  to: string
}

/** Rows that cannot be read or found without the previous secret. */
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
  /** Time when the last row expires by itself; null: the rows stay. */
  untilMs: number | null
  /** Ids of the first rows, for needs that an operator resolves row by row. */
  ids: readonly string[]
}

/** Prefix of values that are written now. null: they have no prefix, and values of the other secret have one. */
export type StartOfWritten = string | null

export interface SecretChangeStore {
  /** Returns false when the stored check is no longer `fromCheck`. */
  switch(change: { fromCheck: string; to: SecretState }, audit: NewAudit): Promise<boolean>
  /** Returns false when the change is over already. */
  end(change: { check: string }, audit: NewAudit): Promise<boolean>
  /** Lists the next rows after an id, in the order of their ids. */
  listEncrypted(window: EncryptedColumns & { afterId: string; limit: number }): Promise<EncryptedRow[]>
  /** Returns the number of values that changed. */
  replaceEncrypted(batch: { table: EncryptedTable; changes: readonly EncryptedChange[] }): Promise<number>
  countNeeds(question: {
    start: StartOfWritten
    encrypted: readonly EncryptedColumns[]
    nowMs: number
    /** A claim that expires before this time may have a reply that was encrypted before the switch. */
    claimsExpireByMs: number
  }): Promise<SecretNeed[]>
  /** Returns false when the row no longer has the digest `from`. */
  replaceDigest(change: {
    table: 'api_keys' | 'operators'
    id: string
    from: string
    to: string
  }): Promise<boolean>
}

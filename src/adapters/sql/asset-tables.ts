import type { ColumnType, Generated } from 'kysely'
import type { AssetGroupKind, AssetStatus, AssetType } from '../../domain/assets/asset.ts'
import type { Language } from '../../domain/assets/verification-request.ts'

export interface AssetGroupsTable {
  id: string
  organization_id: string
  kind: AssetGroupKind
  provider: string
  ticket: string
  created_at_ms: number
}

export interface AssetsTable {
  id: string
  organization_id: string
  group_id: string
  /** Kind of the group, which never changes. */
  group_kind: AssetGroupKind
  provider: string
  type: AssetType
  name: string | null
  /** Result of `foldName`, for searches. */
  folded_name: string | null
  status: AssetStatus
  ticket: string
  sealed_url: string | null
  url_at_ms: number | null
  error_code: string | null
  error_message: string | null
  created_at_ms: number
  updated_at_ms: number
  /** Time of the next poll; a claim sets it to the end of its lease. */
  next_poll_at_ms: number
  fence: Generated<number>
}

/** Number of a group's assets by status. */
export interface AssetCountsTable {
  organization_id: string
  group_id: string
  status: AssetStatus
  assets: number
}

export interface VerificationsTable {
  id: string
  organization_id: string
  provider: string
  state_digest: string
  /** Null after the verification has ended. */
  sealed_token: string | null
  sealed_callback_url: string
  created_at_ms: number
  expires_at_ms: number
  exchanged_at_ms: number | null
  sealed_redirect: string | null
  ended_at_ms: number | null
  language: Language | null
  /** Tickets of people who were erased while the result was fetched, one per line. */
  erased_tickets: Generated<string | null>
}

/** Revoked consents of people, whose groups are deleted. */
export interface RevocationsTable {
  group_id: string
  organization_id: string
  verified_at_ms: number
  revoked_at_ms: number
  /** JSON of the files that the revocation erased; null: the row is older than this column. */
  files: string | null
  has_receipt: ColumnType<boolean | number, boolean | undefined, boolean>
}

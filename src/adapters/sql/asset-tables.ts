import type { ColumnType, Generated } from 'kysely'
import type { AssetStatus } from '../../domain/assets/asset.ts'
import type { StoredAsset, StoredGroup, StoredVerification } from '../../ports/asset-store.ts'
import type { ColumnsOf } from './columns-of.ts'

export type AssetGroupsTable = ColumnsOf<StoredGroup>

export interface AssetsTable extends ColumnsOf<Omit<StoredAsset, 'encryptedUrl' | 'error'>> {
  /** Result of `foldName`, for searches. */
  folded_name: string | null
  sealed_url: string | null
  error_code: string | null
  error_message: string | null
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

export interface VerificationsTable
  extends ColumnsOf<Pick<StoredVerification, 'id' | 'organizationId' | 'provider' | 'language'>>,
    ColumnsOf<Pick<StoredVerification, 'createdAtMs' | 'expiresAtMs' | 'endedAtMs'>> {
  state_digest: string
  /** Null after the verification has ended. */
  sealed_token: string | null
  sealed_callback_url: string
  exchanged_at_ms: number | null
  sealed_redirect: string | null
  /** Tickets of people who were erased during the exchange, one per line. */
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

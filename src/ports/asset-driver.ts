import type { ApiError } from '../domain/api-error.ts'
import type { AssetGroupKind, AssetSnapshot, AssetStatus, AssetType } from '../domain/assets/asset.ts'
import type { AssetSortKey, SortOrder } from '../domain/assets/asset-query.ts'
import type { Language } from '../domain/assets/verification-request.ts'

/** A call without a usable answer: nothing is decided, and a failed call is not a failed asset. */
export interface Unanswered {
  kind: 'unanswered'
  cause: unknown
  retryAfterMs: number | undefined
}

/** End of a create call without a result. */
export type NotMade =
  /** Certainly not made. The error is for the client. */
  | { kind: 'refused'; apiError: ApiError }
  /** A failure of the vendor or of the gateway. The vendor may have made it, but its id is lost. */
  | { kind: 'failed'; cause: unknown; retryAfterMs: number | undefined }

export type GroupCreation = { kind: 'made'; groupTicket: string } | NotMade

export type AssetCreation =
  | { kind: 'accepted'; ticket: string }
  /** The vendor no longer knows the group. */
  | { kind: 'group-gone' }
  | NotMade

export type AssetReading =
  | { kind: 'snapshot'; snapshot: AssetSnapshot }
  /** The vendor no longer knows the asset. */
  | { kind: 'gone' }
  | Unanswered

/** Uses the vendor's order and count; an item that does not describe an asset is left out. */
export type AssetPageReading =
  | { kind: 'page'; snapshots: ReadonlyMap<string, AssetSnapshot>; totalCount: number | undefined }
  | Unanswered

export interface AssetPageQuestion {
  organizationId: string
  groupTickets: readonly string[]
  groupKind: AssetGroupKind
  statuses: readonly AssetStatus[] | undefined
  name: string | undefined
  page: number
  limit: number
  sortBy: AssetSortKey
  sortOrder: SortOrder
}

/** Token and link are secrets: a client that has them can act as the person. */
export type VerificationStart = { kind: 'started'; token: string; link: string } | NotMade

export type Exchange =
  | { kind: 'group'; groupTicket: string }
  /** The token is used up, expired, or never led to a person. */
  | { kind: 'no-group' }
  /** Certainly not taken: the token is still valid, and the call can be repeated a little later. */
  | { kind: 'not-taken'; cause: unknown; retryAfterMs: number | undefined }
  /** The vendor may have taken the token, and then its person is lost. */
  | Unanswered

/** `removed` also when the vendor did not know it; otherwise the result is unknown. */
export type CopyRemoval = { kind: 'removed' } | Unanswered

/**
 * A vendor that keeps media and verifies people. A ticket is the vendor's id. No call is ever repeated. Every call names its
 * organization: shared limits towards a vendor have a share for each.
 */
export interface AssetDriver {
  createGroup(group: { organizationId: string; name: string }): Promise<GroupCreation>
  createAsset(asset: {
    organizationId: string
    groupTicket: string
    url: string
    type: AssetType
    name: string | undefined
  }): Promise<AssetCreation>
  getAsset(ticket: string, organizationId: string): Promise<AssetReading>
  /** Reads one page in one call, so that many signed URLs are refreshed at once; by ticket. */
  listAssets(question: AssetPageQuestion): Promise<AssetPageReading>
  /** `returnUrl` is an address of the gateway, where the vendor sends the browser after the scan. */
  startVerification(verification: {
    organizationId: string
    returnUrl: string
    language: Language
  }): Promise<VerificationStart>
  /** A token can be exchanged once. Calls that repeat one after `not-taken` count with it as one failure of the vendor. */
  exchange(token: string, organizationId: string, options?: { isRepeat: boolean }): Promise<Exchange>
  /** The delete calls are used only where the provider's settings enable them. */
  deleteAsset(ticket: string, organizationId: string): Promise<CopyRemoval>
  deleteGroup(groupTicket: string, organizationId: string): Promise<CopyRemoval>
}

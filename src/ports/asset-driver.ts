import type { ApiError } from '../domain/api-error.ts'
import type { AssetGroupKind, AssetSnapshot, AssetType } from '../domain/assets/asset.ts'
import type { AssetQuery } from '../domain/assets/asset-query.ts'
import type { Language } from '../domain/assets/verification-request.ts'

/** The call has no usable answer, so the state of the asset is unknown. */
export interface Unanswered {
  kind: 'unanswered'
  cause: unknown
  retryAfterMs: number | undefined
}

export type NotMade =
  /** The vendor certainly made nothing. The error is for the client. */
  | { kind: 'refused'; apiError: ApiError }
  /** The vendor or the gateway failed. The vendor may have made a copy whose id is lost. */
  | { kind: 'failed'; cause: unknown; retryAfterMs: number | undefined }

export type GroupCreation = { kind: 'made'; groupTicket: string } | NotMade

export type AssetCreation = { kind: 'accepted'; ticket: string } | { kind: 'group-gone' } | NotMade

export type AssetReading = { kind: 'snapshot'; snapshot: AssetSnapshot } | { kind: 'gone' } | Unanswered

/** The page has the vendor's order and count. Items that do not describe an asset are left out. */
export type AssetPageReading =
  | { kind: 'page'; snapshots: ReadonlyMap<string, AssetSnapshot>; totalCount: number | undefined }
  | Unanswered

export interface AssetPageQuestion extends Omit<AssetQuery, 'groupId'> {
  organizationId: string
  groupTickets: readonly string[]
  groupKind: AssetGroupKind
}

/** Token and link are secrets: a client that has them can act as the person. */
export type VerificationStart = { kind: 'started'; token: string; link: string } | NotMade

export type Exchange =
  | { kind: 'group'; groupTicket: string }
  /** The token is used up, has expired, or never led to a person. */
  | { kind: 'no-group' }
  /** The vendor certainly did not take the token, so the call can be repeated later. */
  | { kind: 'not-taken'; cause: unknown; retryAfterMs: number | undefined }
  /** The vendor may have taken the token. The group of the person is then lost. */
  | Unanswered

/** `removed` also means that the vendor did not know the copy. */
export type CopyRemoval = { kind: 'removed' } | Unanswered

/**
 * A vendor that keeps media and verifies people. A ticket is the vendor's id. The driver never repeats a call. Every call
 * names its organization, because organizations share the vendor's limits.
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
  /** Reads one page of assets, by ticket, in one call. */
  listAssets(question: AssetPageQuestion): Promise<AssetPageReading>
  /** `returnUrl` is the gateway's address to which the vendor sends the browser after the scan. */
  startVerification(verification: {
    organizationId: string
    returnUrl: string
    language: Language
  }): Promise<VerificationStart>
  /** A token can be exchanged once. `isRepeat` marks a call after `not-taken`: the breaker counts both calls as one failure. */
  exchange(token: string, organizationId: string, options?: { isRepeat: boolean }): Promise<Exchange>
  /** Called only where the provider's settings enable deletion. */
  deleteAsset(ticket: string, organizationId: string): Promise<CopyRemoval>
  deleteGroup(groupTicket: string, organizationId: string): Promise<CopyRemoval>
}

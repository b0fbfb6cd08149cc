import type { AssetError, AssetGroupKind, AssetStatus } from '../domain/assets/asset.ts'
import type { AssetQuery } from '../domain/assets/asset-query.ts'
import type { AssetView } from '../domain/assets/asset-view.ts'
import type { Language } from '../domain/assets/verification-request.ts'
import type { AssetReference } from '../domain/video/asset-references.ts'
import type { FamilyRow } from '../domain/video/families/family.ts'
import type { VideoRequest } from '../domain/video/request.ts'
import type { DueClaim, Far, More } from './tasks.ts'

/** An organization's reference to a group at the vendor. Organizations that verified the same person have separate references. */
export interface StoredGroup {
  /** The gateway's id, which clients call `group_id`. */
  id: string
  organizationId: string
  kind: AssetGroupKind
  provider: string
  ticket: string
  createdAtMs: number
}

export interface StoredAsset extends Omit<AssetView, 'url'> {
  organizationId: string
  provider: string
  ticket: string
  /** Encrypted signed URL of an active asset. */
  encryptedUrl: string | null
  urlAtMs: number | null
}

export interface NewAsset
  extends Pick<
    StoredAsset,
    'id' | 'organizationId' | 'groupId' | 'type' | 'name' | 'ticket' | 'createdAtMs'
  > {
  nextPollAtMs: number
}

export interface ClaimedAsset extends StoredAsset {
  fence: number
}

export interface AssetStore {
  /** Returns false when the group was erased. The vendor's copy is then queued for removal if `vendorCopy` is given. */
  create(asset: NewAsset, vendorCopy: { provider: string; groupTicket: string } | undefined): Promise<boolean>
  find(query: { id: string; organizationId: string }): Promise<StoredAsset | undefined>
  /** Leaves out assets that are unknown or belong to another organization. */
  findAll(query: { ids: readonly string[]; organizationId: string }): Promise<StoredAsset[]>
  /** Returns no assets when `groupId` is undefined, which means that the organization has no default group. */
  list(
    query: Omit<AssetQuery, 'groupId'> & { organizationId: string; groupId: string | undefined },
  ): Promise<{ assets: StoredAsset[]; totalCount: number }>
  /** Makes a `processing` asset active or failed. For an asset that is active already, stores the new URL. */
  move(move: {
    id: string
    organizationId: string
    status: AssetStatus
    encryptedUrl: string | null
    error: AssetError | null
    atMs: number
    /** Id for the copy of an asset that becomes active. Left out: no files are kept. */
    clipId?: string | undefined
  }): Promise<StoredAsset | undefined>
  claimDue(claim: DueClaim & { provider: string }): Promise<{ assets: ClaimedAsset[]; more: More }>
  bringForward(far: Far & { provider: string }): Promise<number>
  reschedule(next: { id: string; fence: number; nextPollAtMs: number }): Promise<void>

  findGroup(query: { id: string; organizationId: string }): Promise<StoredGroup | undefined>
  findDefaultGroup(query: { organizationId: string; provider: string }): Promise<StoredGroup | undefined>
  /**
   * Lets one caller at a time make or replace the default group at the vendor, until `leaseUntilMs` or until the group is
   * set. Parallel requests therefore make one group.
   */
  claimDefaultGroup(claim: {
    organizationId: string
    provider: string
    /** Ticket of the group that the caller found; undefined: none. The claim fails if the current group has another. */
    seenTicket: string | undefined
    nowMs: number
    leaseUntilMs: number
  }): Promise<boolean>
  /** Releases the claim early when the vendor made no group. */
  releaseDefaultGroup(claim: {
    organizationId: string
    provider: string
    leaseUntilMs: number
  }): Promise<void>
  /**
   * Stores the group that the vendor made, and ends every claim. The gateway's id of the default group never changes. An
   * existing group is replaced only if its ticket is `insteadOf`, so a late write cannot replace a group in use. Returns
   * undefined when the organization was disabled or erased: the group is not stored, and its copy at the vendor is queued
   * for removal if `isRemover`.
   */
  setDefaultGroup(
    group: StoredGroup & { insteadOf?: string | undefined; isRemover?: boolean },
  ): Promise<StoredGroup | undefined>
  /**
   * Returns the organization's group of a person, which exists already when the person was verified before. Returns
   * undefined when the person or the organization was erased during the verification: the group at the vendor is then
   * queued for removal if `isRemover`.
   */
  bindPerson(
    group: StoredGroup,
    by: { verificationId: string; isRemover: boolean } | undefined,
  ): Promise<StoredGroup | undefined>
}

/** A verification ends once, or expires without an end. */
export interface StoredVerification {
  id: string
  organizationId: string
  provider: string
  /** null after the end. */
  encryptedToken: string | null
  encryptedCallbackUrl: string
  createdAtMs: number
  expiresAtMs: number
  /** Time when one visit of the return address claimed the exchange of the token; null: no visit has the claim. */
  claimedAtMs: number | null
  /** Redirect for the browser; null until the verification ends. The redirect contains the client's address. */
  encryptedRedirect: string | null
  endedAtMs: number | null
  /** Language of the person's pages; null: the row is older than this column. */
  language: Language | null
}

export interface NewVerification
  extends Omit<StoredVerification, 'claimedAtMs' | 'encryptedRedirect' | 'endedAtMs'> {
  stateDigest: string
}

export interface VerificationStore {
  create(verification: NewVerification): Promise<void>
  /** Finds a verification by the digest of the state in its return address. */
  find(stateDigest: string): Promise<StoredVerification | undefined>
  claimExchange(claim: { id: string; atMs: number }): Promise<boolean>
  /** Releases the claim made at `atMs`, because the vendor certainly did not take the token. */
  releaseExchange(claim: { id: string; atMs: number }): Promise<void>
  /** Stores the first end, removes the token, and returns the stored verification. */
  finish(end: {
    id: string
    encryptedRedirect: string
    atMs: number
  }): Promise<StoredVerification | undefined>
  dropOld(pass: { expiredByMs: number; limit: number }): Promise<number>
}

export interface ResolvedAssets {
  urls: ReadonlyMap<number, string>
  /** Groups of the verified people in the request, each once. */
  groupIds: readonly string[]
}

export interface AssetResolver {
  /**
   * Returns a URL for each `asset://` item of the request. Rejects with `asset_not_usable` and the item's `param` when
   * the asset is unknown, foreign, not active, of another type, or shows a real person where none is allowed. Rejects
   * with `provider_not_configured` without an asset service, and with `provider_unavailable` without a fresh link.
   */
  resolve(question: {
    organizationId: string
    request: VideoRequest
    family: FamilyRow
    references: readonly AssetReference[]
    provider: string
  }): Promise<ResolvedAssets>
}

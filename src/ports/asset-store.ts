import type { AssetError, AssetGroupKind, AssetStatus, AssetType } from '../domain/assets/asset.ts'
import type { AssetQuery } from '../domain/assets/asset-query.ts'
import type { Language } from '../domain/assets/verification-request.ts'
import type { AssetReference } from '../domain/video/asset-references.ts'
import type { FamilyRow } from '../domain/video/families/family.ts'
import type { VideoRequest } from '../domain/video/request.ts'
import type { ClaimShare, Far, More } from './tasks.ts'

/** An organization's reference to a group of the vendor. Two organizations that verified one person have one each. */
export interface StoredGroup {
  /** Our id, which clients call `group_id`. */
  id: string
  organizationId: string
  kind: AssetGroupKind
  provider: string
  /** The vendor's id. */
  ticket: string
  createdAtMs: number
}

export interface StoredAsset {
  id: string
  organizationId: string
  groupId: string
  groupKind: AssetGroupKind
  provider: string
  type: AssetType
  name: string | null
  status: AssetStatus
  /** The vendor's id. */
  ticket: string
  /** Signed URL of an active asset. */
  encryptedUrl: string | null
  urlAtMs: number | null
  error: AssetError | null
  createdAtMs: number
  updatedAtMs: number
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
  /** Returns false when its group was erased; the vendor's copy is then queued for removal if `vendorCopy` is given. */
  create(asset: NewAsset, vendorCopy: { provider: string; groupTicket: string } | undefined): Promise<boolean>
  /** Finds an asset of one organization; undefined for foreign and unknown ones. */
  find(query: { id: string; organizationId: string }): Promise<StoredAsset | undefined>
  /** Finds several assets; foreign and unknown ones are left out. */
  findAll(query: { ids: readonly string[]; organizationId: string }): Promise<StoredAsset[]>
  /** Returns one page and the total count. `groupId` undefined: nothing, for an organization without a default group. */
  list(
    query: Omit<AssetQuery, 'groupId'> & { organizationId: string; groupId: string | undefined },
  ): Promise<{ assets: StoredAsset[]; totalCount: number }>
  /** Moves it from `processing` to its end, once; a fresh URL of an active asset is always stored. */
  move(move: {
    id: string
    organizationId: string
    status: AssetStatus
    encryptedUrl: string | null
    error: AssetError | null
    atMs: number
  }): Promise<StoredAsset | undefined>
  claimDue(claim: {
    provider: string
    nowMs: number
    leaseUntilMs: number
    limit: number
    share?: ClaimShare
  }): Promise<{ assets: ClaimedAsset[]; more: More }>
  /** Returns the number of rows that were brought forward. */
  bringForward(far: Far & { provider: string }): Promise<number>
  reschedule(next: { id: string; fence: number; nextPollAtMs: number }): Promise<void>

  findGroup(query: { id: string; organizationId: string }): Promise<StoredGroup | undefined>
  findDefaultGroup(query: { organizationId: string; provider: string }): Promise<StoredGroup | undefined>
  /**
   * Claims the right to make (or remake) the default group at the vendor: true for one caller at a time until
   * `leaseUntilMs`, or until the group is set, so that many requests at once make one group.
   */
  claimDefaultGroup(claim: {
    organizationId: string
    provider: string
    /** Group that the caller wants to replace; undefined: it found none. False when another group is current. */
    seenTicket: string | undefined
    nowMs: number
    leaseUntilMs: number
  }): Promise<boolean>
  /** Releases the claim early, because the vendor made none. */
  releaseDefaultGroup(claim: {
    organizationId: string
    provider: string
    leaseUntilMs: number
  }): Promise<void>
  /**
   * Stores the group that the vendor made, and ends every claim. A remade group keeps our id. An existing group stays, unless
   * its ticket is `insteadOf`: a late write does not replace a group that others use. Undefined when the organization was
   * disabled or erased meanwhile: nothing is stored, and the vendor's group is queued for removal if `isRemover`.
   */
  setDefaultGroup(
    group: StoredGroup & { insteadOf?: string | undefined; isRemover?: boolean },
  ): Promise<StoredGroup | undefined>
  /**
   * Returns the organization's group of a person; the existing one when the person was verified before. Undefined when the
   * person or the organization was erased during this verification: the vendor's group is then queued for removal if
   * `isRemover`.
   */
  bindPerson(
    group: StoredGroup,
    by: { verificationId: string; isRemover: boolean } | undefined,
  ): Promise<StoredGroup | undefined>
}

/** pending -> granted | denied, once; expired by its age. */
export interface StoredVerification {
  id: string
  organizationId: string
  provider: string
  /** null after the end. */
  encryptedToken: string | null
  encryptedCallbackUrl: string
  createdAtMs: number
  expiresAtMs: number
  /** Time since which one visit has the claim to exchange the token; null while no visit has it. */
  claimedAtMs: number | null
  /** Redirect of the browser; null until a browser comes back. Encrypted: it contains the client's address. */
  encryptedRedirect: string | null
  endedAtMs: number | null
  /** Language of the person's pages; null for a verification from before languages were kept. */
  language: Language | null
}

export interface NewVerification
  extends Omit<StoredVerification, 'claimedAtMs' | 'encryptedRedirect' | 'endedAtMs'> {
  stateDigest: string
}

export interface VerificationStore {
  create(verification: NewVerification): Promise<void>
  /** Finds a verification by the state in our return address; undefined when no row has it. */
  find(stateDigest: string): Promise<StoredVerification | undefined>
  /** Claims the exchange of the token, for one caller until it releases it. */
  claimExchange(claim: { id: string; atMs: number }): Promise<boolean>
  /** Releases the claim of `atMs`, because the token was certainly not taken. */
  releaseExchange(claim: { id: string; atMs: number }): Promise<void>
  /** Stores the end once, and returns the first one. The token is removed. */
  finish(end: {
    id: string
    encryptedRedirect: string
    atMs: number
  }): Promise<StoredVerification | undefined>
  /** Drops verifications that expired by then, the oldest first; returns their number. */
  dropOld(pass: { expiredByMs: number; limit: number }): Promise<number>
}

export interface ResolvedAssets {
  /** URLs by the `index` of each reference. */
  urls: ReadonlyMap<number, string>
  /** Groups of the verified people among them, each once. */
  groupIds: readonly string[]
}

/** Resolves the `asset://` items of a request. */
export interface AssetResolver {
  /**
   * Returns URLs that the provider accepts. An asset that is unknown, foreign, not active or of another type rejects with
   * `ApiError('asset_not_usable')` and the item's `param`; so does the portrait of a real person in a request that may not
   * show one. Without a configured asset service it rejects with `provider_not_configured`.
   */
  resolve(question: {
    organizationId: string
    request: VideoRequest
    /** Family of the requested model. */
    family: FamilyRow
    references: readonly AssetReference[]
    provider: string
  }): Promise<ResolvedAssets>
}

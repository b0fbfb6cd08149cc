import type { AssetError, AssetGroupKind, AssetStatus, AssetType } from '../domain/assets/asset.ts'
import type { AssetQuery } from '../domain/assets/asset-query.ts'
import type { Language } from '../domain/assets/verification-request.ts'
import type { AssetReference } from '../domain/video/asset-references.ts'
import type { FamilyRow } from '../domain/video/families/family.ts'
import type { VideoRequest } from '../domain/video/request.ts'
import type { ClaimShare, Far, More } from './tasks.ts'

/** An organization's hold on a group of the vendor's. Two organizations that verified one person have one each. */
export interface StoredGroup {
  /** Ours; what clients call `group_id`. */
  id: string
  organizationId: string
  kind: AssetGroupKind
  provider: string
  /** The vendor's own id. */
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
  /** The vendor's own id. */
  ticket: string
  /** The signed URL of an active asset, and when the vendor gave it. */
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
  /**
   * False when its group was erased meanwhile. The vendor's copy is then queued to be removed where `copyAt` says that it
   * can be: the provider and its id of the group.
   */
  create(asset: NewAsset, copyAt?: { provider: string; groupTicket: string }): Promise<boolean>
  /** Of one organization; foreign and unknown are both undefined. */
  find(query: { id: string; organizationId: string }): Promise<StoredAsset | undefined>
  /** Several at once; those that are foreign or unknown are left out. */
  findAll(query: { ids: readonly string[]; organizationId: string }): Promise<StoredAsset[]>
  /** One page and how many there are in all. `groupId` undefined: nothing, for an organization without a default group. */
  list(
    query: Omit<AssetQuery, 'groupId'> & { organizationId: string; groupId: string | undefined },
  ): Promise<{
    assets: StoredAsset[]
    totalCount: number
  }>
  /** Moves it from `processing` to its end, once; a fresh URL of an active one is always taken. */
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
  /** How many were brought forward. */
  bringForward(far: Far & { provider: string }): Promise<number>
  reschedule(next: { id: string; fence: number; nextPollAtMs: number }): Promise<void>

  findGroup(query: { id: string; organizationId: string }): Promise<StoredGroup | undefined>
  findDefaultGroup(query: { organizationId: string; provider: string }): Promise<StoredGroup | undefined>
  /**
   * Takes the right to make (or remake) the default group at the vendor: true for one caller at a time until
   * `leaseUntilMs`, or until the group is set, so that many requests at once make one group.
   */
  claimDefaultGroup(claim: {
    organizationId: string
    provider: string
    /** The group the caller wants another for; undefined: it found none. When it is no longer that one, false. */
    seenTicket: string | undefined
    nowMs: number
    leaseUntilMs: number
  }): Promise<boolean>
  /** Gives that right back early, because the vendor made none: as if `leaseUntilMs` of one's own claim had lapsed. */
  releaseDefaultGroup(claim: {
    organizationId: string
    provider: string
    leaseUntilMs: number
  }): Promise<void>
  /**
   * Stores what the vendor made, and ends every claim. The group keeps our id when it is made again. One that is there
   * stands, unless its ticket is `insteadOf`: a write that comes late replaces nothing that others use by now. Undefined when
   * the organization was disabled or erased meanwhile: nothing is stored, and the vendor's group is queued to be removed where
   * `isRemover` says that it can be.
   */
  setDefaultGroup(
    group: StoredGroup & { insteadOf?: string | undefined; isRemover?: boolean },
  ): Promise<StoredGroup | undefined>
  /**
   * The organization's group of a person; the same one when the same person was verified before. Undefined when the person
   * or the organization was erased while the result of this verification was fetched: the vendor's group is then queued to
   * be removed where `isRemover` says that it can be.
   */
  bindPerson(
    group: StoredGroup,
    by?: { verificationId: string; isRemover: boolean },
  ): Promise<StoredGroup | undefined>
}

/** pending -> granted | denied, once; expired by its age. */
export interface StoredVerification {
  id: string
  organizationId: string
  provider: string
  /** null after the end, when it is not needed any more. */
  encryptedToken: string | null
  encryptedCallbackUrl: string
  createdAtMs: number
  expiresAtMs: number
  /** Since when one visit has the right to exchange the token; null while no visit has it. */
  claimedAtMs: number | null
  /** Where the browser was sent; null until a browser comes back. Encrypted: it carries the client's address. */
  encryptedRedirect: string | null
  endedAtMs: number | null
  /** Of the pages that the person sees; null for one that began before languages were kept. */
  language: Language | null
}

export interface NewVerification
  extends Omit<StoredVerification, 'claimedAtMs' | 'encryptedRedirect' | 'endedAtMs'> {
  stateDigest: string
}

export interface VerificationStore {
  create(verification: NewVerification): Promise<void>
  /** By what our return address carries; undefined when no row has it. */
  find(stateDigest: string): Promise<StoredVerification | undefined>
  /** The right to exchange the token, for one caller until it gives it back. */
  claimExchange(claim: { id: string; atMs: number }): Promise<boolean>
  /** Gives that right back, because the token was certainly not taken. `atMs` of one's own claim. */
  releaseExchange(claim: { id: string; atMs: number }): Promise<void>
  /** How it ended: stored once, the first stands and is returned. The token goes. */
  finish(end: {
    id: string
    encryptedRedirect: string
    atMs: number
  }): Promise<StoredVerification | undefined>
  /** Forgets those that expired by then, the oldest first; how many. */
  dropOld(pass: { expiredByMs: number; limit: number }): Promise<number>
}

export interface ResolvedAssets {
  /** Under the `index` of each reference. */
  urls: ReadonlyMap<number, string>
  /** Of the verified people among them, each once. */
  groupIds: readonly string[]
}

/** Finds what the `asset://` items of a request stand for. */
export interface AssetResolver {
  /**
   * The URLs that the provider understands. An asset that is unknown, another
   * organization's, not active or of another type rejects with `ApiError('asset_not_usable')` and the item's `param`;
   * so does the portrait of a real person in a request that may not show one. Without a configured asset service nothing
   * can be looked up: `provider_not_configured`.
   */
  resolve(question: {
    organizationId: string
    request: VideoRequest
    /** Of the model that is asked for. */
    family: FamilyRow
    /** Those of the request. */
    references: readonly AssetReference[]
    provider: string
  }): Promise<ResolvedAssets>
}

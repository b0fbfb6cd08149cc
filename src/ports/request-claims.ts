/**
 * The claim of one text request on its client's `Idempotency-Key`. A claim decides about money, so it is a row of the store.
 *
 *   free -> claimed -> finished -> free, a day after the claim
 *    ^         |
 *    +---------+  refused before anything was charged, or the lease ended because the process died
 *
 * The transaction that writes the usage row finishes the claim. The usage of a request whose lease ended is left out when
 * another request has claimed the key meanwhile, so one key is charged once.
 */
export interface RequestClaim {
  id: string
  keyId: string
  /** Digests keep the client's text out of the store. */
  keyDigest: string
  bodyDigest: string
  /** Digests of the same key under the other secret, while `SLUICE_SECRET` is changed. At most one digest has a row. */
  others?: readonly { keyDigest: string; bodyDigest: string }[] | undefined
  /** Time until which no other request can claim the key; renewed while the request runs. */
  leaseUntilMs: number
  /** Time until which a finished key is not charged again. */
  expiresAtMs: number
}

export type ClaimAnswer =
  | { kind: 'claimed' }
  /** The claim with this id holds the key, with an equal body. */
  | { kind: 'running'; id: string }
  | { kind: 'finished'; id: string }
  /** A running or finished request with another body has the key. */
  | { kind: 'other-body' }

export interface RequestClaimStore {
  claim(claim: RequestClaim & { nowMs: number }): Promise<ClaimAnswer>
  renew(renewal: { ids: readonly string[]; leaseUntilMs: number }): Promise<void>
  /** Does nothing for a finished claim. */
  free(id: string): Promise<void>
  /** Drops expired claims, oldest first; returns their number. */
  dropExpired(pass: { nowMs: number; limit: number }): Promise<number>
}

/** Digests of ids that vendors gave to organizations: of items, containers, files. The ids themselves are not stored. */
export interface VendorIdStore {
  /** Extends the life of an id that exists. */
  keep(kept: { owners: readonly VendorIdOwner[]; expiresAtMs: number }): Promise<void>
  /** Returns the digests that belong to this organization. */
  find(query: { organizationId: string; digests: readonly string[]; nowMs: number }): Promise<string[]>
  dropExpired(pass: { nowMs: number; limit: number }): Promise<number>
}

export interface VendorIdOwner {
  digest: string
  organizationId: string
}

/**
 * The claim of one text request on its client's `Idempotency-Key`. It decides about money, so it is a row of the store.
 *
 *   free -> claimed -> finished -> free, a day after the claim
 *    ^         |
 *    +---------+  refused before anything was charged, or the lease ran out: its process is gone
 *
 * The transaction that writes the usage row finishes the claim. When the lease expired and another request has claimed the
 * key, the first request's usage is left out: one key is charged once.
 */
export interface RequestClaim {
  id: string
  keyId: string
  /** Digests, so that the store does not show the client's text. */
  keyDigest: string
  bodyDigest: string
  /** Digests under the other secret, during a change of the secret. Only one of them can hold the key. */
  others?: readonly { keyDigest: string; bodyDigest: string }[] | undefined
  /** Until then no other request can claim the key; renewed while the request runs. */
  leaseUntilMs: number
  /** Until then a finished key is not charged again. */
  expiresAtMs: number
}

export type ClaimAnswer =
  | { kind: 'claimed' }
  /** The claim with this id holds the key, with an equal body. */
  | { kind: 'running'; id: string }
  | { kind: 'finished'; id: string }
  /** A request with another body has the key, whether it is finished or not. */
  | { kind: 'other-body' }

export interface RequestClaimStore {
  claim(claim: RequestClaim & { nowMs: number }): Promise<ClaimAnswer>
  /** Extends the leases of existing claims. */
  renew(renewal: { ids: readonly string[]; leaseUntilMs: number }): Promise<void>
  /** Makes the key free for a new request. A finished claim stays. */
  free(id: string): Promise<void>
  /** Drops up to `limit` expired claims, the oldest first; returns their number. */
  dropExpired(pass: { nowMs: number; limit: number }): Promise<number>
}

/** Digests of ids that vendors gave to organizations: of items, containers, files. The ids themselves are not kept. */
export interface VendorIdStore {
  /** Extends the life of an existing id. */
  keep(kept: { owners: readonly VendorIdOwner[]; expiresAtMs: number }): Promise<void>
  /** Returns the digests that this organization has. */
  find(query: { organizationId: string; digests: readonly string[]; nowMs: number }): Promise<string[]>
  dropExpired(pass: { nowMs: number; limit: number }): Promise<number>
}

export interface VendorIdOwner {
  digest: string
  organizationId: string
}

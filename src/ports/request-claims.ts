/**
 * The claim of one text request on its client's `Idempotency-Key`. It decides about money, so it is a row of the store.
 *
 *   free -> claimed -> finished -> free, a day after the claim
 *    ^         |
 *    +---------+  refused before anything was charged, or the lease ran out: its process is gone
 *
 * A claim is finished by the transaction that writes its usage row. Where the lease ran out and another request has
 * claimed the key, the first request's usage is left out: one key is charged once.
 */
export interface RequestClaim {
  id: string
  keyId: string
  /** Digests: the client's own words are not for the store to show. */
  keyDigest: string
  bodyDigest: string
  /** In a change of the secret: the same under the other one. Only one of them can hold the key. */
  others?: readonly { keyDigest: string; bodyDigest: string }[] | undefined
  /** Until then no other request can claim the key; renewed while the request runs. */
  leaseUntilMs: number
  /** Until then a finished key is not charged again. */
  expiresAtMs: number
}

export type ClaimAnswer =
  | { kind: 'claimed' }
  /** The claim with this id holds the key, with the same body. */
  | { kind: 'running'; id: string }
  | { kind: 'finished'; id: string }
  /** Another body has the key, whether it is finished or not. */
  | { kind: 'other-body' }

export interface RequestClaimStore {
  claim(claim: RequestClaim & { nowMs: number }): Promise<ClaimAnswer>
  /** Puts off the leases of those that are still there. */
  renew(renewal: { ids: readonly string[]; leaseUntilMs: number }): Promise<void>
  /** The next request with this key is a new one. A finished claim stays. */
  free(id: string): Promise<void>
  /** Drops up to `limit` claims that are over, the oldest first; returns how many. */
  dropExpired(pass: { nowMs: number; limit: number }): Promise<number>
}

/** Digests of ids that vendors gave to organizations: of items, containers, files. The ids themselves are not kept. */
export interface VendorIdStore {
  /** One that is there already is kept for longer. */
  keep(kept: { owners: readonly VendorIdOwner[]; expiresAtMs: number }): Promise<void>
  /** Those of the digests that this organization has. */
  find(query: { organizationId: string; digests: readonly string[]; nowMs: number }): Promise<string[]>
  dropExpired(pass: { nowMs: number; limit: number }): Promise<number>
}

export interface VendorIdOwner {
  digest: string
  organizationId: string
}

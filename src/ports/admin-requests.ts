/**
 * An operator's request with an `Idempotency-Key`, as a row that all replicas share.
 *
 *   free -> claimed -> done -> finished -> free, a day after the claim
 *    ^         |
 *    +---------+  refused, or the lease ended before a change was stored
 *
 * The transaction of the change makes the row `done`, so a crash never leads to a second change. `finished` also has the
 * answer. A `done` request counts as running until its lease ends.
 */
export interface AdminRequestClaim {
  id: string
  actor: string
  keyDigest: string
  /** Digests of the same key under the other secret, while `SLUICE_SECRET` is changed. At most one digest has a row. */
  others?: readonly string[] | undefined
  bodyDigest: string
  leaseUntilMs: number
  expiresAtMs: number
}

export type AdminRequestAnswer =
  | { kind: 'claimed' }
  | { kind: 'running' }
  /** The change was stored, and its answer was lost. */
  | { kind: 'done' }
  | { kind: 'finished'; id: string; encryptedAnswer: string }
  | { kind: 'other-body' }

export interface AdminRequestStore {
  claim(claim: AdminRequestClaim & { nowMs: number }): Promise<AdminRequestAnswer>
  finish(end: { id: string; encryptedAnswer: string }): Promise<void>
  /** Does nothing for a request that has stored its change. */
  free(id: string): Promise<void>
  dropExpired(pass: { nowMs: number; limit: number }): Promise<number>
}

/**
 * An operator's request with an `Idempotency-Key`: all replicas share its row.
 *
 *   free -> claimed -> done -> finished -> free, a day after the claim
 *    ^         |
 *    +---------+  refused, or the lease ran out before anything was changed
 *
 * The transaction of the change makes it `done`, by its audit row: after a crash the change is never made twice. `finished`
 * has the answer too: a request that is `done` counts as running until its lease is over.
 */
export interface AdminRequestClaim {
  id: string
  actor: string
  keyDigest: string
  /** Digests under the other secret, during a change of the secret. Only one of them can hold the key. */
  others?: readonly string[] | undefined
  bodyDigest: string
  leaseUntilMs: number
  expiresAtMs: number
}

export type AdminRequestAnswer =
  | { kind: 'claimed' }
  | { kind: 'running' }
  /** The request was carried out, and its answer was lost. */
  | { kind: 'done' }
  | { kind: 'finished'; id: string; encryptedAnswer: string }
  | { kind: 'other-body' }

export interface AdminRequestStore {
  claim(claim: AdminRequestClaim & { nowMs: number }): Promise<AdminRequestAnswer>
  finish(end: { id: string; encryptedAnswer: string }): Promise<void>
  /** Makes the key free for a new request; a request that changed something stays. */
  free(id: string): Promise<void>
  dropExpired(pass: { nowMs: number; limit: number }): Promise<number>
}

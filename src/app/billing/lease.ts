import type { Micros } from '../../domain/billing/micros.ts'

/** A lease that is not renewed ends by itself after this: what a dead replica had is free again by then. */
export const LEASE_LIFE_MS = 30_000

/** Clocks of replicas differ: a replica stops spending from a lease before another one may take it for dead. */
const SAFETY_MS = 5_000

/** Who has to know when something of a lease comes free. */
export interface LeaseOwner {
  requestEnded(admission: Admission): void
  rowsWritten(lease: Lease): void
}

/** The allowance of one organization that this replica may spend from, while it is open (`account.ts` draws its life). */
export class Lease {
  readonly holdId: string
  /** The key it is for, where that has a budget of its own. */
  readonly keyId: string | undefined
  /**
   * What was given, less what is reserved and what was spent. Below zero when requests cost more than they reserved.
   * Where an answer of the store was lost it is too small, never too large.
   */
  leftMicros: number
  /** What requests in flight have reserved, and what the rows cost that are not in the store yet. */
  takenMicros = 0
  /** Requests that are running. */
  inFlight = 0
  /** Usage rows that are not in the store yet. */
  unwritten = 0
  lastUsedMs: number
  renewedAtMs: number
  usableUntilMs: number
  /** The store may have added to it without our hearing of it: it goes back as a whole at the next quiet moment. */
  isUncertain = false
  readonly #owner: LeaseOwner | undefined

  constructor(opened: {
    holdId: string
    amountMicros: Micros
    atMs: number
    keyId?: string
    owner?: LeaseOwner
  }) {
    this.#owner = opened.owner
    this.holdId = opened.holdId
    this.keyId = opened.keyId
    this.leftMicros = opened.amountMicros
    this.lastUsedMs = opened.atMs
    this.renewedAtMs = opened.atMs
    this.usableUntilMs = opened.atMs + LEASE_LIFE_MS - SAFETY_MS
  }

  /** Nothing is reserved and nothing waits to be written: the store knows all there is to know. */
  get isQuiet(): boolean {
    return this.inFlight === 0 && this.unwritten === 0
  }

  covers(reserveMicros: number, nowMs: number): boolean {
    return this.leftMicros >= reserveMicros && nowMs < this.usableUntilMs
  }

  /** `atMs` is when the store was asked, not when it answered. */
  renewed(atMs: number): void {
    this.renewedAtMs = atMs
    this.usableUntilMs = atMs + LEASE_LIFE_MS - SAFETY_MS
  }

  admit(reserveMicros: Micros, nowMs: number): Admission {
    this.leftMicros -= reserveMicros
    this.takenMicros += reserveMicros
    this.inFlight += 1
    this.lastUsedMs = nowMs
    return new Admission(this, reserveMicros)
  }

  /** An admission of this lease is over; `costMicros` of it are left to be written. */
  ended(admission: Admission, costMicros: number): void {
    const changeMicros = admission.reserveMicros - costMicros
    this.leftMicros += changeMicros
    this.takenMicros -= changeMicros
    this.inFlight -= 1
    this.#owner?.requestEnded(admission)
  }

  /** One row is in the store, or is given up. */
  rowWritten(costMicros: number): void {
    this.unwritten -= 1
    this.takenMicros -= costMicros
    this.#owner?.rowsWritten(this)
  }

  /** What rows cost and the allowance did not pay. */
  paidElsewhere(amountMicros: number): void {
    this.leftMicros += amountMicros
    if (amountMicros > 0) this.#owner?.rowsWritten(this)
  }
}

/** One request that may spend up to its reserve. It ends once: as spent, or as released when nothing was used. */
export class Admission {
  readonly lease: Lease
  readonly reserveMicros: Micros

  constructor(lease: Lease, reserveMicros: Micros) {
    this.lease = lease
    this.reserveMicros = reserveMicros
  }

  /** The cost takes the place of the reserve; a usage row of that cost must follow. */
  spend(costMicros: Micros): void {
    this.lease.unwritten += 1
    this.lease.ended(this, costMicros)
  }

  release(): void {
    this.lease.ended(this, 0)
  }
}

import type { Micros } from '../../domain/billing/micros.ts'

/** A lease that is not renewed ends by itself after this time, which frees the money of a dead replica. */
export const LEASE_LIFE_MS = 30_000

/** Clocks of replicas differ, so a replica stops spending from a lease before another replica may expire the lease. */
const SAFETY_MS = 5_000

/** Receives events when a lease may have money free again. */
export interface LeaseOwner {
  requestEnded(admission: Admission): void
  rowsWritten(lease: Lease): void
}

/** The open lease from which this replica spends for one account (`account.ts` shows its states). */
export class Lease {
  readonly holdId: string
  readonly keyId: string | undefined
  /**
   * The leased amount minus reserved and spent money. It is negative when requests cost more than they reserved. After
   * a lost answer of the store it may be too small, never too large.
   */
  leftMicros: number
  /** Reserves of running requests, plus the cost of rows that are not in the store yet. */
  takenMicros = 0
  inFlight = 0
  unwritten = 0
  lastUsedMs: number
  renewedAtMs: number
  usableUntilMs: number
  /** Whether the store may have added money in a lost answer. The whole lease then goes back once no work is open. */
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

  /** Whether no request runs and no row waits to be written, so that the store knows all costs. */
  get hasNoOpenWork(): boolean {
    return this.inFlight === 0 && this.unwritten === 0
  }

  covers(reserveMicros: number, nowMs: number): boolean {
    return this.leftMicros >= reserveMicros && nowMs < this.usableUntilMs
  }

  /** `atMs` is the time of the call to the store, not of its answer. */
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

  /** Ends an admission of this lease; `costMicros` of it remain to be written. */
  ended(admission: Admission, costMicros: number): void {
    const changeMicros = admission.reserveMicros - costMicros
    this.leftMicros += changeMicros
    this.takenMicros -= changeMicros
    this.inFlight -= 1
    this.#owner?.requestEnded(admission)
  }

  /** Records that one row is in the store, or was lost. */
  rowWritten(costMicros: number): void {
    this.unwritten -= 1
    this.takenMicros -= costMicros
    this.#owner?.rowsWritten(this)
  }

  /** Adds back the cost of rows that the allowance did not pay. */
  paidElsewhere(amountMicros: number): void {
    this.leftMicros += amountMicros
    if (amountMicros > 0) this.#owner?.rowsWritten(this)
  }
}

/** A request that may spend up to its reserve. It ends once: as spent, or as released when it used nothing. */
export class Admission {
  readonly lease: Lease
  readonly reserveMicros: Micros

  constructor(lease: Lease, reserveMicros: Micros) {
    this.lease = lease
    this.reserveMicros = reserveMicros
  }

  /** Replaces the reserve by the cost; a usage row of that cost must follow. */
  spend(costMicros: Micros): void {
    this.lease.unwritten += 1
    this.lease.ended(this, costMicros)
  }

  release(): void {
    this.lease.ended(this, 0)
  }
}

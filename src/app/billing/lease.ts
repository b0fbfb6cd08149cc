import type { Micros } from '../../domain/billing/micros.ts'

/** A lease that nobody renews ends by itself after this: what a dead replica had is free again by then. */
export const LEASE_LIFE_MS = 30_000

/** Clocks of replicas differ: nobody spends from a lease that another one may already take for dead. */
const SAFETY_MS = 5_000

/** The allowance of one organization that this replica may spend from, while it is open (`account.ts` draws its life). */
export class Lease {
  readonly holdId: string
  /**
   * What was given, less what is reserved and what was spent. Below zero when requests cost more than they reserved.
   * Where an answer of the store was lost it is too small, never too large.
   */
  leftMicros: number
  /** Requests that are under way. */
  inFlight = 0
  /** Usage rows that are not in the store yet. */
  unwritten = 0
  lastUsedMs: number
  renewedAtMs: number
  usableUntilMs: number
  /** The store may have added to it without our hearing of it: it goes back as a whole at the next quiet moment. */
  isUncertain = false

  constructor(opened: { holdId: string; amountMicros: Micros; atMs: number }) {
    this.holdId = opened.holdId
    this.leftMicros = opened.amountMicros
    this.lastUsedMs = opened.atMs
    this.renewedAtMs = opened.atMs
    this.usableUntilMs = opened.atMs + LEASE_LIFE_MS - SAFETY_MS
  }

  /** Nothing is reserved and nothing waits to be written: the store knows all there is to know. */
  get isQuiet(): boolean {
    return this.inFlight === 0 && this.unwritten === 0
  }

  covers(reserveMicros: Micros, nowMs: number): boolean {
    return this.leftMicros >= reserveMicros && nowMs < this.usableUntilMs
  }

  /** `atMs` is when the store was asked, not when it answered. */
  renewed(atMs: number): void {
    this.renewedAtMs = atMs
    this.usableUntilMs = atMs + LEASE_LIFE_MS - SAFETY_MS
  }

  admit(reserveMicros: Micros, nowMs: number): Admission {
    this.leftMicros -= reserveMicros
    this.inFlight += 1
    this.lastUsedMs = nowMs
    return new Admission(this, reserveMicros)
  }

  /** `elsewhereMicros`: what the rows cost and the allowance did not pay. */
  rowsWritten(count: number, elsewhereMicros: number): void {
    this.unwritten -= count
    this.leftMicros += elsewhereMicros
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
    this.lease.leftMicros += this.reserveMicros - costMicros
    this.lease.inFlight -= 1
    this.lease.unwritten += 1
  }

  release(): void {
    this.lease.leftMicros += this.reserveMicros
    this.lease.inFlight -= 1
  }
}

import type { Micros } from '../../domain/billing/micros.ts'
import type { Admission, Lease } from './lease.ts'
import { NO_PACE, type Pace } from './lease-size.ts'

/** What this replica knows about one organization's money. Moments are monotonic. */
export interface Account {
  readonly organizationId: string
  lease: Lease | undefined
  /** Requests that the lease did not cover, in the order they came. */
  readonly waiters: Waiter[]
  /** The one refill that may be under way; everybody who waits shares it. */
  refilling: Promise<void> | undefined
  /** The store is being asked for what is missing besides what is left: nothing of it may be given away meanwhile. */
  isAsking: boolean
  /** Another replica asked for what lies idle while we could not give it. */
  isWanted: boolean
  /** What is on its way back. A new lease waits for it, as it may be all there is. */
  returning: Promise<void> | undefined
  pace: Pace
  /** As much as the last refill wanted to have at hand. */
  targetMicros: number
  /** Below this much left, more is fetched before anybody has to wait for it. */
  lowMicros: number
  /** After a refill that brought nothing, none is tried in the background until then. */
  restUntilMs: number
  /** The store was away just now: until then nobody waits to hear it again. */
  awayUntilMs: number
  /** So much was not there, and it is not asked for again before that moment. */
  refusedMicros: number
  refusedUntilMs: number
}

interface Waiter {
  reserveMicros: Micros
  admitted(admission: Admission): void
  refused(reason: unknown): void
}

export function openAccount(organizationId: string): Account {
  return {
    organizationId,
    lease: undefined,
    waiters: [],
    refilling: undefined,
    isAsking: false,
    isWanted: false,
    returning: undefined,
    pace: NO_PACE,
    targetMicros: 0,
    lowMicros: 0,
    restUntilMs: 0,
    awayUntilMs: 0,
    refusedMicros: 0,
    refusedUntilMs: 0,
  }
}

/** First come, first served: a small request does not overtake a large one, or the large one would never get its turn. */
export function serveWaiters(account: Account, nowMs: number): void {
  for (let first = account.waiters[0]; first !== undefined; first = account.waiters[0]) {
    const { lease } = account
    if (lease === undefined || lease.leftMicros < first.reserveMicros) return
    account.waiters.shift()
    first.admitted(lease.admit(first.reserveMicros, nowMs))
  }
}

/** Those who need at least that much. */
export function refuseWaiters(account: Account, needMicros: number, reason: () => unknown): void {
  const all = account.waiters.splice(0)
  for (const waiter of all) {
    if (waiter.reserveMicros < needMicros) account.waiters.push(waiter)
    else waiter.refused(reason())
  }
}

/** The allowance is not ours any more: either it expires by itself, or it has ended already. */
export function dropLease(account: Account): void {
  account.lease = undefined
  account.lowMicros = 0
  account.pace = { ...account.pace, leftMicros: 0 }
}

/** An answer that is under way may still put its deadline off. */
export function dropLapsedLease(account: Account, nowMs: number): void {
  const { lease, isAsking } = account
  if (lease !== undefined && nowMs >= lease.usableUntilMs && !isAsking) dropLease(account)
}

import type { TextReserve } from '../../domain/billing/reserve-for-text.ts'
import type { Admission, Lease, LeaseOwner } from './lease.ts'
import { NO_PACE, type Pace } from './lease-size.ts'

/** A poor organization's storm of requests reaches the store this seldom, and a store that is away is asked this seldom. */
const REST_MS = 200
/** A refill in the background starts when less than this part of the last one is left. */
const LOW_PART = 4

/**
 * What this replica knows about one organization's money. Moments are monotonic. Its lease goes through these states; the
 * moves are the functions below.
 *
 *   none -> leasing       a request found nothing to spend from
 *   leasing -> open       the store gave an amount
 *           -> none       it had not even what the request needs
 *           -> unheard    its answer was lost: the store may have opened the allowance
 *   unheard -> none       the store was told to take it back
 *   open -> open          refilled, renewed, or a part of it given back
 *        -> returning     unused for a while, wanted elsewhere, or closing: all of it goes back
 *        -> none          not renewed in time, or ended in the store; what is under way is charged to the balance itself
 *   returning -> none     the store has it back, or lets it expire
 *
 * `lease` is there while it is open, `isAsking` while it is leasing or refilled, `unheardHoldId` while it is unheard, and
 * `returning` while it returns.
 */
export interface Account {
  readonly organizationId: string
  lease: Lease | undefined
  /** For the leases it will have. */
  readonly owner: LeaseOwner
  /** Leases that have ended while requests were spending from them, until the store knows what those cost. */
  endedLeases: Lease[]
  /** The one request that may cost more than is set aside for it (`one-uncovered.ts`). */
  uncovered: Admission | undefined
  /** What its requests cost beyond the balance, and what was not made up for since. */
  lossMicros: number
  unheardHoldId: string | undefined
  /** Requests that the lease did not cover, in the order they came. */
  readonly waiters: Waiter[]
  /** The first of them waits for requests that are running, and for nothing else. */
  isParked: boolean
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

interface Waiter extends TextReserve {
  sinceMs: number
  admitted(admission: Admission): void
  refused(reason: unknown): void
}

export function openAccount(organizationId: string, owner: LeaseOwner): Account {
  return {
    organizationId,
    lease: undefined,
    owner,
    endedLeases: [],
    uncovered: undefined,
    lossMicros: 0,
    unheardHoldId: undefined,
    waiters: [],
    isParked: false,
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

/** What is left counts in the question, so it must stay where it is until the answer comes. */
export async function asking<T>(account: Account, holdId: string, ask: () => Promise<T>): Promise<T> {
  account.isAsking = true
  try {
    return await ask()
  } catch (error) {
    if (account.lease === undefined) account.unheardHoldId = holdId
    else account.lease.isUncertain = true
    throw error
  } finally {
    account.isAsking = false
  }
}

/** The store may hold more for us than we know: as long as that is so, an empty balance is not certain either. */
export function isInDoubt({ lease, unheardHoldId }: Account): boolean {
  return unheardHoldId !== undefined || lease?.isUncertain === true
}

/** The store gave something. */
export function noteRefill(account: Account, targetMicros: number): void {
  const leftMicros = account.lease?.leftMicros ?? 0
  account.pace = { ...account.pace, leftMicros }
  account.targetMicros = targetMicros
  account.lowMicros = Math.min(targetMicros, Math.max(0, leftMicros)) / LOW_PART
}

/** There was nothing to fetch ahead. */
export function noteNothing(account: Account, nowMs: number): void {
  account.restUntilMs = nowMs + REST_MS
}

export function noteAway(account: Account, nowMs: number): void {
  account.restUntilMs = nowMs + REST_MS
  account.awayUntilMs = nowMs + REST_MS
}

export function noteRefused(account: Account, refusedMicros: number, nowMs: number): void {
  account.refusedMicros = refusedMicros
  account.refusedUntilMs = nowMs + REST_MS
}

/** Those who need at least that much. */
export function refuseWaiters(account: Account, needMicros: number, reason: () => unknown): void {
  const all = account.waiters.splice(0)
  for (const waiter of all) {
    if (waiter.reserveMicros < needMicros) account.waiters.push(waiter)
    else waiter.refused(reason())
  }
}

/** Takes it out of our own hands; whoever gives it back tells the store next. */
export function takeFromLease(account: Account, lease: Lease, amountMicros: number): void {
  lease.leftMicros -= amountMicros
  account.pace = { ...account.pace, leftMicros: account.pace.leftMicros - amountMicros }
}

/** The allowance is not ours any more: either it expires by itself, or it has ended already. */
export function dropLease(account: Account): void {
  if (account.lease !== undefined && !account.lease.isQuiet) account.endedLeases.push(account.lease)
  account.lease = undefined
  account.lowMicros = 0
  account.pace = { ...account.pace, leftMicros: 0 }
}

/** An answer that is under way may still put its deadline off. */
export function dropLapsedLease(account: Account, nowMs: number): void {
  const { lease, isAsking } = account
  if (lease !== undefined && nowMs >= lease.usableUntilMs && !isAsking) dropLease(account)
}

/** Those of the ended leases that the store knows all about. */
export function dropQuietLeases(account: Account): void {
  account.endedLeases = account.endedLeases.filter((lease) => !lease.isQuiet)
  const { uncovered, lease, endedLeases } = account
  if (uncovered === undefined || uncovered.lease === lease) return
  if (!endedLeases.includes(uncovered.lease)) account.uncovered = undefined
}

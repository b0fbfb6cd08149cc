import type { Micros } from '../../domain/billing/micros.ts'
import type { TextReserve } from '../../domain/billing/reserve-for-text.ts'
import type { Admission, Lease, LeaseOwner } from './lease.ts'
import { NO_PACE, type Pace } from './lease-size.ts'

/** Money of one organization, or of a key with its own budget, as this replica knows it. Moments are monotonic milliseconds. */
export interface Account {
  readonly organizationId: string
  /** Key with a budget of its own; undefined: the account serves all keys of the organization without a budget. */
  readonly keyId: string | undefined
  /** Called by the lease when a request ends and when its cost is stored. */
  readonly owner: LeaseOwner

  leaseState: LeaseState
  refill: RefillState
  readonly waiters: MoneyWaiter[]
  /** Another replica asked for unused money while this one waited for the store. The money goes back after the store's answer. */
  returnAfterAnswer: boolean

  /** Leases that ended while requests were spending from them, until the costs of those requests are stored. */
  endedLeases: Lease[]
  readonly balance: SharedBalance

  pace: Pace
  targetMicros: number
  /** When less than this is left of the lease, a refill starts in the background. */
  lowMicros: number

  /** The last refill brought nothing or failed: no refill starts in the background before this moment. */
  refillRestsUntilMs: number
  /** The store was unreachable: requests that the lease does not cover are refused until this moment. */
  unreachableUntilMs: number
  /** The balance was too small: requests that need `atLeastMicros` or more are refused until this moment. */
  refused: MoneyRefusal & { atLeastMicros: number; untilMs: number }
}

/** One object for all accounts of an organization. */
export interface SharedBalance {
  /** The one running request that may cost more than it has reserved (`cover-all-but-one.ts` says why). */
  uncovered:
    | {
        readonly account: Account
        readonly admission: Admission
        /** Whether the request ended on an open lease. The account then knows the cost, and another request may be uncovered. */
        isOver: boolean
      }
    | undefined
  /** Whether a request cost more than the balance could pay, since the organization's money was last changed. */
  hasLoss: boolean
}

/**
 * A lease is a part of the balance that the store has set aside for this replica. In the store it is a hold.
 *
 *   none        -> leasing       a request found nothing to spend from
 *   leasing     -> open          the store gave an amount
 *               -> none          the balance was too small
 *               -> unconfirmed   the answer was lost, so the store may have opened the hold
 *   unconfirmed -> leasing       the store is asked again, for the same hold
 *               -> none          the store took the hold back, or never opened it
 *               -> returning     the process is closing
 *   open        -> refilling     the store is asked for more
 *               -> returning     the lease is unused, another replica needs it, or the process is closing
 *               -> none          it was not renewed in time, or the store ended it
 *               -> returning     it was not renewed, or the store ended it, while a part of it is going back
 *   refilling   -> open          the store answered, or its answer was lost
 *               -> leasing       the lease ended before the store answered
 *   returning   -> none          the store has the money back, or could not be reached and lets the hold expire
 */
export type LeaseState =
  | { readonly kind: 'none' }
  | { readonly kind: 'leasing' }
  | { readonly kind: 'unconfirmed'; readonly holdId: string }
  /** `partReturned` is set while a part of the lease goes back: it resolves when the store has answered. */
  | { readonly kind: 'open'; readonly lease: Lease; readonly partReturned: Promise<void> | undefined }
  /** The requested amount depends on the rest of the lease, so no money goes back before the answer. */
  | { readonly kind: 'refilling'; readonly lease: Lease }
  | { readonly kind: 'returning'; readonly returned: Promise<void> }

/**
 * At most one refill runs for an account, and all waiting requests share it.
 *
 *   idle    -> running   a request is not covered, or little is left
 *   running -> idle      no request waits any more
 *           -> parked    the first waiting request needs money that running requests have reserved
 *   parked  -> running   a running request has ended, or the balance has changed
 *           -> idle      every waiting request was refused
 */
export type RefillState = { readonly kind: 'idle' } | RunningRefill | { readonly kind: 'parked' }

export interface RunningRefill {
  readonly kind: 'running'
  done: Promise<void>
}

export type RefusalCode = 'insufficient_balance' | 'budget_exceeded' | 'funds_in_use'

/** Reason of the store's refusal, and the available money; undefined: unknown. */
export interface MoneyRefusal {
  code: RefusalCode
  availableMicros?: Micros | undefined
}

interface MoneyWaiter extends TextReserve {
  sinceMs: number
  admitted(admission: Admission): void
  refused(reason: unknown): void
}

const NONE: LeaseState = { kind: 'none' }
const IDLE: RefillState = { kind: 'idle' }
const PARKED: RefillState = { kind: 'parked' }

export function openAccount(
  of: Pick<Account, 'organizationId' | 'keyId' | 'balance'>,
  owner: LeaseOwner,
): Account {
  return {
    ...of,
    owner,
    leaseState: NONE,
    refill: IDLE,
    waiters: [],
    returnAfterAnswer: false,
    endedLeases: [],
    pace: NO_PACE,
    targetMicros: 0,
    lowMicros: 0,
    refillRestsUntilMs: 0,
    unreachableUntilMs: 0,
    refused: { atLeastMicros: 0, untilMs: 0, code: 'insufficient_balance' },
  }
}

// ---- Questions about the lease ----

export function openLease({ leaseState: state }: Account): Lease | undefined {
  return state.kind === 'open' || state.kind === 'refilling' ? state.lease : undefined
}

export function isAsking({ leaseState: state }: Account): boolean {
  return state.kind === 'leasing' || state.kind === 'refilling'
}

/** The hold that the store may have opened without the knowledge of this replica. */
export function unconfirmedHoldId({ leaseState: state }: Account): string | undefined {
  return state.kind === 'unconfirmed' ? state.holdId : undefined
}

/** Whether the store may hold more for this replica than the replica knows. An empty balance is then not certain. */
export function hasUnconfirmedHold(account: Account): boolean {
  return account.leaseState.kind === 'unconfirmed' || openLease(account)?.isUncertain === true
}

/** Resolves when the store has the returned money; undefined when no money is going back. */
export function runningReturn({ leaseState: state }: Account): Promise<void> | undefined {
  if (state.kind === 'returning') return state.returned
  return state.kind === 'open' ? state.partReturned : undefined
}

// ---- Moves of the lease ----

/**
 * `ask` opens the hold `holdId`, or enlarges the hold of an open lease. Without a lease, the answer leaves the state
 * `none`, and the caller calls `leaseOpened` if the store gave money.
 */
export async function askStore<T>(account: Account, holdId: string, ask: () => Promise<T>): Promise<T> {
  const lease = openLease(account)
  account.leaseState = lease === undefined ? { kind: 'leasing' } : { kind: 'refilling', lease }
  try {
    const answer = await ask()
    answered(account, NONE)
    return answer
  } catch (error) {
    answered(account, { kind: 'unconfirmed', holdId })
    const kept = openLease(account)
    if (kept !== undefined) kept.isUncertain = true
    throw error
  }
}

/** A lease that was being refilled stays open; without a lease, the state becomes `withoutLease`. */
function answered(account: Account, withoutLease: LeaseState): void {
  const { leaseState: state } = account
  if (state.kind === 'refilling') leaseOpened(account, state.lease)
  else if (state.kind === 'leasing') account.leaseState = withoutLease
}

export function leaseOpened(account: Account, lease: Lease): void {
  account.leaseState = { kind: 'open', lease, partReturned: undefined }
}

/** The store has taken an unconfirmed hold back, or never opened it. */
export function holdResolved(account: Account, holdId: string): void {
  if (unconfirmedHoldId(account) === holdId) account.leaseState = NONE
}

/** Takes the part out of the lease before `send` tells the store, so that no request spends it. `send` must not reject. */
export function returnPart<T>(
  account: Account,
  lease: Lease,
  amountMicros: number,
  send: () => Promise<T>,
): Promise<T> {
  lease.leftMicros -= amountMicros
  // The returned money was not used, so the pace must not count it.
  account.pace = { ...account.pace, leftMicros: account.pace.leftMicros - amountMicros }
  const answer = send()
  const partReturned = untilReturned(account, answer)
  account.leaseState = { kind: 'open', lease, partReturned }
  return partReturned.then(() => answer)
}

/** Ends the lease before `send` tells the store, so that no request spends it. `send` must not reject. */
export function returnAll(account: Account, send: () => Promise<unknown>): Promise<void> {
  stopSpending(account)
  const returned = untilReturned(account, send())
  account.leaseState = { kind: 'returning', returned }
  return returned
}

/** Resolves when the store has answered this and every earlier return. The lease is then open again, or gone. */
function untilReturned(account: Account, answer: Promise<unknown>): Promise<void> {
  const returned: Promise<void> = Promise.all([runningReturn(account), answer]).then(() => {
    // A later return waits for this one, and then sets the state.
    if (runningReturn(account) !== returned) return
    const lease = openLease(account)
    if (lease === undefined) account.leaseState = NONE
    else leaseOpened(account, lease)
  })
  return returned
}

/** Called when the store has ended the lease, or when the lease was not renewed in time and ends by itself. */
export function dropLease(account: Account): void {
  const { leaseState: state } = account
  stopSpending(account)
  if (state.kind === 'refilling') account.leaseState = { kind: 'leasing' }
  if (state.kind !== 'open') return
  const { partReturned } = state
  account.leaseState = partReturned === undefined ? NONE : { kind: 'returning', returned: partReturned }
}

/** Drops a lease that was not renewed in time. During a refill the lease stays, because the answer may renew it. */
export function dropLapsedLease(account: Account, nowMs: number): void {
  const { leaseState: state } = account
  if (state.kind === 'open' && nowMs >= state.lease.usableUntilMs) dropLease(account)
}

/** The balance pays for requests that still run on the lease. `endedLeases` keeps the lease until their costs are stored. */
function stopSpending(account: Account): void {
  const lease = openLease(account)
  if (lease !== undefined && !lease.hasNoOpenWork) account.endedLeases.push(lease)
  account.lowMicros = 0
  // The rest of the lease was not used, so the pace must not count it.
  account.pace = { ...account.pace, leftMicros: 0 }
}

/** Forgets ended leases whose costs are all stored, and the uncovered request when its cost is set aside or stored. */
export function dropFinishedLeases(account: Account): void {
  account.endedLeases = account.endedLeases.filter((lease) => !lease.hasNoOpenWork)
  const { balance, endedLeases } = account
  if (balance.uncovered?.account !== account) return
  const { isOver, admission } = balance.uncovered
  const { lease } = admission
  const isKnown = isOver && (lease.leftMicros >= 0 || lease.hasNoOpenWork)
  const isPaid = lease === openLease(account) ? isKnown : !endedLeases.includes(lease)
  if (isPaid) balance.uncovered = undefined
}

// ---- Moves of the refill, and the requests that wait for it ----

/** The refill needs this object before its promise exists, so the caller sets `done` afterwards. */
export function startRefill(account: Account): RunningRefill {
  const running: RunningRefill = { kind: 'running', done: Promise.resolve() }
  account.refill = running
  return running
}

/** Does nothing when another refill has started after `park`. */
export function endRefill(account: Account, running: RunningRefill): void {
  if (account.refill === running) account.refill = IDLE
}

export function park(account: Account): void {
  account.refill = PARKED
}

export function refuseWaiters(
  account: Account,
  reason: (waiter: MoneyWaiter) => unknown,
  isRefused: (waiter: MoneyWaiter) => boolean = () => true,
): void {
  const all = account.waiters.splice(0)
  for (const waiter of all) {
    if (isRefused(waiter)) waiter.refused(reason(waiter))
    else account.waiters.push(waiter)
  }
  if (account.refill.kind === 'parked' && account.waiters.length === 0) account.refill = IDLE
}

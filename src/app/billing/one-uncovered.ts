import { coverAllButOne, isUncovered } from '../../domain/billing/cover-all-but-one.ts'
import type { Micros } from '../../domain/billing/micros.ts'
import type { TextReserve } from '../../domain/billing/reserve-for-text.ts'
import type { UsageCharge } from '../../ports/usage.ts'
import { type Account, dropFinishedLeases, openLease } from './account.ts'
import type { Admission, LeaseOwner } from './lease.ts'

/**
 * Applies `coverAllButOne` to the balance of an organization. After a loss, each account runs one request at a time and
 * reserves its maximum cost, until requests have paid the lost amount or the balance has changed.
 */
export function admitIfCovered(account: Account, request: TextReserve, nowMs: number): Admission | undefined {
  const lease = openLease(account)
  const needMicros = needOf(account, request)
  if (lease === undefined || needMicros === undefined) return undefined
  if (!lease.covers(needMicros + strandedMicros(account), nowMs)) return undefined
  const admission = lease.admit(needMicros, nowMs)
  if (isUncovered(request, needMicros)) account.balance.uncovered = { account, admission, isOver: false }
  return admission
}

/** Requests are served in order. A small request does not overtake a large one, which would otherwise never be served. */
export function serveWaiters(account: Account, nowMs: number): void {
  for (let first = account.waiters[0]; first !== undefined; first = account.waiters[0]) {
    const admission = admitIfCovered(account, first, nowMs)
    if (admission === undefined) return
    account.waiters.shift()
    first.admitted(admission)
  }
}

/** Money that must be available for a request; undefined: it has to wait for another request, however much there is. */
export function needOf(account: Account, request: TextReserve): Micros | undefined {
  const { uncovered, lossMicros } = account.balance
  if (lossMicros > 0) return isBusy(account) ? undefined : request.possibleMicros
  const hasUncovered = uncovered !== undefined && !(uncovered.isOver && uncovered.account === account)
  return coverAllButOne(request, { hasUncovered })
}

/** Requests whose lease ended while they ran are charged to the balance itself, so this amount must stay in the balance. */
export function strandedMicros({ endedLeases }: Account): number {
  let sum = 0
  for (const { takenMicros } of endedLeases) sum += takenMicros
  return sum
}

/** Whether no running request, and no row to be written, frees money. The uncovered request may be of another account. */
export function isIdle(account: Account): boolean {
  const { balance, endedLeases } = account
  const isWritten = openLease(account)?.hasNoOpenWork ?? true
  return isWritten && endedLeases.length === 0 && balance.uncovered === undefined
}

function isBusy(account: Account): boolean {
  return (openLease(account)?.inFlight ?? 0) > 0 || account.endedLeases.length > 0
}

/** `all` lists the accounts of the organization. */
export function leaseOwner(
  account: () => Account,
  { all, wake }: { all(): readonly Account[]; wake(account: Account): void },
): LeaseOwner {
  return {
    requestEnded(admission) {
      const { uncovered } = account().balance
      // After the lease ended, only its rows report the cost beyond the reserve.
      if (uncovered?.admission === admission) uncovered.isOver = openLease(account()) === admission.lease
      dropAndWake(account())
    },
    rowsWritten: () => dropAndWake(account()),
  }

  function dropAndWake(mine: Account): void {
    const { uncovered } = mine.balance
    if (mine.endedLeases.length > 0 || uncovered !== undefined) dropFinishedLeases(mine)
    const isReleased = mine.balance.uncovered !== uncovered
    for (const each of isReleased ? all() : [mine]) if (each.waiters.length > 0) wake(each)
  }
}

/** Adds a loss; fully paid charges lower it. What was reserved before a first loss pays none of it, and counts too. */
export function noteCharge(accounts: readonly Account[], charge: UsageCharge): void {
  const balance = accounts[0]?.balance
  if (balance === undefined) return
  const { fromAllowanceMicros: paid, beyondMicros, lossMicros: loss } = charge
  const isFirst = loss > 0 && balance.lossMicros === 0
  balance.lossMicros = Math.max(0, balance.lossMicros + (loss > 0 ? loss : -paid - beyondMicros))
  if (!isFirst) return
  let counted = -paid - beyondMicros
  for (const each of accounts) counted += strandedMicros(each) + (openLease(each)?.takenMicros ?? 0)
  balance.lossMicros = Math.max(loss, counted)
}

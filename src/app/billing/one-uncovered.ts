import { coverAllButOne, isUncovered } from '../../domain/billing/cover-all-but-one.ts'
import type { Micros } from '../../domain/billing/micros.ts'
import type { TextReserve } from '../../domain/billing/reserve-for-text.ts'
import type { UsageCharge } from '../../ports/usage.ts'
import { type Account, dropFinishedLeases, openLease } from './account.ts'
import type { Admission, LeaseOwner } from './lease.ts'

/**
 * Applies `coverAllButOne` to the balance of an organization. After a loss, requests run one at a time, each with its
 * maximum cost reserved, until they have paid the lost amount or the balance has changed.
 */
export function admitIfCovered(account: Account, request: TextReserve, nowMs: number): Admission | undefined {
  const lease = openLease(account)
  const needMicros = needOf(account, request)
  if (lease === undefined || needMicros === undefined) return undefined
  if (!lease.covers(needMicros + strandedMicros(account), nowMs)) return undefined
  const admission = lease.admit(needMicros, nowMs)
  if (isUncovered(request, needMicros)) account.uncovered = admission
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
  if (account.lossMicros > 0) return isBusy(account) ? undefined : request.possibleMicros
  return coverAllButOne(request, { hasUncovered: account.uncovered !== undefined })
}

/** Requests whose lease ended while they ran are charged to the balance itself, so this amount must stay in the balance. */
export function strandedMicros({ endedLeases }: Account): number {
  let sum = 0
  for (const { takenMicros } of endedLeases) sum += takenMicros
  return sum
}

/** Whether all requests have ended and their rows are written, so that none of them frees money. */
export function isIdle(account: Account): boolean {
  return (openLease(account)?.hasNoOpenWork ?? true) && account.endedLeases.length === 0
}

function isBusy(account: Account): boolean {
  return (openLease(account)?.inFlight ?? 0) > 0 || account.endedLeases.length > 0
}

export function leaseOwner(account: () => Account, wake: (account: Account) => void): LeaseOwner {
  return {
    requestEnded(admission) {
      const mine = account()
      // The lease has now paid the cost beyond the reserve. After the lease ended, only its rows report that cost.
      if (mine.uncovered === admission && openLease(mine) === admission.lease) mine.uncovered = undefined
      dropAndWake(mine)
    },
    rowsWritten() {
      dropAndWake(account())
    },
  }

  function dropAndWake(mine: Account): void {
    if (mine.endedLeases.length > 0) dropFinishedLeases(mine)
    if (mine.waiters.length > 0) wake(mine)
  }
}

/** Adds the loss of a charge to the account; a charge that was paid in full lowers it. */
export function noteCharge(account: Account, charge: UsageCharge): void {
  const { fromAllowanceMicros, beyondMicros, lossMicros } = charge
  if (lossMicros > 0) account.lossMicros += lossMicros
  else account.lossMicros = Math.max(0, account.lossMicros - fromAllowanceMicros - beyondMicros)
}

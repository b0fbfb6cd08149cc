import { coverAllButOne, isUncovered } from '../../domain/billing/cover-all-but-one.ts'
import type { Micros } from '../../domain/billing/micros.ts'
import type { TextReserve } from '../../domain/billing/reserve-for-text.ts'
import { type Account, dropFinishedLeases, openLease } from './account.ts'
import type { Admission, LeaseOwner } from './lease.ts'

/**
 * Applies `coverAllButOne` to the balance of an organization. After a loss every request reserves its maximum cost, until
 * the organization's money is changed, because the losses together would otherwise exceed the cost of one request.
 */
export function admitIfCovered(account: Account, request: TextReserve, nowMs: number): Admission | undefined {
  const lease = openLease(account)
  const needMicros = needOf(account, request)
  if (!lease?.covers(needMicros + strandedMicros(account), nowMs)) return undefined
  const admission = lease.admit(needMicros, nowMs)
  if (isUncovered(request, needMicros)) account.balance.uncovered = { account, admission, isOver: false }
  return admission
}

/** Requests are served in order. A small request does not overtake a large one, which might otherwise never be served. */
export function serveWaiters(account: Account, nowMs: number): void {
  for (let first = account.waiters[0]; first !== undefined; first = account.waiters[0]) {
    const admission = admitIfCovered(account, first, nowMs)
    if (admission === undefined) return
    account.waiters.shift()
    first.admitted(admission)
  }
}

/** Money that must be available for a request beside the running ones. */
export function needOf(account: Account, request: TextReserve): Micros {
  const { uncovered } = account.balance
  const isFree = uncovered === undefined || (uncovered.isOver && uncovered.account === account)
  return isFree ? needAlone(account, request) : request.possibleMicros
}

/** Money that must be available for a request while no other runs. */
export function needAlone({ balance }: Account, request: TextReserve): Micros {
  return coverAllButOne(request, { hasUncovered: balance.hasLoss })
}

/** Requests whose lease ended while they ran are charged to the balance itself, so this amount must stay in the balance. */
export function strandedMicros({ endedLeases }: Account): number {
  let sum = 0
  for (const { takenMicros } of endedLeases) sum += takenMicros
  return sum
}

/** Whether no running request and no unwritten row can free money. The uncovered request may be of another account. */
export function isIdle(account: Account): boolean {
  const { balance, endedLeases } = account
  const isWritten = openLease(account)?.hasNoOpenWork ?? true
  return isWritten && endedLeases.length === 0 && balance.uncovered === undefined
}

/** `all` lists the accounts of the organization. */
export function leaseOwner(
  account: () => Account,
  { all, wake }: { all(): readonly Account[]; wake(account: Account): void },
): LeaseOwner {
  return {
    requestEnded(admission) {
      const { uncovered } = account().balance
      // After the lease has ended, the cost beyond the reserve is known only when the row is written.
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

import { ApiError } from '../../domain/api-error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { UsageStore } from '../../ports/usage.ts'
import {
  type Account,
  dropLapsedLease,
  dropLease,
  holdResolved,
  openLease,
  refuseWaiters,
  unconfirmedHoldId,
} from './account.ts'
import type { Accounts } from './accounts.ts'
import type { GiveBack } from './give-back.ts'
import { LEASE_LIFE_MS, type Lease } from './lease.ts'

/** Leaves two attempts before a lease ends. */
const RENEW_AFTER_MS = 10_000
const IDLE_AFTER_MS = 5_000
/** Unused money of a burst goes back when the lease has this many times its target. */
const PLENTY = 2
const PARKED_MS_MAX = 30_000
const RETRY_AFTER_SECONDS = 5

/** Renews leases before money goes back: when a renewal rejects, the leases can still be spent. */
export async function keepLeases(tools: {
  accounts: Accounts
  giveBack: GiveBack
  usage: UsageStore
  clock: Clock
}): Promise<void> {
  const { accounts, giveBack, usage, clock } = tools
  const nowMs = clock.monotonicMs()
  const due: Account[] = []
  const unconfirmed: Account[] = []
  for (const account of accounts.values()) {
    refuseTooLate(account, nowMs)
    dropLapsedLease(account, nowMs)
    const lease = openLease(account)
    if (account.leaseState.kind === 'unconfirmed' && account.refill.kind !== 'running')
      unconfirmed.push(account)
    if (lease === undefined) {
      if (isForgettable(account, nowMs)) accounts.delete(account)
    } else if (nowMs - lease.renewedAtMs >= RENEW_AFTER_MS || surplus(account, nowMs) !== 0) due.push(account)
  }
  await renew(due, { usage, clock })
  await Promise.all(unconfirmed.map((account) => giveBackUnconfirmed(account)))
  await Promise.all(due.map((account) => giveBackSurplus(account)))

  /** The store had about a second to open the hold. A hold that does not exist by now was never opened. */
  async function giveBackUnconfirmed(account: Account): Promise<void> {
    const holdId = unconfirmedHoldId(account)
    await giveBack.unconfirmed(account)
    if (holdId !== undefined) holdResolved(account, holdId)
  }

  async function giveBackSurplus(account: Account): Promise<void> {
    const amountMicros = surplus(account, nowMs)
    if (amountMicros === 'all') await giveBack.all(account)
    else await giveBack.part(account, amountMicros)
  }
}

/** A parked request may wait for a stream of many minutes, so it is refused before its client gives up. */
function refuseTooLate(account: Account, nowMs: number): void {
  if (account.refill.kind !== 'parked') return
  refuseWaiters(
    account,
    ({ sinceMs }) => nowMs - sinceMs >= PARKED_MS_MAX,
    () => new ApiError('funds_in_use', { retryAfterSeconds: RETRY_AFTER_SECONDS }),
  )
}

function isForgettable(account: Account, nowMs: number): boolean {
  const { leaseState, refill, endedLeases, lossMicros } = account
  if (leaseState.kind !== 'none' || refill.kind !== 'idle') return false
  if (endedLeases.length > 0 || lossMicros > 0) return false
  return nowMs >= account.refused.untilMs && nowMs >= account.unreachableUntilMs
}

function surplus(account: Account, nowMs: number): number | 'all' {
  const { refill, targetMicros } = account
  const lease = openLease(account)
  if (lease === undefined || refill.kind === 'running') return 0
  if (isIdle(lease, nowMs)) return 'all'
  return lease.leftMicros > PLENTY * targetMicros ? lease.leftMicros - targetMicros : 0
}

function isIdle(lease: Lease, nowMs: number): boolean {
  return lease.hasNoOpenWork && (lease.isUncertain || nowMs - lease.lastUsedMs >= IDLE_AFTER_MS)
}

async function renew(
  due: readonly Account[],
  { usage, clock }: { usage: UsageStore; clock: Clock },
): Promise<void> {
  const leases = due.flatMap((account) => openLease(account) ?? [])
  if (leases.length === 0) return
  const atMs = clock.monotonicMs()
  const open = await usage.renew({
    holdIds: leases.map(({ holdId }) => holdId),
    expiresAtMs: clock.nowMs() + LEASE_LIFE_MS,
  })
  const stillOpen = new Set(open)
  const renewing = new Set(leases)
  for (const account of due) {
    const lease = openLease(account)
    if (lease === undefined || !renewing.has(lease)) continue
    if (stillOpen.has(lease.holdId)) lease.renewed(atMs)
    else dropLease(account)
  }
}

import { ApiError } from '../../domain/api-error.ts'
import type { Micros } from '../../domain/billing/micros.ts'
import type { TextReserve } from '../../domain/billing/reserve-for-text.ts'
import type { Clock } from '../../ports/clock.ts'
import type { UsageCharge, UsageStore } from '../../ports/usage.ts'
import type { Runtime } from '../runtime.ts'
import {
  type Account,
  dropLapsedLease,
  dropLease,
  holdResolved,
  isAsking,
  openAccount,
  openLease,
  refuseWaiters,
  unconfirmedHoldId,
} from './account.ts'
import { Accounts } from './accounts.ts'
import { createGiveBack, type GiveBack } from './give-back.ts'
import { type Admission, LEASE_LIFE_MS, type Lease } from './lease.ts'
import { type BudgetTime, moneyRefused } from './money-refused.ts'
import { admitIfCovered, leaseOwner, needAlone } from './one-uncovered.ts'
import { createRefill } from './refill.ts'

/** Admits text requests from leases in memory: one for each organization, and one for each key with a budget. */
export interface Allowances {
  /**
   * Returns no promise while the lease covers the request. Refuses with `insufficient_balance` or `budget_exceeded`, with
   * `funds_in_use` if running requests hold the needed money for too long, and with `billing_unavailable` if the store can
   * give no money or the usage buffer is full.
   */
  admit(
    organizationId: string,
    reserveMicros: Micros,
    possibleMicros?: Micros,
    keyId?: string,
  ): Admission | Promise<Admission>
  charged(charge: UsageCharge): void
  /** Returns unused money to the store, because another replica needs it. */
  wanted(organizationId: string): void
  /** Forgets refusals and losses, because the organization's money has changed. */
  forget(organizationId: string): void
  /** Drops an allowance whose deadline has passed by the wall clock, because the store has ended it. */
  expired(hold: { id: string; organizationId: string }): void
  /** Renews leases that are in use and gives back unused money, in one pass. Rejects while the store is unreachable. */
  keep(): Promise<void>
  stop(): void
  /** Returns all leases. A lease with unwritten rows stays, and expires by itself. */
  giveBackAll(): Promise<void>
}

/** Maximum parked requests of one account: each one holds its client's connection and body. */
const PARKED_MAX = 64

export function createAllowances(
  tools: Pick<Runtime, 'cache' | 'clock' | 'log' | 'newId' | 'pause'> & {
    usage: UsageStore
    calendar: BudgetTime['calendar']
    /** Whether the `UsageBuffer` is full. No request is admitted then. */
    usageIsFull(): boolean
  },
): Allowances {
  const { clock, usageIsFull } = tools
  const accounts = new Accounts()
  const giveBack = createGiveBack(tools)
  const refill = createRefill({ ...tools, giveBack })
  let isStopped = false

  return {
    admit(organizationId, reserveMicros, possibleMicros = reserveMicros, keyId = undefined) {
      if (isStopped || usageIsFull()) throw new ApiError('billing_unavailable')
      const account = accountOf(organizationId, keyId)
      const nowMs = clock.monotonicMs()
      const request = { reserveMicros, possibleMicros }
      const admission = account.waiters.length > 0 ? undefined : admitIfCovered(account, request, nowMs)
      if (admission === undefined) return wait(account, request, nowMs)
      const { lease } = admission
      if (lease.leftMicros < account.lowMicros && nowMs >= account.refillRestsUntilMs)
        refill(account, admission.reserveMicros)
      return admission
    },
    charged({ organizationId, beyondMicros, lossMicros }) {
      for (const { balance } of accounts.of(organizationId)) balance.hasLoss ||= lossMicros > 0
      // The organization's budget may be spent now, so what other accounts have leased may not be spent any more.
      if (beyondMicros > 0) wanted(organizationId)
    },
    wanted,
    forget(organizationId) {
      for (const account of accounts.of(organizationId)) {
        account.refused.untilMs = 0
        account.balance.hasLoss = false
        if (account.waiters.length > 0) wake(account)
      }
    },
    expired({ id, organizationId }) {
      for (const account of accounts.of(organizationId))
        if (openLease(account)?.holdId === id) dropLease(account)
    },
    keep: () => keepLeases({ ...tools, accounts, giveBack }),
    stop() {
      isStopped = true
      for (const account of accounts.values())
        refuseWaiters(account, () => new ApiError('billing_unavailable'))
    },
    async giveBackAll() {
      await Promise.all([...accounts.values()].map((account) => giveBackWhenWritten(account)))
    },
  }

  function wanted(organizationId: string): void {
    for (const account of accounts.of(organizationId)) {
      if (isAsking(account)) account.returnAfterAnswer = true
      else void giveBack.rest(account)
    }
  }

  function accountOf(organizationId: string, keyId: string | undefined): Account {
    const known = accounts.get(organizationId, keyId)
    if (known !== undefined) return known
    const all = () => accounts.of(organizationId)
    const balance = all()[0]?.balance ?? { uncovered: undefined, hasLoss: false }
    const account: Account = openAccount(
      { organizationId, keyId, balance },
      leaseOwner(() => account, { all, wake }),
    )
    accounts.add(account)
    return account
  }

  function wake(account: Account): void {
    refill(account, account.waiters[0]?.reserveMicros ?? 0)
  }

  async function giveBackWhenWritten(account: Account): Promise<void> {
    if (account.refill.kind === 'running') await account.refill.done
    const lease = openLease(account)
    if (lease !== undefined && lease.unwritten > 0) return
    await giveBack.all(account)
  }

  function wait(account: Account, request: TextReserve, sinceMs: number): Promise<Admission> {
    const { refused, unreachableUntilMs, waiters } = account
    const neededMicros = needAlone(account, request)
    if (sinceMs < refused.untilMs && neededMicros >= refused.atLeastMicros)
      throw moneyRefused(refused.code, tools, { ...refused, neededMicros })
    if (sinceMs < unreachableUntilMs) throw new ApiError('billing_unavailable')
    const isParked = account.refill.kind === 'parked'
    if (isParked && waiters.length >= PARKED_MAX) throw new ApiError('funds_in_use')
    return new Promise((admitted, refuse) => {
      waiters.push({ ...request, sinceMs, admitted, refused: refuse })
      if (!isParked) refill(account, request.reserveMicros)
    })
  }
}

/** Leaves time for two attempts that time out before the lease ends. */
const RENEW_AFTER_MS = 10_000
const IDLE_AFTER_MS = 5_000
/** Unused money of a burst goes back when the lease has more than this many times its target. */
const PLENTY = 2
const PARKED_MS_MAX = 30_000
const RETRY_AFTER_SECONDS = 5

/** Renews leases before money goes back. When a renewal rejects, no money goes back, and the leases can still be spent. */
async function keepLeases(tools: {
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
    () => new ApiError('funds_in_use', { retryAfterSeconds: RETRY_AFTER_SECONDS }),
    ({ sinceMs }) => nowMs - sinceMs >= PARKED_MS_MAX,
  )
}

function isForgettable(account: Account, nowMs: number): boolean {
  const { leaseState, refill, endedLeases, balance } = account
  if (leaseState.kind !== 'none' || refill.kind !== 'idle') return false
  if (endedLeases.length > 0 || balance.hasLoss) return false
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

async function renew(due: readonly Account[], input: { usage: UsageStore; clock: Clock }): Promise<void> {
  const { usage, clock } = input
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

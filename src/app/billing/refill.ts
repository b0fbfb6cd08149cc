import { ApiError } from '../../domain/api-error.ts'
import type { Micros } from '../../domain/billing/micros.ts'
import { monthOf } from '../../domain/limits/calendar-day.ts'
import type { UsageStore } from '../../ports/usage.ts'
import { followTopic } from '../follow-topic.ts'
import type { Runtime } from '../runtime.ts'
import {
  type Account,
  askStore,
  dropLapsedLease,
  dropLease,
  endRefill,
  hasUnconfirmedHold,
  leaseOpened,
  type MoneyRefusal,
  openLease,
  park,
  type RunningRefill,
  refuseWaiters,
  runningReturn,
  startRefill,
  unconfirmedHoldId,
} from './account.ts'
import type { GiveBack } from './give-back.ts'
import { LEASE_LIFE_MS, Lease } from './lease.ts'
import { amountsToAsk, measurePace, targetMicros } from './lease-size.ts'
import { type BudgetTime, moneyRefused } from './money-refused.ts'
import { isIdle, needAlone, needOf, serveWaiters, strandedMicros } from './one-uncovered.ts'

/** Each message is the id of an organization that lacks money on one replica. Other replicas then return unused money. */
const ALLOWANCE_WANTED_TOPIC = 'sluice:allowance-wanted'
/** Time for other replicas to return unused money. */
const OTHERS_ANSWER_MS = 50
/** Pause after a refill that brought no money or did not reach the store. */
const REST_MS = 200
/** A background refill starts at a quarter of the target, or of the amount after the last refill if that was smaller. */
const LOW_DIVISOR = 4

/** Fetches more money for an account until no request waits. At most one refill runs per account. */
export type Refill = (account: Account, reserveMicros: number) => void

interface RefillTools extends Pick<Runtime, 'cache' | 'clock' | 'log' | 'newId' | 'pause'> {
  usage: UsageStore
  calendar: BudgetTime['calendar']
  giveBack: GiveBack
}

export function createRefill(tools: RefillTools): Refill {
  const { cache, clock, log, pause, giveBack } = tools
  return (account, reserveMicros) => {
    if (account.refill.kind === 'running') return
    const running = startRefill(account)
    running.done = run(account, reserveMicros, running)
  }

  async function run(account: Account, reserveMicros: number, running: RunningRefill): Promise<void> {
    try {
      do await fill(account, reserveMicros)
      while (account.waiters.length > 0 && account.refill === running)
    } catch (error) {
      const nowMs = clock.monotonicMs()
      noteUnreachable(account, nowMs)
      log.debug('allowance.lease_failed', { organizationId: account.organizationId, error })
      serveWaiters(account, nowMs)
      refuseWaiters(account, () => new ApiError('billing_unavailable', { cause: error }))
    } finally {
      endRefill(account, running)
    }
  }

  async function fill(account: Account, reserveMicros: number): Promise<void> {
    const first = account.waiters[0]
    if (first === undefined) {
      if (!(await more(account, () => reserveMicros)))
        account.refillRestsUntilMs = clock.monotonicMs() + REST_MS
      return
    }
    const needMicros = () => needOf(account, account.waiters[0] ?? first)
    if (await more(account, needMicros)) return
    await askReplicasToReturn(account)
    const neededMicros = needMicros()
    if (await more(account, needMicros)) return
    // A request that ended during the call may have lowered the need. The next round asks for the lower amount.
    if (needMicros() < neededMicros) return
    if (isIdle(account)) await refuse(account, needMicros())
    else if (await more(account, () => first.reserveMicros)) waitForRunning(account)
    else await refuse(account, first.reserveMicros)
  }

  /** A request waits while running requests may free the money that it needs. When one of them ends, a new refill starts. */
  function waitForRunning(account: Account): void {
    serveWaiters(account, clock.monotonicMs())
    if (account.waiters.length > 0 && !isIdle(account)) park(account)
  }

  /** Refuses with `billing_unavailable` while the store may hold money that this replica does not know of. */
  async function refuse(account: Account, askedMicros: Micros): Promise<void> {
    const isUnsure = hasUnconfirmedHold(account)
    const refusal = isUnsure ? undefined : await whyRefused(account, askedMicros)
    if (refusal === undefined) noteUnreachable(account, clock.monotonicMs())
    else if (refusal.code !== 'funds_in_use')
      account.refused = { ...refusal, atLeastMicros: askedMicros, untilMs: clock.monotonicMs() + REST_MS }
    const { code = 'billing_unavailable', availableMicros } = refusal ?? {}
    refuseWaiters(
      account,
      (waiter) => moneyRefused(code, tools, { neededMicros: needAlone(account, waiter), availableMicros }),
      (waiter) => needAlone(account, waiter) >= askedMicros,
    )
  }

  async function whyRefused(account: Account, amountMicros: Micros): Promise<MoneyRefusal> {
    const { organizationId, keyId } = account
    const month = monthOf(tools.calendar.dayAt(clock.nowMs()))
    const refusal = await tools.usage.whyRefused({ organizationId, keyId, amountMicros, month })
    if (refusal?.kind === 'budget-exceeded') return { code: 'budget_exceeded' }
    if (refusal?.kind === 'funds-in-use') return { code: 'funds_in_use' }
    return { code: 'insufficient_balance', availableMicros: refusal?.availableMicros }
  }

  async function more(account: Account, needMicros: () => number): Promise<boolean> {
    await runningReturn(account)
    await giveBack.unconfirmed(account)
    dropLapsedLease(account, clock.monotonicMs())
    const needed = () => needMicros() + strandedMicros(account)
    const isThere = await askForMore(account, needed, tools)
    serveWaiters(account, clock.monotonicMs())
    if (account.returnAfterAnswer) {
      account.returnAfterAnswer = false
      await giveBack.rest(account)
    }
    return isThere
  }

  /** Asks all replicas to return unused money: if several replicas lack money, one of them then finds enough. */
  async function askReplicasToReturn(account: Account): Promise<void> {
    await giveBack.rest(account)
    try {
      await cache.publish(ALLOWANCE_WANTED_TOPIC, account.organizationId)
    } catch (error) {
      log.debug('allowance.request_failed', { organizationId: account.organizationId, error })
    }
    await pause(OTHERS_ANSWER_MS)
  }
}

export function subscribeToWantedAllowances(
  tools: Pick<Runtime, 'cache' | 'log'> & { wanted(organizationId: string): void },
): Promise<void> {
  const failure = 'allowance.subscribe_failed'
  return followTopic(ALLOWANCE_WANTED_TOPIC, tools.wanted, { ...tools, failure })
}

type AskTools = Pick<RefillTools, 'usage' | 'clock' | 'newId' | 'calendar'>

/**
 * Asks the store for money, again if the lease changed meanwhile. Returns true when the needed amount is available now,
 * or when no request waits and there is more money than before. Rejects while the store is unreachable.
 */
async function askForMore(account: Account, needed: () => number, tools: AskTools): Promise<boolean> {
  const { usage, clock, newId } = tools
  // Returned money may be all there is, so the call waits until the store has it.
  for (let sent = runningReturn(account); sent !== undefined; sent = runningReturn(account)) await sent
  const lease = openLease(account)
  const needMicros = needed()
  const leftMicros = lease?.leftMicros ?? 0
  if (account.waiters.length > 0 && lease !== undefined && leftMicros >= needMicros) return true

  const atMs = clock.monotonicMs()
  account.pace = measurePace(account.pace, { leftMicros, atMs })
  const target = targetMicros(account.pace, needMicros)
  const lostHoldId = unconfirmedHoldId(account)
  const holdId = lease?.holdId ?? lostHoldId ?? newId('hold')
  const nowMs = clock.nowMs()
  const given = await askStore(account, holdId, () =>
    usage.lease({
      holdId,
      organizationId: account.organizationId,
      keyId: account.keyId,
      amountsMicros: amountsToAsk({ targetMicros: target, leftMicros, needMicros }),
      nowMs,
      expiresAtMs: nowMs + LEASE_LIFE_MS,
      month: monthOf(tools.calendar.dayAt(nowMs)),
    }),
  )
  if (openLease(account) !== lease) return askForMore(account, needed, tools)
  if (given === undefined) {
    if (await isOutOfMoney(lease, lostHoldId, tools)) return false
    if (openLease(account) === lease) dropLease(account)
    return askForMore(account, needed, tools)
  }
  if (lease === undefined) {
    const opened = new Lease({
      holdId,
      amountMicros: given,
      atMs,
      keyId: account.keyId,
      owner: account.owner,
    })
    // The store may have carried out the lost call just now. The hold is then larger than this replica knows.
    opened.isUncertain = lostHoldId !== undefined
    leaseOpened(account, opened)
  } else {
    lease.leftMicros += given
    lease.renewed(atMs)
  }
  noteRefill(account, target)
  return given > 0 || account.waiters.length > 0
}

/** Whether the store has no money. false: the lease had ended or was unconfirmed, so another call may help. */
async function isOutOfMoney(
  lease: Lease | undefined,
  lostHoldId: string | undefined,
  { usage, clock }: AskTools,
): Promise<boolean> {
  if (lease === undefined) return lostHoldId === undefined
  const atMs = clock.monotonicMs()
  const open = await usage.renew({ holdIds: [lease.holdId], expiresAtMs: clock.nowMs() + LEASE_LIFE_MS })
  if (open.length === 0) return false
  lease.renewed(atMs)
  return true
}

function noteRefill(account: Account, targetMicros: number): void {
  const leftMicros = openLease(account)?.leftMicros ?? 0
  account.pace = { ...account.pace, leftMicros }
  account.targetMicros = targetMicros
  account.lowMicros = Math.min(targetMicros, Math.max(0, leftMicros)) / LOW_DIVISOR
}

function noteUnreachable(account: Account, nowMs: number): void {
  account.refillRestsUntilMs = nowMs + REST_MS
  account.unreachableUntilMs = nowMs + REST_MS
}

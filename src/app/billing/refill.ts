import { Refusal } from '../../domain/refusal.ts'
import type { Cache } from '../../ports/cache.ts'
import type { Clock, Pause } from '../../ports/clock.ts'
import type { NewId } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { UsageStore } from '../../ports/usage.ts'
import {
  type Account,
  dropLapsedLease,
  isInDoubt,
  noteAway,
  noteNothing,
  noteRefused,
  refuseWaiters,
} from './account.ts'
import { ALLOWANCE_WANTED_TOPIC } from './allowance-wanted.ts'
import { askForMore } from './ask-for-more.ts'
import type { GiveBack } from './give-back.ts'
import { isIdle, needOf, serveWaiters, strandedMicros } from './one-uncovered.ts'

/** For other replicas to hear that we are short and to give back what they do not use. */
const OTHERS_ANSWER_MS = 50

/** Fetches more for an account until nobody waits any more. Nobody waits for more than the one that is under way. */
export type Refill = (account: Account, reserveMicros: number) => void

export function createRefill(tools: {
  usage: UsageStore
  cache: Cache
  clock: Clock
  newId: NewId
  log: Log
  pause: Pause
  giveBack: GiveBack
}): Refill {
  const { cache, clock, log, pause, giveBack } = tools
  return (account, reserveMicros) => {
    account.refilling ??= run(account, reserveMicros)
  }

  async function run(account: Account, reserveMicros: number): Promise<void> {
    try {
      do await fill(account, reserveMicros)
      while (account.waiters.length > 0 && !account.isParked)
    } catch (error) {
      const nowMs = clock.monotonicMs()
      noteAway(account, nowMs)
      log.debug('an allowance could not be leased', { organizationId: account.organizationId, error })
      serveWaiters(account, nowMs)
      refuseWaiters(account, 0, () => new Refusal('billing_unavailable', { cause: error }))
    } finally {
      account.refilling = undefined
    }
  }

  async function fill(account: Account, reserveMicros: number): Promise<void> {
    const first = account.waiters[0]
    if (first === undefined) {
      if (!(await more(account, () => reserveMicros))) noteNothing(account, clock.monotonicMs())
      return
    }
    const needMicros = () => needOf(account, account.waiters[0] ?? first) ?? first.reserveMicros
    if (needOf(account, first) === undefined) return park(account)
    if (await more(account, needMicros)) return
    await poolWithOthers(account)
    if (await more(account, needMicros)) return
    if (isIdle(account) || !(await more(account, () => first.reserveMicros)))
      refuse(account, first.reserveMicros)
    else park(account)
  }

  /** It is not refused while the end of a running request may free what it needs: that end tries again. */
  function park(account: Account): void {
    serveWaiters(account, clock.monotonicMs())
    account.isParked = account.waiters.length > 0 && !isIdle(account)
  }

  /** Nobody is told that the money is gone while we ourselves may have it without knowing. */
  function refuse(account: Account, reserveMicros: number): void {
    const isUnsure = isInDoubt(account)
    if (isUnsure) noteAway(account, clock.monotonicMs())
    else noteRefused(account, reserveMicros, clock.monotonicMs())
    const code = isUnsure ? 'billing_unavailable' : 'insufficient_balance'
    refuseWaiters(account, reserveMicros, () => new Refusal(code))
  }

  async function more(account: Account, needMicros: () => number): Promise<boolean> {
    await account.returning
    await giveBack.unheard(account)
    dropLapsedLease(account, clock.monotonicMs())
    const needed = () => needMicros() + strandedMicros(account)
    const isThere = await askForMore(account, needed, tools)
    serveWaiters(account, clock.monotonicMs())
    if (account.isWanted) {
      account.isWanted = false
      await giveBack.rest(account)
    }
    return isThere
  }

  /**
   * Everybody, we included, puts back what lies idle: of several replicas that are short at once, one then finds enough
   * instead of each keeping too little.
   */
  async function poolWithOthers(account: Account): Promise<void> {
    await giveBack.rest(account)
    try {
      await cache.publish(ALLOWANCE_WANTED_TOPIC, account.organizationId)
    } catch (error) {
      log.debug('other replicas could not be asked for money', {
        organizationId: account.organizationId,
        error,
      })
    }
    await pause(OTHERS_ANSWER_MS)
  }
}

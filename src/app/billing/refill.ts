import { Refusal } from '../../domain/errors.ts'
import type { Cache } from '../../ports/cache.ts'
import type { Clock } from '../../ports/clock.ts'
import type { NewId } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Pause } from '../../ports/pause.ts'
import type { UsageStore } from '../../ports/usage.ts'
import { type Account, dropLapsedLease, refuseWaiters, serveWaiters } from './account.ts'
import { ALLOWANCE_WANTED_TOPIC } from './allowance-wanted.ts'
import { askForMore } from './ask-for-more.ts'
import type { GiveBack } from './give-back.ts'

/** For other replicas to hear that we are short and to give back what they do not use. */
const OTHERS_ANSWER_MS = 50
/** A poor organization's storm of requests reaches the store this seldom, and a store that is away is asked this seldom. */
const REST_MS = 200

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
      while (account.waiters.length > 0)
    } catch (error) {
      const nowMs = clock.monotonicMs()
      account.restUntilMs = nowMs + REST_MS
      account.awayUntilMs = nowMs + REST_MS
      log.debug('an allowance could not be leased', { organizationId: account.organizationId, error })
      serveWaiters(account, nowMs)
      refuseWaiters(account, 0, () => new Refusal('billing_unavailable', { cause: error }))
    } finally {
      account.refilling = undefined
    }
  }

  async function fill(account: Account, reserveMicros: number): Promise<void> {
    const first = account.waiters[0]
    if (await more(account, reserveMicros)) return
    if (first === undefined) {
      account.restUntilMs = clock.monotonicMs() + REST_MS
      return
    }
    await poolWithOthers(account)
    if (await more(account, first.reserveMicros)) return
    account.refusedMicros = first.reserveMicros
    account.refusedUntilMs = clock.monotonicMs() + REST_MS
    refuseWaiters(account, first.reserveMicros, () => new Refusal('insufficient_balance'))
  }

  async function more(account: Account, reserveMicros: number): Promise<boolean> {
    await account.returning
    dropLapsedLease(account, clock.monotonicMs())
    const isThere = await askForMore(account, reserveMicros, tools)
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

import { type Micros, micros } from '../../domain/billing/micros.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { UsageStore } from '../../ports/usage.ts'
import { type Account, dropLease, takeFromLease } from './account.ts'

export interface GiveBack {
  /** What is neither reserved nor spent; all of it when nothing is. */
  rest(account: Account): Promise<void>
  /** A part of what is left. */
  part(account: Account, amountMicros: number): Promise<void>
  all(account: Account): Promise<void>
  /**
   * What the store may have opened without our hearing of it: it would keep that from everybody until it expires. Rejects
   * while the store is away. A store that has none yet may still be at it, so that its id is kept for the next question.
   */
  unheard(account: Account): Promise<void>
}

/**
 * Takes the money out of our own hands first and tells the store then: a request that comes in between must not spend
 * it. What the store did not hear of expires with the lease, so giving back does not reject.
 */
export function createGiveBack({
  usage,
  clock,
  log,
}: {
  usage: UsageStore
  clock: Clock
  log: Log
}): GiveBack {
  return { rest, part, all, unheard }

  function rest(account: Account): Promise<void> {
    const { lease } = account
    if (lease === undefined) return account.returning ?? Promise.resolve()
    return lease.isQuiet ? all(account) : part(account, lease.leftMicros)
  }

  function part(account: Account, amountMicros: number): Promise<void> {
    const { lease } = account
    if (lease === undefined || amountMicros <= 0) return account.returning ?? Promise.resolve()
    takeFromLease(account, lease, amountMicros)
    return send(account, lease.holdId, micros(amountMicros)).then((sent) => {
      if (sent === 'ended' && account.lease === lease) dropLease(account)
      if (sent === 'unknown') lease.isUncertain = true
    })
  }

  function all(account: Account): Promise<void> {
    const holdId = account.lease?.holdId ?? account.unheardHoldId
    if (holdId === undefined) return account.returning ?? Promise.resolve()
    dropLease(account)
    account.unheardHoldId = undefined
    return send(account, holdId, 'all').then(() => {})
  }

  async function unheard(account: Account): Promise<void> {
    const { unheardHoldId: holdId } = account
    if (holdId === undefined) return
    const wasThere = await usage.giveBack({ holdId, amountMicros: 'all', atMs: clock.nowMs() })
    if (wasThere && account.unheardHoldId === holdId) account.unheardHoldId = undefined
  }

  function send(account: Account, holdId: string, amountMicros: Micros | 'all') {
    const before = account.returning ?? Promise.resolve()
    const sending = Promise.all([before, tell(account.organizationId, holdId, amountMicros)])
    const done: Promise<void> = sending.then(() => {
      if (account.returning === done) account.returning = undefined
    })
    account.returning = done
    return sending.then(([, sent]) => sent)
  }

  async function tell(
    organizationId: string,
    holdId: string,
    amountMicros: Micros | 'all',
  ): Promise<'sent' | 'ended' | 'unknown'> {
    try {
      return (await usage.giveBack({ holdId, amountMicros, atMs: clock.nowMs() })) ? 'sent' : 'ended'
    } catch (error) {
      log.warn('an allowance could not be given back; it expires by itself', { organizationId, error })
      return 'unknown'
    }
  }
}

import { type Micros, micros } from '../../domain/billing/micros.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { UsageStore } from '../../ports/usage.ts'
import { type Account, dropLease } from './account.ts'

export interface GiveBack {
  /** What is neither reserved nor spent; all of it when nothing is. */
  rest(account: Account): Promise<void>
  /** A part of what is left. */
  part(account: Account, amountMicros: number): Promise<void>
  all(account: Account): Promise<void>
}

/**
 * Takes the money out of our own hands first and tells the store then: a request that comes in between must not spend
 * it. What the store did not hear of expires with the lease, so nothing here rejects.
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
  return { rest, part, all }

  function rest(account: Account): Promise<void> {
    const { lease } = account
    if (lease === undefined) return account.returning ?? Promise.resolve()
    return lease.isQuiet ? all(account) : part(account, lease.leftMicros)
  }

  function part(account: Account, amountMicros: number): Promise<void> {
    const { lease } = account
    if (lease === undefined || amountMicros <= 0) return account.returning ?? Promise.resolve()
    lease.leftMicros -= amountMicros
    account.pace = { ...account.pace, leftMicros: account.pace.leftMicros - amountMicros }
    return send(account, lease.holdId, micros(amountMicros)).then((sent) => {
      if (sent === 'ended' && account.lease === lease) dropLease(account)
      if (sent === 'unknown') lease.isUncertain = true
    })
  }

  function all(account: Account): Promise<void> {
    const { lease } = account
    if (lease === undefined) return account.returning ?? Promise.resolve()
    dropLease(account)
    return send(account, lease.holdId, 'all').then(() => {})
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

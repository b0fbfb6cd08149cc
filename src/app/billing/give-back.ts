import { type Micros, micros } from '../../domain/billing/micros.ts'
import type { UsageStore } from '../../ports/usage.ts'
import type { Runtime } from '../runtime.ts'
import {
  type Account,
  dropLease,
  holdResolved,
  openLease,
  returnAll,
  returnPart,
  runningReturn,
  unconfirmedHoldId,
} from './account.ts'

export interface GiveBack {
  /** Returns the unused money: the whole lease if no request uses it. */
  rest(account: Account): Promise<void>
  part(account: Account, amountMicros: number): Promise<void>
  all(account: Account): Promise<void>
  /**
   * Returns a hold that the store may have opened without the knowledge of this replica: otherwise no replica can use
   * this money until the hold expires. Rejects while the store is unreachable. If the store does not know the hold, an
   * earlier call may still open it, so the account keeps its id for the next attempt.
   */
  unconfirmed(account: Account): Promise<void>
}

/** Only `unconfirmed` rejects. The other methods log a failed call to the store. */
export function createGiveBack(tools: Pick<Runtime, 'clock' | 'log'> & { usage: UsageStore }): GiveBack {
  const { usage, clock, log } = tools
  return { rest, part, all, unconfirmed }

  function rest(account: Account): Promise<void> {
    if (account.leaseState.kind !== 'open') return afterEarlierReturns(account)
    const { lease } = account.leaseState
    return lease.hasNoOpenWork ? all(account) : part(account, lease.leftMicros)
  }

  function part(account: Account, amountMicros: number): Promise<void> {
    if (account.leaseState.kind !== 'open' || amountMicros <= 0) return afterEarlierReturns(account)
    const { lease } = account.leaseState
    const answer = returnPart(account, lease, amountMicros, () =>
      returnToStore(account.organizationId, lease.holdId, micros(amountMicros)),
    )
    return answer.then((sent) => {
      if (sent === 'ended' && openLease(account) === lease) dropLease(account)
      if (sent === 'unknown') lease.isUncertain = true
    })
  }

  function all(account: Account): Promise<void> {
    const holdId =
      account.leaseState.kind === 'open' ? account.leaseState.lease.holdId : unconfirmedHoldId(account)
    if (holdId === undefined) return afterEarlierReturns(account)
    return returnAll(account, () => returnToStore(account.organizationId, holdId, 'all'))
  }

  async function unconfirmed(account: Account): Promise<void> {
    const holdId = unconfirmedHoldId(account)
    if (holdId === undefined) return
    const wasThere = await usage.giveBack({ holdId, amountMicros: 'all', atMs: clock.nowMs() })
    if (wasThere) holdResolved(account, holdId)
  }

  async function returnToStore(
    organizationId: string,
    holdId: string,
    amountMicros: Micros | 'all',
  ): Promise<'sent' | 'ended' | 'unknown'> {
    try {
      return (await usage.giveBack({ holdId, amountMicros, atMs: clock.nowMs() })) ? 'sent' : 'ended'
    } catch (error) {
      log.warn('allowance.return_failed', { organizationId, error })
      return 'unknown'
    }
  }
}

function afterEarlierReturns(account: Account): Promise<void> {
  return runningReturn(account) ?? Promise.resolve()
}

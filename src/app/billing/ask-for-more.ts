import type { Clock } from '../../ports/clock.ts'
import type { NewId } from '../../ports/ids.ts'
import type { UsageStore } from '../../ports/usage.ts'
import { type Account, asking, dropLease, noteRefill } from './account.ts'
import { LEASE_LIFE_MS, Lease } from './lease.ts'
import { amountsToAsk, measurePace, targetMicros } from './lease-size.ts'

interface Tools {
  usage: UsageStore
  clock: Clock
  newId: NewId
}

/**
 * One question to the store. True when as much as is needed is at hand now, or when no request waits and there is more
 * than before. Rejects while the store is away.
 */
export async function askForMore(account: Account, needed: () => number, tools: Tools): Promise<boolean> {
  const { usage, clock, newId } = tools
  const { lease, owner } = account
  const needMicros = needed()
  const leftMicros = lease?.leftMicros ?? 0
  if (account.waiters.length > 0 && lease !== undefined && leftMicros >= needMicros) return true

  const atMs = clock.monotonicMs()
  account.pace = measurePace(account.pace, { leftMicros, atMs })
  const target = targetMicros(account.pace, needMicros)
  const { unheardHoldId } = account
  const holdId = lease?.holdId ?? unheardHoldId ?? newId('hold')
  const nowMs = clock.nowMs()
  const given = await asking(account, holdId, () =>
    usage.lease({
      holdId,
      organizationId: account.organizationId,
      amountsMicros: amountsToAsk({ targetMicros: target, leftMicros, needMicros }),
      nowMs,
      expiresAtMs: nowMs + LEASE_LIFE_MS,
    }),
  )
  account.unheardHoldId = undefined
  if (account.lease !== lease) return askForMore(account, needed, tools)
  if (given === undefined) {
    if (await isAllThere(lease, unheardHoldId, tools)) return false
    if (account.lease === lease) dropLease(account)
    return askForMore(account, needed, tools)
  }
  if (lease === undefined) {
    account.lease = new Lease({ holdId, amountMicros: given, atMs, owner })
    // The question whose answer was lost may have been carried out just now, and then it holds more than we know.
    account.lease.isUncertain = unheardHoldId !== undefined
  } else {
    lease.leftMicros += given
    lease.renewed(atMs)
  }
  noteRefill(account, target)
  return given > 0 || account.waiters.length > 0
}

/** "Nothing there" and "that allowance has ended" look the same; only the second is worth another question. */
async function isAllThere(
  lease: Lease | undefined,
  unheardHoldId: string | undefined,
  { usage, clock }: Tools,
): Promise<boolean> {
  if (lease === undefined) return unheardHoldId === undefined
  const atMs = clock.monotonicMs()
  const open = await usage.renew({ holdIds: [lease.holdId], expiresAtMs: clock.nowMs() + LEASE_LIFE_MS })
  if (open.length === 0) return false
  lease.renewed(atMs)
  return true
}

import type { Clock } from '../../ports/clock.ts'
import type { NewId } from '../../ports/ids.ts'
import type { UsageStore } from '../../ports/usage.ts'
import { type Account, dropLease } from './account.ts'
import { LEASE_LIFE_MS, Lease } from './lease.ts'
import { amountsToAsk, measurePace, targetMicros } from './lease-size.ts'

/** A refill in the background starts when less than this part of the last one is left. */
const LOW_PART = 4

interface Tools {
  usage: UsageStore
  clock: Clock
  newId: NewId
}

/**
 * One question to the store. True when the first in the queue can be served now, or when nobody waits and there is more
 * than before. Rejects while the store is away.
 */
export async function askForMore(account: Account, reserveMicros: number, tools: Tools): Promise<boolean> {
  const { usage, clock, newId } = tools
  const { lease } = account
  const needMicros = account.waiters[0]?.reserveMicros ?? reserveMicros
  const leftMicros = lease?.leftMicros ?? 0
  if (account.waiters.length > 0 && lease !== undefined && leftMicros >= needMicros) return true

  const atMs = clock.monotonicMs()
  account.pace = measurePace(account.pace, { leftMicros, atMs })
  const target = targetMicros(account.pace, needMicros)
  const holdId = lease?.holdId ?? newId('hold')
  const nowMs = clock.nowMs()
  const given = await asking(account, () =>
    usage.lease({
      holdId,
      organizationId: account.organizationId,
      amountsMicros: amountsToAsk({ targetMicros: target, leftMicros, needMicros }),
      nowMs,
      expiresAtMs: nowMs + LEASE_LIFE_MS,
    }),
  )
  if (account.lease !== lease) return askForMore(account, reserveMicros, tools)
  if (given === undefined) {
    if (lease === undefined || (await isOpen(lease, tools))) return false
    if (account.lease === lease) dropLease(account)
    return askForMore(account, reserveMicros, tools)
  }
  if (lease === undefined) account.lease = new Lease({ holdId, amountMicros: given, atMs })
  else {
    lease.leftMicros += given
    lease.renewed(atMs)
  }
  notePace(account, target)
  return given > 0 || account.waiters.length > 0
}

/** What is left counts in the question, so it must stay where it is until the answer comes. */
async function asking<T>(account: Account, ask: () => Promise<T>): Promise<T> {
  account.isAsking = true
  try {
    return await ask()
  } catch (error) {
    if (account.lease !== undefined) account.lease.isUncertain = true
    throw error
  } finally {
    account.isAsking = false
  }
}

/** "Nothing there" and "that allowance has ended" look the same; only the second is worth another question. */
async function isOpen(lease: Lease, { usage, clock }: Tools): Promise<boolean> {
  const atMs = clock.monotonicMs()
  const open = await usage.renew({ holdIds: [lease.holdId], expiresAtMs: clock.nowMs() + LEASE_LIFE_MS })
  if (open.length === 0) return false
  lease.renewed(atMs)
  return true
}

function notePace(account: Account, target: number): void {
  const leftMicros = account.lease?.leftMicros ?? 0
  account.pace = { ...account.pace, leftMicros }
  account.targetMicros = target
  account.lowMicros = Math.min(target, Math.max(0, leftMicros)) / LOW_PART
}

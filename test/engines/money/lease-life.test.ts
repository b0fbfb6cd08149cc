import { afterAll, beforeAll, expect, test } from 'vitest'
import { expireHolds } from '../../../src/app/billing/expire-holds.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { SILENT_METRICS } from '../../silent-metrics.ts'
import { SILENT_LOG } from '../store/silent-log.ts'
import { type Bank, openBank } from './bank.ts'
import { createReplica, openReplica, spendOnce, usageOf } from './replica.ts'

let bank: Bank
beforeAll(async () => {
  bank = await openBank()
})
afterAll(() => bank.close())

test('the lease of a dead replica expires, and its money can be spent again', async () => {
  const organizationId = await bank.openOrganization(1_000)
  const dead = createReplica({ ...bank, usage: bank.store.usage })
  await dead.begin(organizationId, 500)
  const replica = await openReplica(bank)
  expect(await spendOnce(replica, organizationId, 800)).toBe('insufficient_balance')
  bank.clock.pass(31_000)
  await bank.expire()
  expect(await bank.balanceOf(organizationId)).toEqual({ balance: 1_000, held: 0 })
  expect(await spendOnce(replica, organizationId, 800)).toBe('spent')
  await replica.close()
  await bank.expectSound()
})

test('a lease in use is renewed as long as needed, and an idle one is returned', async () => {
  const organizationId = await bank.openOrganization(1_000)
  const replica = await openReplica(bank)
  const spend = await replica.begin(organizationId, 500)
  for (let second = 0; second < 120; second += 1) {
    bank.clock.pass(1_000)
    await replica.allowances.keep()
    await bank.expire()
  }
  expect((await bank.balanceOf(organizationId)).held).toBeGreaterThanOrEqual(500)
  spend.finish(usageOf(500))
  await replica.writeAll()
  expect(bank.usageOf(organizationId)).toEqual({ rows: 1, costs: 500, losses: 0 })
  bank.clock.pass(5_000)
  await replica.allowances.keep()
  expect(await bank.balanceOf(organizationId)).toEqual({ balance: 500, held: 0 })
})

test('a lease that the store ended is dropped: its requests are charged to the balance, and new ones get a new lease', async () => {
  const organizationId = await bank.openOrganization(1_000)
  const replica = await openReplica(bank)
  const early = await replica.begin(organizationId, 100)
  bank.clock.pass(26_000)
  const late = await replica.begin(organizationId, 100)
  bank.clock.pass(5_000)
  await bank.expire()
  early.finish(usageOf(100))
  late.finish(usageOf(100))
  expect(await replica.writeAll()).toBe(true)
  await replica.close()
  expect(await bank.balanceOf(organizationId)).toEqual({ balance: 800, held: 0 })
  expect(bank.usageOf(organizationId)).toEqual({ rows: 2, costs: 200, losses: 0 })
  await bank.expectSound()
})

test('nothing is spent from a lease that another replica may consider expired', async () => {
  const organizationId = await bank.openOrganization(1_000)
  const [stalled, other] = [await openReplica(bank), await openReplica(bank)]
  await (await stalled.begin(organizationId, 10)).abandon()
  bank.clock.pass(31_000)
  await bank.expire()
  expect(await spendOnce(other, organizationId, 1_000)).toBe('spent')
  expect(await spendOnce(stalled, organizationId, 10)).toBe('insufficient_balance')
})

test('a lease that another process ended does not look like an empty balance', async () => {
  const organizationId = await bank.openOrganization(8)
  const replica = await openReplica(bank)
  const { lease } = await replica.allowances.admit(organizationId, micros(3))
  expect(lease.leftMicros).toBe(0)
  await bank.store.usage.giveBack({ holdId: lease.holdId, amountMicros: 'all', atMs: bank.clock.nowMs() })
  expect(await spendOnce(replica, organizationId, 5)).toBe('spent')
  await replica.close()
  expect(await bank.balanceOf(organizationId)).toEqual({ balance: 3, held: 0 })
})

test('the unused reserve of a burst goes back while the rest is in use', async () => {
  const organizationId = await bank.openOrganization(1_000_000_000)
  const replica = await openReplica(bank)
  const burst = await Promise.all(Array.from({ length: 500 }, () => replica.begin(organizationId, 100_000)))
  const [last, ...others] = burst
  await Promise.all(others.map((spend) => spend.abandon()))
  const before = (await bank.balanceOf(organizationId)).held
  await replica.allowances.keep()
  const after = (await bank.balanceOf(organizationId)).held
  expect(before).toBeGreaterThanOrEqual(50_000_000)
  expect(after).toBeLessThan(before / 2)
  last?.finish(usageOf(100))
  await replica.close()
  expect(await bank.balanceOf(organizationId)).toEqual({ balance: 999_999_900, held: 0 })
})

test('a lease that expired in the store, because the system clock jumped, is dropped immediately', async () => {
  const organizationId = await bank.openOrganization(1_000)
  const replica = await openReplica(bank)
  const first = await replica.allowances.admit(organizationId, micros(10))
  first.release()
  const expire = expireHolds({
    ledger: bank.store.ledger,
    clock: { ...bank.clock, nowMs: () => bank.clock.nowMs() + 3_600_000 },
    log: SILENT_LOG,
    metrics: SILENT_METRICS,
    onDayMove: () => {},
    onAllowanceExpired: replica.allowances.expired,
  })
  await expire()
  const second = await replica.allowances.admit(organizationId, micros(10))
  expect(second.lease.holdId).not.toBe(first.lease.holdId)
  replica.allowances.expired({ id: first.lease.holdId, organizationId })
  expect((await replica.allowances.admit(organizationId, micros(10))).lease).toBe(second.lease)
})

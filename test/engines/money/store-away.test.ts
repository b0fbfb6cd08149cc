import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeBilling } from '../../../src/app/billing/close-billing.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { SILENT_LOG } from '../store/silent-log.ts'
import { type Bank, openBank } from './bank.ts'
import { createReplica, openReplica, spendOnce, usageOf } from './replica.ts'
import { shakyUsage } from './shaky-usage.ts'

let bank: Bank
beforeAll(async () => {
  bank = await openBank()
})
afterAll(() => bank.close())

test('while the store is unreachable requests are served within the lease, then get 503; nothing is lost or doubled', async () => {
  const organizationId = await bank.openOrganization(10_000)
  const usage = shakyUsage(bank.store.usage)
  const replica = await openReplica(bank, usage)
  expect(await spendOnce(replica, organizationId, 10)).toBe('spent')
  usage.line = 'down'
  let spent = 1
  const ends: string[] = []
  for (let count = 0; count < 100; count += 1) ends.push(await spendOnce(replica, organizationId, 10))
  spent += ends.filter((end) => end === 'spent').length
  expect(new Set(ends)).toEqual(new Set(['spent', 'billing_unavailable']))
  expect(ends.at(-1)).toBe('billing_unavailable')
  expect(await replica.writeAll()).toBe(false)
  usage.line = 'answers-lost'
  expect(await replica.writeAll()).toBe(false)
  usage.line = 'up'
  expect(await replica.writeAll()).toBe(true)
  bank.clock.pass(250)
  expect(await spendOnce(replica, organizationId, 10)).toBe('spent')
  spent += 1
  await replica.close()
  expect(await bank.balanceOf(organizationId)).toEqual({ balance: 10_000 - spent * 10, held: 0 })
  expect(bank.usageOf(organizationId)).toEqual({ rows: spent, costs: spent * 10, losses: 0 })
  await bank.expectSound()
})

test('an idle lease stays usable while the store is unreachable', async () => {
  const organizationId = await bank.openOrganization(10_000)
  const usage = shakyUsage(bank.store.usage)
  const replica = await openReplica(bank, usage)
  expect(await spendOnce(replica, organizationId, 10)).toBe('spent')
  await replica.writeAll()
  usage.line = 'down'
  bank.clock.pass(6_000)
  await expect(replica.allowances.keep()).rejects.toThrow()
  expect(await spendOnce(replica, organizationId, 10)).toBe('spent')
})

test('with too much waiting usage no request is admitted, and the usage of admitted requests is still written', async () => {
  const organizationId = await bank.openOrganization(1_000_000)
  const usage = shakyUsage(bank.store.usage)
  const replica = await openReplica(bank, usage)
  const late = await replica.begin(organizationId, 1_000)
  const first = replica.allowances.admit(organizationId, micros(1_000))
  if (first instanceof Promise) throw new Error('the lease does not cover it')
  first.release()
  usage.line = 'down'
  for (let count = 0; count < 10_000; count += 1) {
    ;(await replica.begin(organizationId, 1)).finish(usageOf(1))
  }
  expect(await spendOnce(replica, organizationId, 1)).toBe('billing_unavailable')
  late.finish(usageOf(5))
  usage.line = 'up'
  await replica.writeAll()
  expect(await spendOnce(replica, organizationId, 1)).toBe('spent')
  await replica.close()
  expect(bank.usageOf(organizationId)).toEqual({ rows: 10_002, costs: 10_006, losses: 0 })
  await bank.expectSound()
})

test('the close waits for a limited time: unwritten rows are counted, and the lease expires', async () => {
  const organizationId = await bank.openOrganization(1_000)
  const usage = shakyUsage(bank.store.usage)
  const lost: number[] = []
  const replica = createReplica({ ...bank, usage, metrics: { moneyLost: (amount) => lost.push(amount) } })
  expect(await spendOnce(replica, organizationId, 10)).toBe('spent')
  usage.line = 'down'
  const stopLoops = async () => {}
  await closeBilling({ ...replica, stopLoops, log: SILENT_LOG, pause: () => turn(), patienceMs: 1 })
  expect(lost).toEqual([10])
  expect(await spendOnce(replica, organizationId, 10)).toBe('billing_unavailable')
  bank.clock.pass(31_000)
  await bank.expire()
  expect(await bank.balanceOf(organizationId)).toEqual({ balance: 1_000, held: 0 })
  await bank.expectSound()
})

test.each([
  ['was carried out', 'answers-lost'],
  ['never arrived', 'down'],
] as const)(
  'a first lease that %s, with a lost answer, keeps no money from other requests',
  async (_, line) => {
    const organizationId = await bank.openOrganization(100)
    const usage = shakyUsage(bank.store.usage)
    const replica = await openReplica(bank, usage)
    usage.line = line
    expect(await spendOnce(replica, organizationId, 60)).toBe('billing_unavailable')
    bank.clock.pass(250)
    expect(await spendOnce(replica, organizationId, 60)).toBe('billing_unavailable')
    usage.line = 'up'
    bank.clock.pass(250)
    expect(await spendOnce(replica, organizationId, 60)).toBe('spent')
    expect(await spendOnce(replica, organizationId, 40)).toBe('spent')
    await replica.close()
    expect(await bank.balanceOf(organizationId)).toEqual({ balance: 0, held: 0 })
    await bank.expectSound()
  },
)

test('a hold that may be open, because the answer was lost, is returned without a further request', async () => {
  const organizationId = await bank.openOrganization(100)
  const usage = shakyUsage(bank.store.usage)
  const [replica, other] = [await openReplica(bank, usage), await openReplica(bank)]
  usage.line = 'answers-lost'
  expect(await spendOnce(replica, organizationId, 60)).toBe('billing_unavailable')
  bank.clock.pass(1_000)
  await expect(replica.allowances.keep()).rejects.toThrow()
  usage.line = 'up'
  expect((await bank.balanceOf(organizationId)).held).toBe(0)
  await replica.allowances.keep()
  expect(await spendOnce(other, organizationId, 100)).toBe('spent')
})

test('no request gets 402 while our own allowance may have more money than we know', async () => {
  const organizationId = await bank.openOrganization(8)
  const usage = shakyUsage(bank.store.usage)
  const replica = await openReplica(bank, usage)
  const first = await replica.begin(organizationId, 3)
  usage.line = 'answers-lost'
  expect(await spendOnce(replica, organizationId, 5)).toBe('billing_unavailable')
  usage.line = 'up'
  bank.clock.pass(250)
  expect(await spendOnce(replica, organizationId, 5)).toBe('billing_unavailable')
  first.finish(usageOf(3))
  await replica.writeAll()
  bank.clock.pass(250)
  expect(await spendOnce(replica, organizationId, 5)).toBe('spent')
})

test('while the store is unreachable no request is served from an expired lease', async () => {
  const organizationId = await bank.openOrganization(100)
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const replica = await openReplica(bank, {
    ...bank.store.usage,
    lease: async (lease) => {
      if (lease.amountsMicros.at(-1) !== 20) return bank.store.usage.lease(lease)
      asked.resolve()
      await answered.promise
      throw new ApiError('store_unavailable')
    },
  })
  const large = await replica.begin(organizationId, 30)
  const waiting = spendOnce(replica, organizationId, 20)
  await asked.promise
  await large.abandon()
  bank.clock.pass(26_000)
  answered.resolve()
  expect(await waiting).toBe('billing_unavailable')
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import { type Bank, openBank } from './bank.ts'
import { createReplica, openReplica, type Replica, spendOnce, usageOf } from './replica.ts'

let bank: Bank
beforeAll(async () => {
  bank = await openBank()
})
afterAll(() => bank.close())

test('an empty balance is not read again during a pause, but immediately after a message', async () => {
  const organizationId = await bank.openOrganization(0)
  let asked = 0
  const replica = await openReplica(bank, {
    ...bank.store.usage,
    lease: (lease) => {
      asked += 1
      return bank.store.usage.lease(lease)
    },
  })
  const storm = await Promise.all(Array.from({ length: 50 }, () => spendOnce(replica, organizationId, 10)))
  expect(new Set(storm)).toEqual(new Set(['insufficient_balance']))
  expect(asked).toBe(2)
  expect(await spendOnce(replica, organizationId, 10)).toBe('insufficient_balance')
  expect(asked).toBe(2)
  await bank.addCredit(organizationId, 10)
  expect(await spendOnce(replica, organizationId, 10)).toBe('insufficient_balance')
  replica.allowances.forget(organizationId)
  expect(await spendOnce(replica, organizationId, 10)).toBe('spent')
})

test('waiting requests share one refill and are admitted in order', async () => {
  const organizationId = await bank.openOrganization(1_000_000)
  let asked = 0
  const replica = await openReplica(bank, {
    ...bank.store.usage,
    lease: (lease) => {
      asked += 1
      return bank.store.usage.lease(lease)
    },
  })
  const order: number[] = []
  const spends = Array.from({ length: 20 }, async (_, index) => {
    const spend = await replica.begin(organizationId, 10 + index)
    order.push(index)
    return spend
  })
  await Promise.all(spends)
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(asked).toBe(1)
})

test('a refill starts in the background before a request has to wait', async () => {
  const organizationId = await bank.openOrganization(100_000_000)
  const replica = await openReplica(bank)
  await replica.begin(organizationId, 100)
  for (let count = 0; count < 1_000; count += 1) {
    const admitted = replica.allowances.admit(organizationId, micros(100))
    expect(admitted).not.toBeInstanceOf(Promise)
    if (count % 10 === 0) await expect.poll(() => leftOf(admitted)).toBeGreaterThan(1_500)
  }
})

function leftOf(admitted: ReturnType<Replica['allowances']['admit']>): number {
  return admitted instanceof Promise ? 0 : admitted.lease.leftMicros
}

test('a postpaid organization is never refused, and owes its usage', async () => {
  const organizationId = await bank.openOrganization(0, 'postpaid')
  const replica = await openReplica(bank)
  for (let count = 0; count < 100; count += 1) {
    expect(await spendOnce(replica, organizationId, 50)).toBe('spent')
  }
  await replica.close()
  expect(await bank.balanceOf(organizationId)).toEqual({ balance: -5_000, held: 0 })
  await bank.expectSound()
})

test('a free request needs no money', async () => {
  const organizationId = await bank.openOrganization(0)
  const replica = await openReplica(bank)
  expect(await spendOnce(replica, organizationId, 0)).toBe('spent')
  await replica.close()
  expect(bank.usageOf(organizationId)).toEqual({ rows: 1, costs: 0, losses: 0 })
  await bank.expectSound()
})

test('a cost above its reserve is charged up to the balance; the rest is a loss', async () => {
  const organizationId = await bank.openOrganization(100)
  const lost: number[] = []
  const replica = createReplica({
    ...bank,
    usage: bank.store.usage,
    metrics: { moneyLost: (amount) => lost.push(amount) },
  })
  const spend = await replica.begin(organizationId, 10)
  spend.finish(usageOf(130))
  await replica.close()
  expect(await bank.balanceOf(organizationId)).toEqual({ balance: 0, held: 0 })
  expect(lost).toEqual([30])
  await bank.expectSound()
})

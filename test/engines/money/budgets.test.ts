import { afterAll, beforeAll, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import { fc, runs } from '../../random/properties.ts'
import { sampleAudit } from '../store/sample-rows.ts'
import { type Bank, openBank } from './bank.ts'
import { DAY, openReplica, spendOnce, usageOf } from './replica.ts'

const MONTH = DAY.slice(0, 7)

let bank: Bank
beforeAll(async () => {
  bank = await openBank()
})
afterAll(() => bank.close())

const setBudget = (id: string, amount: number) =>
  bank.store.organizations.setBudget(
    { id, month: MONTH, monthlyBudgetMicros: micros(amount), warnPercent: 80 },
    sampleAudit(),
  )

test('a budget can be spent exactly, on any number of replicas', async () => {
  const scenario = fc.record({
    replicas: fc.integer({ min: 1, max: 3 }),
    concurrent: fc.integer({ min: 1, max: 4 }),
    reserve: fc.integer({ min: 5, max: 40 }),
    budget: fc.integer({ min: 1, max: 400 }),
    billing: fc.constantFrom('prepaid' as const, 'postpaid' as const),
  })
  await fc.assert(
    fc.asyncProperty(scenario, async ({ replicas, concurrent, reserve, budget, billing }) => {
      const organizationId = await bank.openOrganization(100_000, billing)
      await setBudget(organizationId, budget)
      const all = await Promise.all(Array.from({ length: replicas }, () => openReplica(bank)))
      let spent = 0
      for (let isOver = false; !isOver; ) {
        const asked = all.flatMap((replica) => Array.from({ length: concurrent }, () => replica))
        const ends = await Promise.all(asked.map((replica) => spendOnce(replica, organizationId, reserve)))
        const spentNow = ends.filter((end) => end === 'spent').length
        expect(ends.filter((end) => end !== 'spent' && end !== 'budget_exceeded')).toEqual([])
        for (const replica of all) await replica.writeAll()
        bank.clock.pass(250)
        spent += spentNow
        isOver = spentNow === 0
      }
      expect(spent).toBe(Math.floor(budget / reserve))
      await Promise.all(all.map((replica) => replica.close()))
      await bank.expectSound()
      expect(await bank.store.organizations.findBudget({ id: organizationId, month: MONTH })).toMatchObject({
        ...{ usedMicros: spent * reserve, heldMicros: 0 },
      })
    }),
    runs(10),
  )
}, 120_000)

test('each of two keys spends exactly its own budget, and a key without a budget spends the rest of the balance', async () => {
  const scenario = fc.record({
    replicas: fc.integer({ min: 1, max: 2 }),
    reserve: fc.integer({ min: 5, max: 40 }),
    budgets: fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 })),
  })
  await fc.assert(
    fc.asyncProperty(scenario, async ({ replicas, reserve, budgets }) => {
      const organizationId = await bank.openOrganization(1_000)
      const keys = await Promise.all(budgets.map((budget) => bank.openKey(organizationId, budget)))
      const all = await Promise.all(Array.from({ length: replicas }, () => openReplica(bank)))
      const spent = new Map<string | undefined, number>()
      for (let isOver = false; !isOver; ) {
        const asked = all.flatMap((replica) => [...keys, undefined].map((keyId) => ({ replica, keyId })))
        const ends = await Promise.all(
          asked.map(({ replica, keyId }) => spendOnce(replica, organizationId, reserve, keyId)),
        )
        for (const [index, { keyId }] of asked.entries())
          if (ends[index] === 'spent') spent.set(keyId, (spent.get(keyId) ?? 0) + reserve)
        for (const replica of all) await replica.writeAll()
        bank.clock.pass(250)
        isOver = !ends.includes('spent')
      }
      await Promise.all(all.map((replica) => replica.close()))
      await bank.expectSound()
      const total = [...spent.values()].reduce((sum, each) => sum + each, 0)
      expect(total).toBe(Math.floor(1_000 / reserve) * reserve)
      for (const [index, id] of keys.entries()) {
        const found = await bank.store.apiKeys.findBudget({ id, month: MONTH })
        expect(found).toMatchObject({ usedMicros: spent.get(id) ?? 0, heldMicros: 0 })
        expect(found?.usedMicros).toBeLessThanOrEqual(budgets[index] ?? 0)
      }
    }),
    runs(10),
  )
}, 120_000)

test('each replica lets at most one request exceed the budget, and only by its cost above its reserve', async () => {
  const organizationId = await bank.openOrganization(100_000)
  await setBudget(organizationId, 200)
  const all = [await openReplica(bank), await openReplica(bank)]
  const begin = (index: number) => all[index]?.begin(organizationId, 50, 1_000)
  const running = [await begin(0), await begin(1)]
  for (const spend of running) spend?.finish(usageOf(1_000))
  for (const replica of all) await replica.writeAll()
  bank.clock.pass(250)
  for (const replica of all) expect(await spendOnce(replica, organizationId, 50)).toBe('budget_exceeded')
  expect(bank.usageOf(organizationId)).toEqual({ rows: 2, costs: 2_000, losses: 0 })
  await Promise.all(all.map((replica) => replica.close()))
  await bank.expectSound()
})

test('keys with budgets of their own let one request of a replica exceed the budget of their organization', async () => {
  const organizationId = await bank.openOrganization(1_000_000)
  await setBudget(organizationId, 10_000)
  const keys = await Promise.all([1, 2, 3].map(() => bank.openKey(organizationId, 900_000)))
  const replica = await openReplica(bank)
  for (const keyId of keys) expect(await spendOnce(replica, organizationId, 10, keyId)).toBe('spent')
  await replica.writeAll()
  for (const keyId of keys) {
    const running = await replica.begin(organizationId, 10, 50_000, keyId).catch(() => undefined)
    running?.finish(usageOf(50_000))
    await replica.writeAll()
    bank.clock.pass(250)
  }
  expect(bank.usageOf(organizationId)).toEqual({ rows: 4, costs: 50_030, losses: 0 })
  await replica.close()
  await bank.expectSound()
})

test.each(['prepaid', 'postpaid'] as const)(
  'a %s organization whose money returned after the refusal gets funds_in_use, and never 402',
  async (billing) => {
    const organizationId = await bank.openOrganization(100_000, billing)
    await setBudget(organizationId, 1_000)
    let isShort = true
    const replica = await openReplica(bank, {
      ...bank.store.usage,
      lease: async (lease) => (isShort ? undefined : bank.store.usage.lease(lease)),
    })
    expect(await spendOnce(replica, organizationId, 40)).toBe('funds_in_use')
    isShort = false
    expect(await spendOnce(replica, organizationId, 40)).toBe('spent')
    await replica.close()
    expect(await bank.balanceOf(organizationId)).toEqual({ balance: 99_960, held: 0 })
  },
)

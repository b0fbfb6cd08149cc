import { afterAll, beforeAll, expect, test } from 'vitest'
import { fc, runs } from '../../random/properties.ts'
import { type Bank, openBank } from './bank.ts'
import { openReplica, spendOnce } from './replica.ts'

let bank: Bank
beforeAll(async () => {
  bank = await openBank()
})
afterAll(() => bank.close())

test('the last cent can be spent exactly, on any number of replicas', async () => {
  const scenario = fc.record({
    replicas: fc.integer({ min: 1, max: 4 }),
    concurrent: fc.integer({ min: 1, max: 5 }),
    reserve: fc.integer({ min: 1, max: 40 }),
    balance: fc.integer({ min: 0, max: 900 }),
  })
  await fc.assert(
    fc.asyncProperty(scenario, async ({ replicas, concurrent, reserve, balance }) => {
      const organizationId = await bank.openOrganization(balance)
      const all = await Promise.all(Array.from({ length: replicas }, () => openReplica(bank)))
      let spent = 0
      for (let isOver = false; !isOver; ) {
        const asked = all.flatMap((replica) => Array.from({ length: concurrent }, () => replica))
        const ends = await Promise.all(asked.map((replica) => spendOnce(replica, organizationId, reserve)))
        const spentNow = ends.filter((end) => end === 'spent').length
        expect(ends.filter((end) => end !== 'spent' && end !== 'insufficient_balance')).toEqual([])
        for (const replica of all) await replica.writeAll()
        await bank.expectSound()
        bank.clock.pass(250)
        spent += spentNow
        isOver = spentNow === 0
      }
      expect(spent).toBe(Math.floor(balance / reserve))
      await Promise.all(all.map((replica) => replica.close()))
      expect(await bank.balanceOf(organizationId)).toEqual({ balance: balance - spent * reserve, held: 0 })
      expect(bank.usageOf(organizationId)).toEqual({ rows: spent, costs: spent * reserve, losses: 0 })
    }),
    runs(25),
  )
}, 180_000)

test('before a replica answers 402, it gets the idle money of the others', async () => {
  const organizationId = await bank.openOrganization(1_000)
  const [one, other] = [await openReplica(bank), await openReplica(bank)]
  expect(await spendOnce(one, organizationId, 10)).toBe('spent')
  await one.writeAll()
  expect((await bank.balanceOf(organizationId)).held).toBeGreaterThan(0)
  expect(await spendOnce(other, organizationId, 990)).toBe('spent')
  expect(await spendOnce(one, organizationId, 1)).toBe('insufficient_balance')
})

test('money that another replica has reserved is not available until that replica releases it', async () => {
  const organizationId = await bank.openOrganization(100)
  const [one, other] = [await openReplica(bank), await openReplica(bank)]
  const spend = await one.begin(organizationId, 60)
  expect(await spendOnce(other, organizationId, 60)).toBe('insufficient_balance')
  await spend.abandon()
  bank.clock.pass(250)
  expect(await spendOnce(other, organizationId, 60)).toBe('spent')
})

test.each([
  ['with', true],
  ['without', false],
])(
  'if two replicas each have too little, one gets the money, %s messages between them',
  async (_, hasNews) => {
    const organizationId = await bank.openOrganization(40)
    const publish = hasNews ? bank.cache.publish : () => Promise.reject(new Error('the cache is unreachable'))
    const away = { ...bank, cache: { ...bank.cache, publish } }
    const [one, other] = [await openReplica(away), await openReplica(away)]
    const halves = await Promise.all([one.begin(organizationId, 20), other.begin(organizationId, 20)])
    await Promise.all(halves.map((spend) => spend.abandon()))
    const ends = await Promise.all([one, other].map((replica) => spendOnce(replica, organizationId, 30)))
    expect(ends.toSorted()).toEqual(['insufficient_balance', 'spent'])
  },
)

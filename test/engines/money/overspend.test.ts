import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Spend } from '../../../src/app/billing/spend.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { fc, runs } from '../../random/properties.ts'
import { type Bank, openBank } from './bank.ts'
import { openReplica, type Replica, usageOf } from './replica.ts'

const TIMEOUT_MS = 180_000

let bank: Bank
beforeAll(async () => {
  bank = await openBank()
})
afterAll(() => bank.close())

/** A replica and its requests, each of which may cost far more than its reserve. */
interface Member {
  replica: Replica
  open: { spend: Spend; cost: number }[]
  began: Promise<void>[]
  dearest: number
}

async function openMember(): Promise<Member> {
  return { replica: await openReplica(bank), open: [], began: [], dearest: 0 }
}

/** Begins a request. Waits for its admission at most 2 ms, because the request may wait for others to end. */
function begin(
  member: Member,
  organizationId: string,
  { reserve, cost, keyId }: { reserve: number; cost: number; keyId?: string | undefined },
) {
  const began = member.replica.begin(organizationId, reserve, Math.max(reserve, cost), keyId).then(
    (spend) => {
      member.open.push({ spend, cost })
      member.dearest = Math.max(member.dearest, cost)
    },
    (apiError: unknown) => {
      if (!(apiError instanceof ApiError)) throw apiError
      expect(['insufficient_balance', 'funds_in_use']).toContain(apiError.code)
    },
  )
  member.began.push(began)
  return Promise.race([began, sleep(2)])
}

/** Opens keys with budgets far above the balance. */
function openKeys(organizationId: string, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => bank.openKey(organizationId, 1_000_000_000)))
}

async function finish(member: Member): Promise<void> {
  const first = member.open.shift()
  if (first === undefined) return
  first.spend.finish(usageOf(first.cost))
  await sleep(0)
}

/** Ends all requests; waiting requests begin as others end. */
async function endAll(members: readonly Member[]): Promise<void> {
  const began = Promise.all(members.flatMap((member) => member.began)).then(() => 'all' as const)
  for (let isAll = false; !isAll; ) {
    for (const member of members) {
      while (member.open.length > 0) await finish(member)
      await member.replica.writeAll()
    }
    isAll =
      (await Promise.race([began, sleep(1)])) === 'all' && members.every(({ open }) => open.length === 0)
  }
  for (const { replica } of members) await replica.close()
}

const step = fc.record({
  act: fc.constantFrom(
    ...(['begin', 'begin', 'begin', 'burst', 'finish', 'finish', 'abandon', 'write'] as const),
    ...(['second', 'wanted', 'expire'] as const),
  ),
  who: fc.integer({ min: 0, max: 2 }),
  reserve: fc.integer({ min: 1, max: 60 }),
  cost: fc.integer({ min: 0, max: 6_000 }),
  /** A key with a budget of its own; 0: none. */
  key: fc.integer({ min: 0, max: 3 }),
})

test(
  'under any load, each replica overspends by at most one request',
  async () => {
    let losses = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 8_000 }),
        fc.array(step, { minLength: 5, maxLength: 40 }),
        async (replicas, balance, steps) => {
          const organizationId = await bank.openOrganization(balance)
          const members = await Promise.all(Array.from({ length: replicas }, openMember))
          const keys = [undefined, ...(await openKeys(organizationId, 3))]
          for (const { key, ...step } of steps) {
            const one = { ...step, keyId: keys[key] }
            const member = members[one.who % replicas] ?? expect.fail('no replica')
            if (one.act === 'begin') await begin(member, organizationId, one)
            if (one.act === 'burst')
              for (let count = 0; count < 8; count += 1) await begin(member, organizationId, one)
            if (one.act === 'finish') await finish(member)
            if (one.act === 'abandon') await member.open.shift()?.spend.abandon()
            if (one.act === 'write') await member.replica.writeAll()
            if (one.act === 'wanted') member.replica.allowances.wanted(organizationId)
            if (one.act === 'second') {
              bank.clock.pass(1_000)
              for (const { replica } of members) await replica.allowances.keep()
            }
            if (one.act === 'expire') await bank.expire()
          }
          await endAll(members)
          const lost = bank.usageOf(organizationId).losses
          expect(lost).toBeLessThanOrEqual(members.reduce((sum, { dearest }) => sum + dearest, 0))
          losses += lost
          await bank.expectSound()
        },
      ),
      runs(60),
    )
    expect(losses).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)

test('of 40 concurrent requests on a balance of one dollar, one may cost more than is left', async () => {
  const organizationId = await bank.openOrganization(1_000_000)
  const member = await openMember()
  for (let count = 0; count < 40; count += 1)
    await begin(member, organizationId, { reserve: 100, cost: 1_250_000 })
  await endAll([member])
  expect(bank.usageOf(organizationId)).toEqual({ rows: 1, costs: 1_250_000, losses: 250_000 })
})

test('of concurrent requests of keys with budgets on one balance, one may cost more than is left', async () => {
  const organizationId = await bank.openOrganization(1_000_000)
  const member = await openMember()
  for (const keyId of await openKeys(organizationId, 13))
    await begin(member, organizationId, { reserve: 62_500, cost: 960_000, keyId })
  await endAll([member])
  const { losses } = bank.usageOf(organizationId)
  expect(losses).toBeLessThanOrEqual(960_000)
  expect(await bank.balanceOf(organizationId)).toMatchObject({ held: 0 })
  await bank.expectSound()
})

test('requests that a balance covers run side by side', async () => {
  const organizationId = await bank.openOrganization(10_000_000)
  const member = await openMember()
  for (let count = 0; count < 8; count += 1)
    await begin(member, organizationId, { reserve: 100, cost: 1_250_000 })
  await Promise.all(member.began)
  expect(member.open).toHaveLength(8)
  await endAll([member])
  expect(bank.usageOf(organizationId)).toEqual({ rows: 8, costs: 10_000_000, losses: 0 })
})

test('requests that cost less than their maximum follow one another to the last cent', async () => {
  const organizationId = await bank.openOrganization(1_000)
  const member = await openMember()
  const possible = 5_000
  const began = Array.from({ length: 12 }, () =>
    member.replica.begin(organizationId, 100, possible).then(
      (spend) => {
        member.open.push({ spend, cost: 100 })
        return 'admitted'
      },
      (apiError: unknown) => (apiError instanceof ApiError ? apiError.code : 'fault'),
    ),
  )
  await expect.poll(() => member.open.length).toBe(1)
  member.began.push(Promise.all(began).then(() => {}))
  await endAll([member])
  const ends = await Promise.all(began)
  expect(ends.filter((end) => end === 'admitted')).toHaveLength(10)
  expect(ends.filter((end) => end === 'insufficient_balance')).toHaveLength(2)
  expect(await bank.balanceOf(organizationId)).toEqual({ balance: 0, held: 0 })
})

test('a request is not refused for the amount that it needed before another request ended', async () => {
  const organizationId = await bank.openOrganization(1_000)
  const { usage } = bank.store
  let errorCount = 0
  const replica = await openReplica(bank, {
    ...usage,
    lease: async (lease) => {
      const given = await usage.lease(lease)
      if (given === undefined) errorCount += 1
      if (errorCount === 2) await endFirst()
      return given
    },
  })
  const first = await replica.begin(organizationId, 100, 5_000)
  const endFirst = async () => {
    first.finish(usageOf(100))
    await replica.writeAll()
  }
  const second = await replica.begin(organizationId, 100, 5_000)
  expect(errorCount).toBeGreaterThanOrEqual(2)
  await second.abandon()
  await replica.close()
})

test('a request that waits too long for others gets funds_in_use', async () => {
  const organizationId = await bank.openOrganization(1_000)
  const { replica } = await openMember()
  const first = await replica.begin(organizationId, 100, 5_000)
  const second = replica.begin(organizationId, 100, 5_000).catch((apiError: unknown) => apiError)
  await expect
    .poll(async () => {
      bank.clock.pass(1_000)
      await replica.allowances.keep()
      return Promise.race([second, sleep(1)])
    })
    .toMatchObject({ code: 'funds_in_use', retryAfterSeconds: 5 })
  await first.abandon()
  const third = await replica.begin(organizationId, 100, 5_000)
  await third.abandon()
  await replica.close()
})

test('after a request that waited too long the next request does not wait', async () => {
  const organizationId = await bank.openOrganization(1_000)
  const { replica } = await openMember()
  const first = await replica.begin(organizationId, 100, 5_000)
  const second = replica.begin(organizationId, 100, 5_000).catch((apiError: unknown) => apiError)
  await expect
    .poll(async () => {
      bank.clock.pass(1_000)
      await replica.allowances.keep()
      return Promise.race([second, sleep(1)])
    })
    .toMatchObject({ code: 'funds_in_use' })
  await first.abandon()
  // The lease is unused for long enough to go back, so the next request needs a new one.
  bank.clock.pass(6_000)
  await replica.allowances.keep()
  expect(await bank.balanceOf(organizationId)).toEqual({ balance: 1_000, held: 0 })
  const third = await replica.begin(organizationId, 100, 5_000)
  await third.abandon()
  await replica.close()
})

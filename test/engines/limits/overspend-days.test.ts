import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DayReservation, SpendingDays } from '../../../src/app/billing/spending-days.ts'
import { coverDays } from '../../../src/app/limits/day/cover-days.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { fc, runs } from '../../random/properties.ts'
import { type FreshRedis, freshRedis } from '../../servers/fresh-redis.ts'
import { createTestClock, type LimitsReplica, openReplica } from './limits-replica.ts'
import { createPlainStore } from './plain-store.ts'

const store = createPlainStore()
/** A day in the far future, because Redis expires keys by its own clock. */
const clock = createTestClock('2091-05-04T10:00:00Z')
const DAY = '2091-05-04'
const TIMEOUT_MS = 120_000

let redis: FreshRedis
const replicas: LimitsReplica[] = []
beforeAll(async () => {
  redis = await freshRedis()
  replicas.push(await openReplica({ redisUrl: redis.url, store, clock }))
  replicas.push(await openReplica({ redisUrl: redis.url, store, clock }))
  replicas.push(await openReplica({ redisUrl: undefined, store, clock }))
})
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.close()))
  await redis.close()
})

interface Member {
  days: SpendingDays
  open: { reservation: DayReservation; cost: number }[]
  began: Promise<string>[]
  dearest: number
}

function openMember(replica: LimitsReplica | undefined): Member {
  if (replica === undefined) throw new Error('there is no such replica')
  return { days: coverDays(replica.days), open: [], began: [], dearest: 0 }
}

function begin(member: Member, userId: string, { reserve, cost }: { reserve: number; cost: number }) {
  const amounts = { reserveMicros: micros(reserve), possibleMicros: micros(Math.max(reserve, cost)) }
  const began = Promise.resolve(member.days.reserve(userId, amounts)).then(
    (reservation) => {
      if (reservation === undefined) throw new Error('the user has no limit')
      member.open.push({ reservation, cost })
      member.dearest = Math.max(member.dearest, cost)
      return 'reserved'
    },
    (apiError: unknown) => (apiError instanceof ApiError ? apiError.code : String(apiError)),
  )
  member.began.push(began)
  return Promise.race([began, sleep(2)])
}

/** Writes the cost of the request and reports it to the day. Returns the cost. */
async function finish(member: Member, userId: string): Promise<number> {
  const first = member.open.shift()
  if (first === undefined) return 0
  const move = store.write({ userId, day: DAY, delta: first.cost })
  await member.days.apply(first.reservation, move)
  return first.cost
}

/** Finishes all requests; waiting requests begin as others end. Returns their cost. */
async function finishAll(members: readonly Member[], userId: string): Promise<number> {
  let spent = 0
  const began = Promise.all(members.flatMap((member) => member.began)).then(() => 'all' as const)
  for (let isAll = false; !isAll; ) {
    for (const member of members) while (member.open.length > 0) spent += await finish(member, userId)
    isAll =
      (await Promise.race([began, sleep(1)])) === 'all' && members.every(({ open }) => open.length === 0)
  }
  return spent
}

const step = fc.record({
  act: fc.constantFrom(
    'begin' as const,
    'begin' as const,
    'burst' as const,
    'finish' as const,
    'let-go' as const,
  ),
  who: fc.nat(1),
  reserve: fc.integer({ min: 1, max: 60 }),
  cost: fc.integer({ min: 0, max: 6_000 }),
})

describe.each([
  ['two replicas that share Redis', [0, 1]],
  ['a single process', [2]],
])('%s', (name, which) => {
  test(
    'exceed a daily limit by at most one request each, under any load',
    async () => {
      let scenario = 0
      let beyond = 0
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 8_000 }),
          fc.array(step, { minLength: 5, maxLength: 40 }),
          async (limit, steps) => {
            scenario += 1
            const userId = `usr_${which.length}_${scenario}`
            store.setLimit(userId, (limit / 1_000_000).toFixed(6), true)
            const members = which.map((index) => openMember(replicas[index]))
            let spent = 0
            for (const one of steps) {
              const member = members[one.who % members.length] ?? expect.fail(name)
              if (one.act === 'begin') await begin(member, userId, one)
              if (one.act === 'burst')
                for (let count = 0; count < 8; count += 1) await begin(member, userId, one)
              if (one.act === 'finish') spent += await finish(member, userId)
              const first = one.act === 'let-go' ? member.open.shift() : undefined
              if (first !== undefined) await member.days.letGo(first.reservation)
            }
            spent += await finishAll(members, userId)
            const dearest = members.reduce((sum, member) => sum + member.dearest, 0)
            expect(spent).toBeLessThanOrEqual(limit + dearest)
            beyond += Math.max(0, spent - limit)
          },
        ),
        runs(40),
      )
      expect(beyond).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )

  test('of 50 concurrent requests that may exceed a daily limit of half a dollar, all but one per replica wait and are refused', async () => {
    const userId = `usr_half_${which.length}`
    store.setLimit(userId, '0.50', true)
    const members = which.map((index) => openMember(replicas[index]))
    for (let count = 0; count < 50; count += 1) {
      const member = members[count % members.length] ?? expect.fail(name)
      await begin(member, userId, { reserve: 100, cost: 600_000 })
    }
    const spent = await finishAll(members, userId)
    expect(spent).toBe(600_000 * members.length)
    const ends = await Promise.all(members.flatMap((member) => member.began))
    expect(ends.filter((end) => end === 'reserved')).toHaveLength(members.length)
    expect(ends.filter((end) => end === 'daily_limit_exceeded')).toHaveLength(50 - members.length)
  })

  test('requests that the limit covers run side by side', async () => {
    const userId = `usr_well_${which.length}`
    store.setLimit(userId, '5', true)
    const member = openMember(replicas[which[0] ?? 0])
    for (let count = 0; count < 8; count += 1) await begin(member, userId, { reserve: 100, cost: 600_000 })
    await Promise.all(member.began)
    expect(member.open).toHaveLength(8)
    expect(await finishAll([member], userId)).toBe(4_800_000)
  })

  test('a request that waits too long for others gets funds_in_use', async () => {
    const userId = `usr_late_${which.length}`
    store.setLimit(userId, '0.50', true)
    const { days } = replicas[which[0] ?? 0] ?? expect.fail(name)
    const covered = coverDays(days, { patienceMs: 20 })
    const amounts = { reserveMicros: micros(100), possibleMicros: micros(600_000) }
    const first = await covered.reserve(userId, amounts)
    await expect(covered.reserve(userId, amounts)).rejects.toMatchObject({ code: 'funds_in_use' })
    if (first !== undefined) await covered.letGo(first)
    expect(await covered.reserve(userId, amounts)).toMatchObject({ amountMicros: 100 })
  })
})

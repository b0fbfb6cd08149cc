import { createClient } from '@redis/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/domain/api-error.ts'
import { type Micros, micros } from '../../../src/domain/billing/micros.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { type FreshRedis, freshRedis } from '../../servers/fresh-redis.ts'
import { createTestClock, type LimitsReplica, openReplica } from './limits-replica.ts'
import { createPlainStore } from './plain-store.ts'

const DAY = '2091-05-04'
const LIMIT = 100_000
const PAIRS = 1_000
const LANES = 40
const FLUSH_EVERY = 90

const seed = seedOfRun()
const random = seededRandom(seed)
const clock = createTestClock(`${DAY}T10:00:00Z`)

let redis: FreshRedis
let plain: ReturnType<typeof createClient>
beforeAll(async () => {
  redis = await freshRedis()
  plain = createClient({ url: redis.url })
  await plain.connect()
})
afterAll(async () => {
  await plain.close()
  await redis.close()
})

async function someTurns(): Promise<void> {
  for (let turns = random.integer(0, 4); turns > 0; turns -= 1)
    await new Promise((resolve) => setImmediate(resolve))
}

/** A store whose reads arrive late, so that their values may be outdated. */
function createLateStore() {
  const store = createPlainStore()
  const { readDay } = store.ledger
  store.ledger.readDay = async (of) => {
    const read = await readDay(of)
    await someTurns()
    return read
  }
  return store
}

const ENGINES = {
  /** The test drops each bucket itself, as the memory engine does at its limit. */
  memory: {
    url: () => undefined,
    forget: (replica: LimitsReplica, userId: string) => replica.buckets.drop({ userId, day: DAY }),
  },
  redis: {
    url: () => redis.url,
    forget: async () => {
      await plain.sendCommand(['FLUSHDB'])
      await plain.sendCommand(['SCRIPT', 'FLUSH'])
    },
  },
}

describe.each(Object.entries(ENGINES))(
  'a cache on %s that loses everything again and again',
  (name, engine) => {
    test('loses no spending and counts none twice', async () => {
      const userId = `usr_${name}`
      const store = createLateStore()
      store.setLimit(userId, '0.1', true)
      const open = () => openReplica({ redisUrl: engine.url(), store, clock })
      const one = await open()
      const other = engine.url() === undefined ? one : await open()

      /** Amounts of running requests, by the number of the request. */
      const inFlight = new Map<number, number>()
      let [reservedMicros, forgivenMicros, refused, done, flushing] = [0, 0, 0, 0, false]
      const counts = { reserved: 0, flushes: 0 }

      const ask = async (pair: number) => {
        const replica = random.integer(0, 1) === 0 ? one : other
        const amount = random.integer(1, 6_000)
        inFlight.set(pair, amount)
        if (flushing) forgivenMicros += amount
        try {
          await spend(replica, amount)
          counts.reserved += 1
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          refused += 1
        }
        inFlight.delete(pair)
        done += 1
      }

      const spend = async (replica: LimitsReplica, amount: number) => {
        const reservation = await replica.days.reserve(userId, micros(amount))
        if (reservation === undefined) throw new Error('a limited user has a reservation')
        reservedMicros += amount
        const usedMicros = store.usedOn(userId, DAY) + reservedMicros
        expect(usedMicros).toBeLessThanOrEqual(LIMIT + forgivenMicros)
        await someTurns()
        reservedMicros -= amount
        if (random.integer(0, 4) === 0) return replica.days.letGo(reservation)
        const held = store.write({ userId, day: DAY, delta: amount })
        await someTurns()
        await replica.days.apply(reservation, held)
        await someTurns()
        await settle(amount)
      }

      /** Settles a request on either replica. Most requests cost much less than was reserved. */
      const settle = async (held: number) => {
        const cost: Micros = micros(random.integer(0, Math.floor(held / 50)))
        const move = store.write({ userId, day: DAY, delta: cost - held })
        await someTurns()
        await (random.integer(0, 1) === 0 ? one : other).days.applyMove(move)
      }

      const flush = async () => {
        flushing = true
        for (const amount of inFlight.values()) forgivenMicros += amount
        await engine.forget(one, userId)
        flushing = false
        counts.flushes += 1
      }

      let next = 0
      const lane = async () => {
        while (next < PAIRS) {
          const pair = next
          next += 1
          if (pair % FLUSH_EVERY === FLUSH_EVERY - 1) await flush()
          await ask(pair)
        }
      }
      await Promise.all(Array.from({ length: LANES }, lane))

      expect(done).toBe(PAIRS)
      expect(counts.flushes).toBe(Math.floor(PAIRS / FLUSH_EVERY))
      expect(counts.reserved).toBeGreaterThan(0)
      expect(refused).toBeGreaterThan(0)
      const found = await other.buckets.reserve({ userId, day: DAY }, micros(1_000_000_000))
      expect(found).toEqual({ kind: 'over', limitMicros: LIMIT, usedMicros: store.usedOn(userId, DAY) })
      for (const replica of new Set([one, other])) {
        expect(replica.keptLocally).toEqual([])
        await replica.close()
      }
    })
  },
)

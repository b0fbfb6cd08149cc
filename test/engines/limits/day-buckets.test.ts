import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { DayBuckets } from '../../../src/ports/day-buckets.ts'
import { LIMIT_ENGINES, type LimitEngine } from './limit-engine.ts'

const HOUR_MS = 3_600_000
const DAY = '2026-11-15'

describe.each(Object.entries(LIMIT_ENGINES))('day buckets on %s', (_name, openEngine) => {
  let engine: LimitEngine
  let buckets: DayBuckets
  beforeAll(async () => {
    engine = await openEngine()
    buckets = engine.buckets
  })
  afterAll(() => engine.close())

  const newDay = () => ({ userId: `usr_${randomUUID()}`, day: DAY })
  const day = newDay()

  async function announce(of: typeof day): Promise<string> {
    const found = await buckets.reserve(of, micros(1))
    if (found.kind !== 'absent') throw new Error(`there is a bucket: ${found.kind}`)
    return found.life
  }

  async function build(of: typeof day, { limit = 100, used = 0, version = 0, life = '' } = {}) {
    return buckets.build(of.userId, {
      day: of.day,
      life: life || (await announce(of)),
      expiresAtMs: engine.nowMs() + HOUR_MS,
      limitMicros: micros(limit),
      stored: { usedMicros: micros(used), version },
    })
  }

  async function reserve(of: typeof day, amount: number): Promise<string> {
    const found = await buckets.reserve(of, micros(amount))
    if (found.kind !== 'reserved') throw new Error(`not reserved: ${found.kind}`)
    return found.life
  }

  const change = (delta: number, version: number, life?: string, amount = 0) => ({
    reserved: life === undefined ? undefined : { life, amountMicros: micros(amount) },
    deltaMicros: micros(delta),
    version,
  })

  /** Reads the used amount from the refusal of an excessive reservation. */
  async function usedOf(of: typeof day): Promise<number | undefined> {
    const found = await buckets.reserve(of, micros(1_000_000_000))
    return found.kind === 'over' ? found.usedMicros : undefined
  }

  describe('reserving', () => {
    test('reserves up to the limit and nothing above', async () => {
      const of = newDay()
      await build(of, { limit: 100, used: 30 })
      await reserve(of, 60)
      expect(await buckets.reserve(of, micros(11))).toEqual({
        kind: 'over',
        limitMicros: 100,
        usedMicros: 90,
      })
      await reserve(of, 10)
      expect(await buckets.reserve(of, micros(1))).toMatchObject({ kind: 'over', usedMicros: 100 })
      expect(await buckets.reserve(of, micros(0))).toMatchObject({ kind: 'reserved' })
    })

    test('whole micros up to the largest limit', async () => {
      const of = newDay()
      const limit = 1_000_000_000_000_000
      await build(of, { limit, used: limit - 3 })
      await reserve(of, 2)
      expect(await buckets.reserve(of, micros(2))).toEqual({
        kind: 'over',
        limitMicros: limit,
        usedMicros: limit - 1,
      })
    })

    test('200 simultaneous requests from two replicas with room for 50: exactly 50', async () => {
      const of = newDay()
      await build(of, { limit: 507, used: 7 })
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, turn) =>
          (turn % 2 === 0 ? buckets : engine.replica).reserve(of, micros(10)),
        ),
      )
      expect(answers.filter(({ kind }) => kind === 'reserved')).toHaveLength(50)
      expect(answers.filter(({ kind }) => kind === 'over')).toHaveLength(150)
    })

    test('each day and each user has its own bucket', async () => {
      const of = newDay()
      await build(of, { limit: 10 })
      await reserve(of, 10)
      const tomorrow = { ...of, day: '2026-11-16' }
      await build(tomorrow, { limit: 10 })
      await reserve(tomorrow, 10)
      const other = newDay()
      await build(other, { limit: 10 })
      await reserve(other, 10)
    })
  })

  describe('building', () => {
    test('simultaneous announcements share one life, which one of them builds', async () => {
      const of = newDay()
      const lives = await Promise.all([announce(of), announce(of), announce(of)])
      expect(new Set(lives).size).toBe(1)
      const built = await Promise.all(
        lives.map((life, index) => build(of, { life, used: 10 * (index + 1), version: index + 1 })),
      )
      expect(built).toEqual([true, true, true])
      const used = await usedOf(of)
      await reserve(of, 5)
      await build(of, { life: lives[0] ?? '', used: 77, version: 99 })
      expect(await usedOf(of)).toBe((used ?? 0) + 5)
    })

    test('a life that was never announced, or was dropped, cannot be built', async () => {
      const of = newDay()
      expect(await build(of, { life: 'made up' })).toBe(false)
      const life = await announce(of)
      await buckets.drop(of)
      expect(await build(of, { life })).toBe(false)
      expect(await announce(of)).not.toBe(life)
      expect(await build(of, { life })).toBe(false)
    })

    test('a change that came after the store was read makes the reading too old', async () => {
      const of = newDay()
      const life = await announce(of)
      expect(await buckets.apply(of, change(5, 8))).toBe(false)
      expect(await build(of, { life, used: 20, version: 7 })).toBe(false)
      expect(await build(of, { life, used: 25, version: 8 })).toBe(true)
      expect(await usedOf(of)).toBe(25)
    })

    test('an expired bucket is absent, and gets a new life', async () => {
      const of = newDay()
      const life = await announce(of)
      // The bucket lives long enough for one call, also on a slow machine.
      const livesMs = 2_000
      await buckets.build(of.userId, {
        day: of.day,
        life,
        expiresAtMs: engine.nowMs() + livesMs,
        limitMicros: micros(100),
        stored: { usedMicros: micros(0), version: 0 },
      })
      expect(await reserve(of, 10)).toBe(life)
      await engine.passTime(livesMs + 10)
      expect(await announce(of)).not.toBe(life)
    })
  })

  describe('applying a stored change', () => {
    test('in the same life the change replaces the reservation', async () => {
      const of = newDay()
      await build(of, { used: 10, version: 3 })
      const life = await reserve(of, 40)
      expect(await buckets.apply(of, change(40, 4, life, 40))).toBe(true)
      expect(await usedOf(of)).toBe(50)
      const second = await reserve(of, 20)
      await buckets.apply(of, change(5, 5, second, 20))
      expect(await usedOf(of)).toBe(55)
      await buckets.apply(of, change(-15, 6))
      expect(await usedOf(of)).toBe(40)
    })

    test('a reservation without a stored change is released', async () => {
      const of = newDay()
      await build(of, { used: 10 })
      const life = await reserve(of, 40)
      const nothing = { deltaMicros: micros(0), version: undefined }
      await buckets.apply(of, { reserved: { life, amountMicros: micros(40) }, ...nothing })
      expect(await usedOf(of)).toBe(10)
      await buckets.apply(of, { reserved: { life: 'earlier', amountMicros: micros(9) }, ...nothing })
      expect(await usedOf(of)).toBe(10)
    })

    test('in another life a change counts once: by the build or by itself', async () => {
      const of = newDay()
      await build(of, { used: 0, version: 0 })
      const life = await reserve(of, 40)
      await buckets.drop(of)
      expect(await buckets.apply(of, change(40, 1, life, 40))).toBe(false)
      await build(of, { used: 40, version: 1 })
      await buckets.apply(of, change(40, 1, life, 40))
      expect(await usedOf(of)).toBe(40)
      await buckets.apply(of, change(25, 2, life, 30))
      expect(await usedOf(of)).toBe(65)
    })

    test('a change that every replica reports counts once in each life', async () => {
      const of = newDay()
      await build(of, { used: 50, version: 3 })
      const reported = (delta: number, version: number) =>
        buckets.apply(of, { ...change(delta, version), isReportedByAll: true })
      expect(await reported(-20, 4)).toBe(true)
      expect(await reported(-20, 4)).toBe(true)
      expect(await usedOf(of)).toBe(30)
      await reported(-5, 5)
      await reported(-9, 3)
      expect(await usedOf(of)).toBe(25)
      await buckets.drop(of)
      await build(of, { used: 25, version: 5 })
      await reported(-20, 4)
      await reported(-5, 6)
      await reported(-5, 6)
      expect(await usedOf(of)).toBe(20)
    })

    test('spending beyond the limit is counted too', async () => {
      const of = newDay()
      await build(of, { limit: 100, used: 90 })
      await buckets.apply(of, change(50, 1))
      expect(await buckets.reserve(of, micros(0))).toMatchObject({ kind: 'over', usedMicros: 140 })
    })
  })
})

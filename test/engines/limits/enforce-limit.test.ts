import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { LimitChange } from '../../../src/ports/day-buckets.ts'
import { LIMIT_ENGINES, type LimitEngine } from './limit-engine.ts'

const DAYS = ['2026-11-15', '2026-11-16'] as const
const ON = { maxDailyUserLimit: '0.0001', enableLimit: true }
const RAISED = { maxDailyUserLimit: '0.0002', enableLimit: true }

describe.each(Object.entries(LIMIT_ENGINES))('enforcing a limit on %s', (_name, openEngine) => {
  let engine: LimitEngine
  let userId: string
  beforeAll(async () => {
    engine = await openEngine()
  })
  afterAll(() => engine.close())
  beforeEach(() => {
    userId = `usr_${randomUUID()}`
  })

  /** Reads the cached entry now; the returned function enforces the limit with the given usage. */
  async function prepare(part: Partial<LimitChange>, { used = 0, version = 0 } = {}) {
    const lives = await engine.buckets.look(userId, DAYS)
    const expiresAtMs = engine.nowMs() + 3_600_000
    const limitMicros = micros(part.entry === RAISED ? 200 : 100)
    const stored = [
      { usedMicros: micros(used), version },
      { usedMicros: micros(0), version: 0 },
    ]
    const buckets = DAYS.map((day, index) => ({
      day,
      life: lives[index] ?? '',
      expiresAtMs,
      limitMicros,
      stored: stored[index] ?? { usedMicros: micros(0), version: 0 },
    }))
    const otherDays: LimitChange['otherDays'] = []
    const change = { seen: undefined, entry: ON, recount: false, otherDays, limitMicros, buckets, ...part }
    return () => engine.replica.enforceLimit(userId, { ...change, expiresAtMs: () => expiresAtMs })
  }

  async function enforce(part: Partial<LimitChange>, stored = {}): Promise<boolean> {
    return (await prepare(part, stored))()
  }

  async function today(): Promise<string> {
    const found = await engine.buckets.reserve({ userId, day: DAYS[0] }, micros(1_000_000))
    return found.kind === 'over' ? `${found.usedMicros} of ${found.limitMicros}` : found.kind
  }

  const reserve = (amount: number) => engine.buckets.reserve({ userId, day: DAYS[0] }, micros(amount))
  const write = (delta: number, version: number) =>
    engine.buckets.apply(
      { userId, day: DAYS[0] },
      { reserved: undefined, deltaMicros: micros(delta), version },
    )

  test('builds missing buckets, and keeps the usage of existing ones', async () => {
    expect(await enforce({}, { used: 30, version: 3 })).toBe(true)
    expect(await today()).toBe('30 of 100')
    await reserve(20)
    expect(await enforce({ seen: ON, entry: RAISED }, { used: 30, version: 3 })).toBe(true)
    expect(await today()).toBe('50 of 200')
  })

  test('an entry that has changed since it was read: nothing changes', async () => {
    await enforce({}, { used: 30, version: 3 })
    for (const seen of [undefined, RAISED, { ...ON, enableLimit: false }])
      expect(await enforce({ seen, entry: RAISED, recount: true }, { used: 5, version: 9 })).toBe(false)
    expect(await today()).toBe('30 of 100')
    expect(await engine.buckets.readLimit(userId)).toEqual(ON)
    expect(await engine.buckets.writeLimit(userId, { seen: RAISED, entry: RAISED })).toBe(false)
    expect(await engine.buckets.readLimit(userId)).toEqual(ON)
    expect(await engine.buckets.writeLimit(userId, { seen: ON, entry: RAISED })).toBe(true)
    expect(await engine.buckets.readLimit(userId)).toEqual(RAISED)
  })

  test('a change that came before a bucket is built makes the reading too old', async () => {
    const enforceLater = await prepare({}, { used: 30, version: 3 })
    await write(5, 4)
    expect(await enforceLater()).toBe(false)
    expect(await engine.buckets.readLimit(userId)).toBeUndefined()
    expect(await today()).toBe('absent')
  })

  test('a recount begins a new life with the stored amount', async () => {
    await enforce({}, { used: 30, version: 3 })
    const before = await reserve(20)
    expect(await enforce({ seen: ON, recount: true }, { used: 40, version: 5 })).toBe(true)
    expect(await today()).toBe('40 of 100')
    const after = await reserve(1)
    if (before.kind !== 'reserved' || after.kind !== 'reserved') throw new Error('there was room')
    expect(after.life).not.toBe(before.life)
    await write(7, 5)
    expect(await today()).toBe('41 of 100')
    await write(7, 6)
    expect(await today()).toBe('48 of 100')
  })

  test('a recount does not undo a change that is newer than its reading', async () => {
    await enforce({}, { used: 30, version: 3 })
    const recountLater = await prepare({ seen: ON, recount: true }, { used: 30, version: 3 })
    await write(5, 4)
    expect(await recountLater()).toBe(false)
    expect(await today()).toBe('35 of 100')
    expect(await enforce({ seen: ON, recount: true }, { used: 35, version: 4 })).toBe(true)
  })

  test('a recount whose reading is older than its bucket changes nothing', async () => {
    const recountLater = await prepare({ recount: true }, { used: 30, version: 3 })
    const buildNow = await prepare({}, { used: 90, version: 8 })
    expect(await buildNow()).toBe(true)
    expect(await recountLater()).toBe(false)
    await engine.buckets.writeLimit(userId, { seen: ON, entry: RAISED })
    expect(await today()).toBe('90 of 100')
    const staleRecount = await prepare({ seen: RAISED, recount: true }, { used: 30, version: 3 })
    expect(await staleRecount()).toBe(false)
  })

  test('without a recount an existing bucket may have changed since the reading', async () => {
    await enforce({}, { used: 30, version: 3 })
    const enforceLater = await prepare({ seen: ON, entry: RAISED }, { used: 30, version: 3 })
    await write(5, 4)
    expect(await enforceLater()).toBe(true)
    expect(await today()).toBe('35 of 200')
  })

  describe('days besides the given ones', () => {
    const OTHERS = ['2026-11-13', '2026-11-14'] as const

    async function buildOthers(): Promise<void> {
      const lives = await engine.buckets.look(userId, OTHERS)
      for (const [index, day] of OTHERS.entries())
        await engine.buckets.build(userId, {
          day,
          life: lives[index] ?? '',
          expiresAtMs: engine.nowMs() + 3_600_000,
          limitMicros: micros(100),
          stored: { usedMicros: micros(7), version: 1 },
        })
    }

    async function limits(): Promise<string[]> {
      const found = await Promise.all(
        OTHERS.map((day) => engine.buckets.reserve({ userId, day }, micros(1_000_000))),
      )
      return found.map((day) => (day.kind === 'over' ? `${day.usedMicros} of ${day.limitMicros}` : day.kind))
    }

    test('get the limit if they are named', async () => {
      await buildOthers()
      expect(await enforce({ entry: RAISED, otherDays: [OTHERS[1]] })).toBe(true)
      expect(await limits()).toEqual(['7 of 100', '7 of 200'])
    })

    test('get the limit if all days are meant', async () => {
      await buildOthers()
      expect(await enforce({ entry: RAISED, otherDays: 'all' })).toBe(true)
      expect(await limits()).toEqual(['7 of 200', '7 of 200'])
    })

    test('are not created', async () => {
      expect(await enforce({ entry: RAISED, otherDays: OTHERS })).toBe(true)
      expect(await limits()).toEqual(['absent', 'absent'])
    })
  })
})

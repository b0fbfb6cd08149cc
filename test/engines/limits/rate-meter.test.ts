import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RateLimits } from '../../../src/ports/rate-meter.ts'
import { LIMIT_ENGINES, type LimitEngine } from './limit-engine.ts'

/** Limit per minute, so low that no token comes back while a test runs, even on a real clock. */
const SLOW = 3

function limits(of: Partial<RateLimits>): RateLimits {
  return {
    organizationId: randomUUID(),
    keyId: randomUUID(),
    keyPerMinute: undefined,
    organizationPerMinute: undefined,
    ...of,
  }
}

describe.each(Object.entries(LIMIT_ENGINES))('the rate meter on %s', (_name, openEngine) => {
  let engine: LimitEngine
  beforeAll(async () => {
    engine = await openEngine()
  })
  afterAll(() => engine.close())

  async function takeUntilRefused(asked: RateLimits, attemptsMax = 1_000) {
    for (let taken = 0; taken < attemptsMax; taken += 1) {
      const standing = await engine.rateMeter.take(asked)
      if (!standing.allowed) return { taken, standing }
    }
    throw new Error('nothing was refused')
  }

  test('a key may use its whole limit in one burst, and then gets a wait time', async () => {
    const asked = limits({ keyPerMinute: SLOW })
    for (const remaining of [2, 1, 0]) {
      const standing = await engine.rateMeter.take(asked)
      expect(standing).toMatchObject({ allowed: true, limitPerMinute: SLOW, remaining, retryAfterMs: 0 })
      expect(standing.resetMs).toBeGreaterThan(0)
      expect(standing.resetMs).toBeLessThanOrEqual((SLOW - remaining) * 20_000)
    }
    const refused = await engine.rateMeter.take(asked)
    expect(refused).toMatchObject({ allowed: false, limitPerMinute: SLOW, remaining: 0 })
    expect(refused.retryAfterMs).toBeGreaterThan(0)
    expect(refused.retryAfterMs).toBeLessThanOrEqual(20_000)
  })

  test('each key has its own limit, and the keys of an organization share its limit', async () => {
    const organizationId = randomUUID()
    const of = (keyId: string) => limits({ organizationId, keyId, keyPerMinute: 2, organizationPerMinute: 3 })
    const answers = []
    for (const key of ['a', 'a', 'a', 'b', 'b']) answers.push(await engine.rateMeter.take(of(key)))
    expect(answers.map(({ allowed }) => allowed)).toEqual([true, true, false, true, false])
    expect(answers.map(({ limitPerMinute }) => limitPerMinute)).toEqual([2, 2, 2, 3, 3])
  })

  test('a refused request uses neither limit', async () => {
    const organizationId = randomUUID()
    const narrow = limits({ organizationId, keyPerMinute: 1, organizationPerMinute: 4 })
    for (let turn = 0; turn < 10; turn += 1) await engine.rateMeter.take(narrow)
    const alone = limits({ organizationId, organizationPerMinute: 4 })
    expect((await takeUntilRefused(alone)).taken).toBe(3)

    const keyId = randomUUID()
    for (let turn = 0; turn < 10; turn += 1)
      await engine.rateMeter.take(
        limits({ organizationId, keyId, keyPerMinute: 5, organizationPerMinute: 4 }),
      )
    expect((await takeUntilRefused(limits({ organizationId, keyId, keyPerMinute: 5 }))).taken).toBe(5)
  })

  test('the announced wait is enough', async () => {
    const asked = limits({ keyPerMinute: 300, organizationPerMinute: 600 })
    const { standing } = await takeUntilRefused(asked)
    await engine.passTime(standing.retryAfterMs)
    expect((await engine.rateMeter.take(asked)).allowed).toBe(true)
  })

  test('replicas share a limit', async () => {
    const asked = limits({ organizationPerMinute: 50 })
    const meters = [engine.rateMeter, engine.replicaRateMeter]
    const startedAtMs = engine.nowMs()
    const answers = await Promise.all(Array.from({ length: 200 }, (_, turn) => meters[turn % 2]?.take(asked)))
    const flowedBack = Math.ceil((engine.nowMs() - startedAtMs) / 1_200)
    const allowed = answers.filter((answer) => answer?.allowed).length
    expect(allowed).toBeGreaterThanOrEqual(50)
    expect(allowed).toBeLessThanOrEqual(50 + flowedBack)
  })

  test('the largest limit counts correctly', async () => {
    const asked = limits({ keyPerMinute: 10_000_000 })
    const first = await engine.rateMeter.take(asked)
    expect(first).toMatchObject({
      allowed: true,
      limitPerMinute: 10_000_000,
      remaining: 9_999_999,
      resetMs: 1,
    })
  })
})

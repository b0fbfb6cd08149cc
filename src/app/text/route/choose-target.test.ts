import { expect, test } from 'vitest'
import { seededRandom } from '../../../../test/random/seeded-random.ts'
import type { RouteRule } from '../../../domain/catalog/model.ts'
import type { Draw } from '../../../ports/clock.ts'
import type { TextProvider } from '../../../ports/text-provider.ts'
import { chooseTarget, type TargetModel } from './choose-target.ts'
import { createModelRates } from './model-rates.ts'

const upstream = { dialect: 'messages', upstream: 'up', countsTokens: false, reasons: false } as const

function target(name: string, weight: number, more: Partial<TargetModel & TextProvider> = {}): TargetModel {
  const { isReady, organizationId, plainCostMicros = 1 } = more
  const provider = { name, hides: [], organizationId, findModel: () => upstream, send: () => ({ stop() {} }) }
  return {
    ...{ name, weight, upstream, maxOutputTokens: undefined, contextTokens: undefined, plainCostMicros },
    provider: isReady === undefined ? provider : { ...provider, isReady },
  }
}

function chooserOf(targets: readonly TargetModel[], by: RouteRule, draw: Draw = () => 0.5) {
  const rates = createModelRates()
  const choose = (tried = 0, organizationId = 'org_1', isStream = true) =>
    targets[
      chooseTarget(
        targets,
        by,
        { organizationId, operation: 'create', isStream, triedTargets: tried },
        { rates, draw },
      )
    ]?.name
  const shares = (times: number) => {
    const counts: Record<string, number> = {}
    for (let at = 0; at < times; at += 1) {
      const name = choose() ?? 'none'
      counts[name] = (counts[name] ?? 0) + 1
    }
    return counts
  }
  return { choose, shares, rates }
}

const down = { isReady: () => false }

test('by weight: each target gets its share', () => {
  const { shares } = chooserOf(
    [target('a', 2), target('b', 1), target('c', 0)],
    'weight',
    seededRandom(7).next,
  )
  const { a = 0, b = 0, c = 0 } = shares(30_000)
  expect(Math.abs(a / 30_000 - 2 / 3)).toBeLessThan(0.02)
  expect(Math.abs(b / 30_000 - 1 / 3)).toBeLessThan(0.02)
  expect(c).toBe(0)
})

test('a tried target is not chosen again; when all were tried, none is left', () => {
  const { choose } = chooserOf([target('a', 1), target('b', 1)], 'weight')
  expect([choose(0b01), choose(0b10), choose(0b11)]).toEqual(['b', 'a', undefined])
})

test.each<RouteRule>(['weight', 'latency', 'price'])(
  'by %s: a target with an open breaker or a paused key is skipped while another target is ready',
  (by) => {
    const { choose, shares } = chooserOf([target('a', 9, down), target('b', 1), target('c', 0)], by)
    expect(shares(100)).toEqual({ b: 100 })
    // Order of choice: ready targets with a weight, other ready targets, other targets with a weight, all targets.
    expect(choose(0b010)).toBe('c')
    expect(choose(0b110)).toBe('a')
  },
)

test('breakers are read for the calling organization and the called model', () => {
  const isReady: TextProvider['isReady'] = (model, operation, organizationId) =>
    !(model === upstream && operation === 'create' && organizationId === 'org_1')
  const { choose } = chooserOf([target('a', 1, { isReady }), target('b', 0)], 'weight')
  expect([choose(0, 'org_1'), choose(0, 'org_2')]).toEqual(['b', 'a'])
})

test("another organization's own provider is never a target", () => {
  const { choose } = chooserOf([target('a', 9, { organizationId: 'org_2' }), target('b', 1)], 'weight')
  expect([choose(0, 'org_1'), choose(0b10, 'org_1')]).toEqual(['b', undefined])
})

test('by price: the cheapest first, a target without a price last', () => {
  const dear = { plainCostMicros: 9 }
  const unpriced = { plainCostMicros: Number.POSITIVE_INFINITY }
  const { choose } = chooserOf([target('a', 1, unpriced), target('b', 1, dear), target('c', 1)], 'price')
  expect([choose(), choose(0b100), choose(0b110)]).toEqual(['c', 'b', 'a'])
})

test('by latency: targets without a measure first, then the fastest, and sometimes another one', () => {
  const targets = [target('a', 1), target('b', 1), target('c', 1)]
  const { shares, rates } = chooserOf(targets, 'latency', seededRandom(7).next)
  rates.noteFirstByte('a', true, 300)
  rates.noteFirstByte('c', true, 900)
  expect(shares(100).b).toBeGreaterThan(85)
  rates.noteFirstByte('b', true, 200)
  const { a = 0, b = 0, c = 0 } = shares(3_000)
  expect(b).toBeGreaterThan(2_800)
  expect(a).toBeGreaterThan(10)
  expect(c).toBeGreaterThan(10)
})

test('by latency: whole replies are compared only with whole replies', () => {
  const { choose, rates } = chooserOf([target('a', 1), target('b', 1)], 'latency')
  rates.noteFirstByte('a', true, 100)
  rates.noteFirstByte('b', true, 200)
  rates.noteFirstByte('a', false, 9_000)
  rates.noteFirstByte('b', false, 3_000)
  expect([choose(0, 'org_1', true), choose(0, 'org_1', false)]).toEqual(['a', 'b'])
})

test('by latency: a target that fails immediately does not look fast', () => {
  const { choose, rates } = chooserOf([target('a', 1), target('b', 1)], 'latency')
  rates.noteFirstByte('b', true, 2_000)
  rates.noteFailure('a', true)
  expect(choose()).toBe('b')
})

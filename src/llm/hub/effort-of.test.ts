import { expect, test } from 'vitest'
import { effortOf, wishFor } from './effort-of.ts'
import type { LossName } from './losses.ts'
import type { ReasoningWish } from './text-request.ts'

const WISH: ReasoningWish = {
  effort: undefined,
  budgetTokens: undefined,
  summary: undefined,
  wantsSeal: true,
}
const TARGET = { model: 'm', provider: 'p', maxOutputTokens: undefined }

test.each<[Partial<ReasoningWish>, string | undefined]>([
  [{}, undefined],
  [{ budgetTokens: 0 }, undefined],
  [{ budgetTokens: 4_096 }, 'low'],
  [{ budgetTokens: 4_097 }, 'medium'],
  [{ budgetTokens: 16_384 }, 'medium'],
  [{ budgetTokens: 16_385 }, 'high'],
  [{ effort: 'none', budgetTokens: 0 }, 'none'],
  [{ effort: 'max', budgetTokens: 1 }, 'max'],
])('%j is an effort of %s', (wish, effort) => {
  expect(effortOf({ ...WISH, ...wish })).toBe(effort)
})

test.each<[Partial<ReasoningWish>, LossName[]]>([
  [{}, []],
  [{ effort: 'none' }, []],
  [{ budgetTokens: 0 }, []],
  [{ effort: 'low' }, ['reasoning_effort']],
  [{ budgetTokens: 1_024 }, ['reasoning_effort']],
])('a model that does not reason is told nothing of %j', (wish, lost) => {
  const losses = new Set<LossName>()
  expect(wishFor({ ...TARGET, reasons: false }, { ...WISH, ...wish }, losses)).toBeUndefined()
  expect([...losses]).toEqual(lost)
})

test('any other model is told all of it', () => {
  const losses = new Set<LossName>()
  const wish: ReasoningWish = { ...WISH, effort: 'high' }
  expect(wishFor({ ...TARGET, reasons: true }, wish, losses)).toBe(wish)
  expect(losses.size).toBe(0)
})

import { expect, test } from 'vitest'
import { effortOf, reasoningFor } from './effort-of.ts'
import type { LossName } from './losses.ts'
import type { ReasoningOptions } from './request.ts'

const OPTIONS: ReasoningOptions = {
  effort: undefined,
  budgetTokens: undefined,
  summary: undefined,
  wantsSeal: true,
}
const TARGET = { model: 'm', provider: 'p', maxOutputTokens: undefined }

test.each<[Partial<ReasoningOptions>, string | undefined]>([
  [{}, undefined],
  [{ budgetTokens: 0 }, undefined],
  [{ budgetTokens: 4_096 }, 'low'],
  [{ budgetTokens: 4_097 }, 'medium'],
  [{ budgetTokens: 16_384 }, 'medium'],
  [{ budgetTokens: 16_385 }, 'high'],
  [{ effort: 'none', budgetTokens: 0 }, 'none'],
  [{ effort: 'max', budgetTokens: 1 }, 'max'],
])('%j is an effort of %s', (options, effort) => {
  expect(effortOf({ ...OPTIONS, ...options })).toBe(effort)
})

test.each<[Partial<ReasoningOptions>, LossName[]]>([
  [{}, []],
  [{ effort: 'none' }, []],
  [{ budgetTokens: 0 }, []],
  [{ effort: 'low' }, ['reasoning_effort']],
  [{ budgetTokens: 1_024 }, ['reasoning_effort']],
])('a model that does not reason does not get %j', (options, lost) => {
  const losses = new Set<LossName>()
  expect(reasoningFor({ ...TARGET, reasons: false }, { ...OPTIONS, ...options }, losses)).toBeUndefined()
  expect([...losses]).toEqual(lost)
})

test('any other model gets all reasoning options', () => {
  const losses = new Set<LossName>()
  const options: ReasoningOptions = { ...OPTIONS, effort: 'high' }
  expect(reasoningFor({ ...TARGET, reasons: true }, options, losses)).toBe(options)
  expect(losses.size).toBe(0)
})

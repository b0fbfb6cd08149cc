import { expect, test } from 'vitest'
import {
  assistant,
  call,
  HI,
  result,
  TARGET,
  tool,
  user,
  write,
} from '../../../../test/fixtures/text/messages/request-parts.ts'
import type { Part, TextRequest } from '../canonical/request.ts'

const options = { effort: undefined, budgetTokens: undefined, summary: undefined, wantsSeal: true }
const thinkingOf = (request: Partial<TextRequest>) => {
  const { body, losses } = write({ reasoning: { ...options, effort: 'high' }, ...request })
  return [body.thinking, losses]
}

test.each<[Partial<TextRequest['reasoning']>, unknown]>([
  [{}, undefined],
  [{ effort: 'none' }, { type: 'disabled' }],
  [{ budgetTokens: 0 }, { type: 'disabled' }],
  [{ effort: 'minimal' }, { type: 'enabled', budget_tokens: 1_024 }],
  [{ effort: 'medium' }, { type: 'enabled', budget_tokens: 8_192 }],
  [{ effort: 'max' }, { type: 'enabled', budget_tokens: 51_200 }],
  [{ budgetTokens: 5_000 }, { type: 'enabled', budget_tokens: 5_000 }],
  [{ budgetTokens: 10 }, { type: 'enabled', budget_tokens: 1_024 }],
])('%j', (reasoning, thinking) => {
  expect(thinkingOf({ reasoning: { ...options, ...reasoning } })).toEqual([thinking, []])
})

test('a model that does not reason', () => {
  const target = { ...TARGET, reasons: false }
  const { body, losses } = write({ reasoning: { ...options, effort: 'high' }, temperature: 0.2 }, target)
  expect(body).not.toHaveProperty('thinking')
  expect(body.temperature).toBe(0.2)
  expect(losses).toEqual(['reasoning_effort'])
})

test('a bound that leaves no room for thinking', () => {
  expect(thinkingOf({ maxOutputTokens: 2_000 })).toEqual([{ type: 'enabled', budget_tokens: 1_600 }, []])
  expect(thinkingOf({ maxOutputTokens: 1_000 })).toEqual([undefined, ['reasoning_effort']])
})

test('a tool that must be called', () => {
  const forced = thinkingOf({ tools: [tool('f')], toolChoice: { kind: 'required' } })
  expect(forced).toEqual([undefined, ['reasoning_effort']])
})

test('results of calls that were made without thinking', () => {
  const thought: Part = {
    kind: 'reasoning',
    text: 'Hm.',
    seal: { provider: 'vendorD', proof: 's' },
    hidden: false,
  }
  const tools = [tool('f')]
  const without = [...HI, assistant(call('c1')), user(result('c1'))]
  expect(thinkingOf({ tools, turns: without })).toEqual([undefined, ['reasoning_effort']])
  const turns = [...HI, assistant(thought, call('c1')), user(result('c1'))]
  expect(thinkingOf({ tools, turns })).toEqual([{ type: 'enabled', budget_tokens: 16_384 }, []])
})

test('a model that thinks gets no temperature and no low top_p', () => {
  const reasoning = { ...options, effort: 'high' as const, summary: 'detailed' as const }
  const { body, losses } = write({ reasoning, temperature: 0.2, topP: 0.5 })
  expect(body).not.toHaveProperty('temperature')
  expect(body).not.toHaveProperty('top_p')
  expect(losses).toEqual(['reasoning_summary', 'temperature', 'top_p'])
})

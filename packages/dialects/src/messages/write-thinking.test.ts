import { describe, expect, test } from 'vitest'
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
import type { ThinkingMode } from '../canonical/codec.ts'
import type { Effort, Part, ReasoningOptions, TextRequest } from '../canonical/request.ts'

const options = { effort: undefined, budgetTokens: undefined, summary: undefined, wantsSeal: true }
const SHOWN = { type: 'adaptive', display: 'summarized' }
type ThinkingCase = [Partial<ReasoningOptions>, object | undefined, Effort | undefined, string[]]

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

test('a model that does not reason gets no thinking', () => {
  const target = { ...TARGET, reasons: false }
  const { body, losses } = write({ reasoning: { ...options, effort: 'high' }, temperature: 0.2 }, target)
  expect(body).not.toHaveProperty('thinking')
  expect(body.temperature).toBe(0.2)
  expect(losses).toEqual(['reasoning_effort'])
})

test('a small bound shortens the thinking, or leaves no room for it', () => {
  expect(thinkingOf({ maxOutputTokens: 2_000 })).toEqual([{ type: 'enabled', budget_tokens: 1_600 }, []])
  expect(thinkingOf({ maxOutputTokens: 1_000 })).toEqual([undefined, ['reasoning_effort']])
})

test('a tool that must be called excludes thinking', () => {
  const forced = thinkingOf({ tools: [tool('f')], toolChoice: { kind: 'required' } })
  expect(forced).toEqual([undefined, ['reasoning_effort']])
})

test('results of calls that were made without thinking exclude it', () => {
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

test('an answer that was begun excludes thinking', () => {
  const turns = [...HI, assistant({ kind: 'text', text: 'It is ' })]
  expect(thinkingOf({ turns })).toEqual([undefined, ['reasoning_effort']])
})

const EFFORT: ThinkingCase[] = [
  [{}, undefined, undefined, []],
  [{ effort: 'minimal' }, SHOWN, 'low', []],
  [{ effort: 'max' }, SHOWN, 'max', []],
  [{ budgetTokens: 5_000 }, SHOWN, 'medium', []],
  [{ effort: 'high', summary: 'none' }, { type: 'adaptive', display: 'omitted' }, 'high', []],
  [{ summary: 'detailed' }, SHOWN, undefined, ['reasoning_summary']],
]

describe.each<[ThinkingMode, ThinkingCase[]]>([
  [
    'adaptive',
    [
      [{ effort: 'none' }, { type: 'disabled' }, undefined, []],
      [{ budgetTokens: 0 }, { type: 'disabled' }, undefined, []],
    ],
  ],
  ['always', [[{ effort: 'none' }, SHOWN, 'low', ['reasoning_effort']]]],
])('a model that thinks by effort: %s', (thinking, own) => {
  const target = { ...TARGET, thinking }

  test.each([...EFFORT, ...own])('%j', (reasoning, written, effort, losses) => {
    const { body, losses: lost } = write({ reasoning: { ...options, ...reasoning } }, target)
    expect([body.thinking, body.output_config?.effort, lost]).toEqual([written, effort, losses])
  })

  test('takes no sampling options, even while it does not think', () => {
    const { body, losses } = write({ temperature: 0.2, topP: 0.5 }, target)
    expect(body).not.toHaveProperty('temperature')
    expect(body).not.toHaveProperty('top_p')
    expect(losses).toEqual(['temperature', 'top_p'])
    expect(write({ temperature: 1, topP: 1 }, target).losses).toEqual([])
  })

  test('does not continue an answer that was begun', () => {
    const turns = [...HI, assistant({ kind: 'text', text: 'It is' })]
    expect(write({ turns }, target).body.messages).toHaveLength(3)
  })

  test('thinks although its earlier calls had no thinking', () => {
    const turns = [...HI, assistant(call('c1')), user(result('c1'))]
    const reasoning = { ...options, effort: 'high' as const }
    expect(write({ reasoning, tools: [tool('f')], turns }, target).body.thinking).toEqual(SHOWN)
  })

  test('keeps a required tool call, except in the mode `always`', () => {
    const { body, losses } = write({ tools: [tool('f')], toolChoice: { kind: 'required' } }, target)
    const isFree = thinking === 'always'
    expect([body.tool_choice, losses]).toEqual([
      { type: isFree ? 'auto' : 'any' },
      isFree ? ['tool_choice'] : [],
    ])
  })
})

test('a model that chooses its thinking does not think while it has to call a tool', () => {
  const forced = { tools: [tool('f')], toolChoice: { kind: 'required' as const } }
  const reasoning = { ...options, effort: 'high' as const }
  const { body, losses } = write({ reasoning, ...forced }, { ...TARGET, thinking: 'adaptive' })
  expect([body.thinking, body.output_config, body.tool_choice]).toEqual([
    undefined,
    undefined,
    { type: 'any' },
  ])
  expect(losses).toEqual(['reasoning_effort'])
})

test('a model that thinks gets no temperature and no low top_p', () => {
  const reasoning = { ...options, effort: 'high' as const, summary: 'detailed' as const }
  const { body, losses } = write({ reasoning, temperature: 0.2, topP: 0.5 })
  expect(body).not.toHaveProperty('temperature')
  expect(body).not.toHaveProperty('top_p')
  expect(losses).toEqual(['reasoning_summary', 'temperature', 'top_p'])
})

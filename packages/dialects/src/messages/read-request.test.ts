import { describe, expect, test } from 'vitest'
import { apiErrorOf } from '../../../../test/api-error-of.ts'
import { PLAIN_REQUEST } from '../../../../test/fixtures/text/plain-request.ts'
import type { ReasoningOptions } from '../canonical/request.ts'
import { readMessagesRequest } from './read-request.ts'

const GOOD = { model: 'vendorC/model-4.1', max_tokens: 16, messages: [{ role: 'user', content: 'Hi' }] }
const read = (more: object) => readMessagesRequest({ ...GOOD, ...more })

test('a minimal request', () => {
  expect(read({})).toEqual({ ...PLAIN_REQUEST, maxOutputTokens: 16 })
})

test('settings', () => {
  const request = read({
    stream: true,
    temperature: 0.5,
    top_p: 0.9,
    stop_sequences: ['END'],
    metadata: { user_id: 'u-1' },
    service_tier: 'standard_only',
    output_config: { format: { type: 'json_schema', name: 'answer', schema: { type: 'object' } } },
  })
  expect(request).toMatchObject({
    stream: true,
    temperature: 0.5,
    topP: 0.9,
    stopSequences: ['END'],
    userId: 'u-1',
    serviceTier: 'default',
    format: { kind: 'json-schema', name: 'answer', schema: { type: 'object' } },
    losses: [],
  })
  expect(read({ output_format: { type: 'json_schema', schema: {} } }).format).toMatchObject({ schema: {} })
})

test.each<[object, string[]]>([
  [{ top_k: 5 }, ['top_k']],
  [{ top_k: null }, []],
  [{ inference_geo: 'eu' }, ['inference_geo']],
  [{ context_management: { edits: [] } }, ['context_management']],
  [{ safeguards: [{ type: 'dangerous_tool_use' }] }, ['safeguards']],
  [{ cache_control: { type: 'ephemeral' } }, ['cache_control']],
  [{ speed: 'fast' }, ['unknown_field']],
  [{ service_tier: 'auto' }, []],
  [{ service_tier: 'golden' }, ['service_tier']],
  [{ metadata: { user_id: 'x', team: 'y' } }, ['unknown_field']],
  [{ output_config: { task_budget: { type: 'tokens', total: 20_000 } } }, ['unknown_field']],
  [{ output_config: { task_budget: null, format: null } }, []],
  [{ output_config: { format: { type: 'json_schema', schema: {}, description: 'd' } } }, ['unknown_field']],
  [{ output_format: { type: 'json_schema', schema: {}, description: 'd' } }, ['unknown_field']],
  [{ thinking: { type: 'adaptive', block_binding: { prefix: 'x' } } }, ['unknown_field']],
  [{ thinking: { type: 'adaptive', display: 'summarized', block_binding: null } }, []],
  [{ thinking: { type: 'adaptive', display: 'updates' } }, ['reasoning_summary']],
  [{ mcp_servers: [{ url: 'https://x.example' }] }, ['unknown_tool']],
  [{ tools: [{ name: 'x', input_schema: {}, defer_loading: true }] }, ['defer_loading']],
  [{ tools: [{ name: 'x', input_schema: {}, cache_control: {} }] }, ['cache_control']],
  [{ tools: [{ name: 'x', input_schema: {}, input_examples: [{}] }] }, ['unknown_field']],
  [{ tools: [{ name: 'x', input_schema: {}, input_examples: [] }] }, []],
  [{ tools: [{ name: 'x', input_schema: {}, eager_input_streaming: true }] }, []],
  [{ tools: [{ type: 'bash_20250124', name: 'bash' }] }, ['unknown_tool']],
])('%j loses %j', (more, losses) => {
  expect(read(more).losses).toEqual(losses)
})

describe('reasoning', () => {
  const options = (part: Partial<ReasoningOptions>): ReasoningOptions => ({
    effort: undefined,
    budgetTokens: undefined,
    summary: 'auto',
    wantsSeal: true,
    ...part,
  })

  test.each<[object, ReasoningOptions | undefined]>([
    [{}, undefined],
    [{ output_config: { effort: null } }, undefined],
    [{ thinking: { type: 'enabled', budget_tokens: 4096 } }, options({ budgetTokens: 4096 })],
    [{ thinking: { type: 'adaptive' } }, options({})],
    [{ thinking: { type: 'between_tools' } }, options({})],
    [
      { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'high' } },
      options({ effort: 'high', summary: 'none' }),
    ],
    [{ output_config: { effort: 'max' } }, options({ effort: 'max' })],
    [
      { thinking: { type: 'disabled' }, output_config: { effort: 'high' } },
      { effort: undefined, budgetTokens: 0, summary: undefined, wantsSeal: false },
    ],
    [
      { thinking: { type: 'disabled' }, output_config: { effort: 'none' } },
      { effort: 'none', budgetTokens: 0, summary: undefined, wantsSeal: false },
    ],
  ])('%j', (more, reasoning) => {
    expect(read(more).reasoning).toEqual(reasoning)
  })

  test.each([
    [{ output_config: { effort: 'heroic' } }, 'output_config.effort'],
    [{ thinking: { type: 'of_tomorrow' } }, 'thinking.type'],
  ])('refused: %j', (more, param) => {
    expect(() => read(more)).toThrow(expect.objectContaining({ param, code: 'invalid_parameter' }))
  })
})

test('stop sequences are limited where the gateway may search for them', () => {
  const param = 'stop_sequences'
  const many = (count: number) => Array.from({ length: count }, (_, at) => `s${at}`)
  expect(read({ stop_sequences: [...many(63), 'x'.repeat(1_000)] }).stopSequences).toHaveLength(64)
  expect(apiErrorOf(() => read({ stop_sequences: many(65) }))).toMatchObject({
    code: 'invalid_parameter',
    param,
  })
  expect(apiErrorOf(() => read({ stop_sequences: ['x'.repeat(1_001)] }))).toMatchObject({ param })
})

test.each([
  [{ type: 'create' }],
  [{ type: 'continue', previous_message_id: 'msg_1' }],
  [{}],
  [true],
  ['msg_1'],
])('a thread is refused with the code that its client acts upon: %j', (thread) => {
  // The thread is refused before other faults: the client then sends the request again without a thread.
  expect(() => read({ thread, stop_sequences: Array(65).fill('s') })).toThrow(
    expect.objectContaining({
      code: 'invalid_parameter',
      param: 'thread',
      message: expect.stringContaining('without thread'),
      details: { error_code: 'thread_unsupported_request', unsupported: ['model'] },
    }),
  )
})

test.each([null, false])('a thread of %j asks for nothing', (thread) => {
  expect(read({ thread })).toEqual(read({}))
})

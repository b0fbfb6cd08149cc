import { describe, expect, test } from 'vitest'
import { apiErrorOf } from '../../../../test/api-error-of.ts'
import { writeSeal } from '../canonical/seal.ts'
import { readChatRequest } from './read-request.ts'

const read = (more: object) =>
  readChatRequest({ model: 'a/b', messages: [{ role: 'user', content: 'Hi' }], ...more })
const turnsOf = (...messages: object[]) => read({ messages }).turns

test('a plain request gets no further fields', () => {
  expect(read({})).toEqual({
    stream: false,
    streamsUsage: false,
    turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
    stopSequences: [],
    tools: [],
    losses: [],
  })
})

test('settings are carried', () => {
  const request = read({
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: 9,
    max_tokens: 7,
    temperature: 0.5,
    top_p: 0.4,
    stop: 'END',
    reasoning_effort: 'low',
    verbosity: 'high',
    user: 'u',
    service_tier: 'flex',
    metadata: { a: 'b' },
    prompt_cache_key: 'k',
    n: 1,
    modalities: ['text'],
    store: false,
    logprobs: false,
    frequency_penalty: 0,
    logit_bias: {},
  })
  expect(request).toMatchObject({
    stream: true,
    streamsUsage: true,
    maxOutputTokens: 9,
    temperature: 0.5,
    topP: 0.4,
    stopSequences: ['END'],
    reasoning: { effort: 'low', wantsSeal: false },
    verbosity: 'high',
    userId: 'u',
    serviceTier: 'flex',
    metadata: { a: 'b' },
    cacheKey: 'k',
    losses: [],
  })
})

test.each<[object, string]>([
  [{ n: 2 }, 'n'],
  [{ logprobs: true }, 'logprobs'],
  [{ top_logprobs: 3 }, 'top_logprobs'],
  [{ audio: { voice: 'a' } }, 'audio'],
  [{ modalities: ['text', 'audio'] }, 'modalities'],
  [{ functions: [{ name: 'a' }] }, 'functions'],
  [{ function_call: 'auto' }, 'function_call'],
  [{ web_search_options: { user_location: null } }, 'web_search_options'],
  [{ reasoning_effort: 'gigantic' }, 'reasoning_effort'],
  [{ response_format: { type: 'grammar' } }, 'response_format.type'],
  [
    { response_format: { type: 'json_schema', json_schema: { name: 'a' } } },
    'response_format.json_schema.schema',
  ],
  [{ tool_choice: 'required' }, 'tool_choice'],
  [{ tool_choice: { type: 'function', function: { name: 'a' } } }, 'tool_choice.function.name'],
  [{ messages: [{ role: 'user', content: '' }] }, 'messages'],
  [{ messages: [{ role: 'function', name: 'a', content: 'x' }] }, 'messages.0.role'],
  [{ messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] }, 'messages.0.audio'],
  [
    { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
    'messages.0.content.0.type',
  ],
  [
    { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }] },
    'messages.0.content.0.file.file_id',
  ],
  [
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,x' } }] }] },
    'messages.0.content.0.image_url.url',
  ],
])('refused on a converted model: %j', (more, param) => {
  expect(apiErrorOf(() => read(more))).toMatchObject({ code: 'invalid_parameter', param })
})

test.each<[object, string[]]>([
  [{ seed: 5 }, ['seed']],
  [{ presence_penalty: 1, logit_bias: { 5: 1 } }, ['penalties']],
  [{ prediction: { type: 'content', content: 'x' } }, ['prediction']],
  [{ top_k: 5 }, ['top_k']],
  [{ prompt_cache_retention: '24h' }, ['cache_control']],
  [{ a_new_field: 1 }, ['unknown_field']],
  [{ tools: [{ type: 'web_search' }] }, ['unknown_tool']],
  [{ messages: [{ role: 'user', name: 'Ann', content: 'Hi' }] }, ['unknown_field']],
])('declared lost: %j', (more, losses) => {
  expect(read(more).losses).toEqual(losses)
})

test('a search of the web beside tools is dropped and declared', () => {
  const tools = [{ type: 'function', function: { name: 'a' } }]
  expect(read({ tools, web_search_options: { a: 1 } }).losses).toEqual(['web_search'])
})

test('tools: json, strict, and free text with a grammar; the last of one name counts', () => {
  const grammar = { syntax: 'lark', definition: 's: "a"' }
  const { tools } = read({
    tools: [
      { type: 'function', function: { name: 'a', description: 'old' } },
      { type: 'function', function: { name: 'a', parameters: { type: 'object' }, strict: true } },
      { type: 'custom', custom: { name: 'b', format: { type: 'grammar', grammar } } },
      { type: 'custom', custom: { name: 'c', format: { type: 'text' } } },
    ],
  })
  expect(tools).toMatchObject([
    { name: 'a', input: { kind: 'json', schema: { type: 'object' }, strict: true } },
    { name: 'b', input: { kind: 'text', format: { type: 'grammar', ...grammar } } },
    { name: 'c', input: { kind: 'text', format: undefined } },
  ])
})

test('allowed tools are the only ones that are offered', () => {
  const named = (name: string) => ({ type: 'function', function: { name } })
  const allowed = { mode: 'required', tools: [named('b')] }
  const request = read({
    tools: [named('a'), named('b')],
    tool_choice: { type: 'allowed_tools', allowed_tools: allowed },
    parallel_tool_calls: false,
  })
  expect(request).toMatchObject({
    tools: [{ name: 'b' }],
    toolChoice: { kind: 'required' },
    parallelToolCalls: false,
  })
})

describe('messages', () => {
  test('parallel calls and their results stay together, and a custom result is known by its call', () => {
    const turns = turnsOf(
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
          { id: 'c2', type: 'custom', custom: { name: 'g', input: 'x' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'two' }] },
    )
    expect(turns).toMatchObject([
      { role: 'developer', parts: [{ text: 'Be brief.' }] },
      { role: 'user' },
      {
        role: 'assistant',
        parts: [
          { callId: 'c1', name: 'f', input: { kind: 'json', text: '{"a":1}' } },
          { callId: 'c2', name: 'g', input: { kind: 'text', text: 'x' } },
        ],
      },
      {
        role: 'user',
        parts: [
          { kind: 'tool-result', callId: 'c1', isCustom: false, parts: [{ text: 'one' }] },
          { kind: 'tool-result', callId: 'c2', isCustom: true, parts: [{ text: 'two' }] },
        ],
      },
    ])
  })

  test('images and files are read from their URLs', () => {
    const [turn] = turnsOf({
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
        { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
      ],
    })
    expect(turn?.parts).toEqual([
      { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' }, detail: 'low' },
      { kind: 'image', source: { kind: 'url', url: 'https://x.example/a.png' }, detail: undefined },
      {
        kind: 'document',
        source: { kind: 'base64', mediaType: 'application/pdf', data: 'AAAA' },
        name: 'a.pdf',
      },
    ])
  })

  test.each(['reasoning_content', 'reasoning'])(
    '%s of an earlier answer is reasoning without a proof',
    (name) => {
      const [, turn] = turnsOf(
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Yes', [name]: 'Hm' },
      )
      expect(turn?.parts).toMatchObject([
        { kind: 'reasoning', text: 'Hm', seal: undefined },
        { kind: 'text', text: 'Yes' },
      ])
    },
  )

  test('reasoning_details bring the proof back', () => {
    const seal = { provider: 'vendorD', proof: 'p' }
    const details = [
      { type: 'reasoning.text', text: 'Hm', signature: writeSeal(seal), index: 0 },
      { type: 'reasoning.encrypted', data: writeSeal(seal), index: 1 },
    ]
    const [, turn] = turnsOf(
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Yes', reasoning_content: 'Hm', reasoning_details: details },
    )
    expect(turn?.parts).toMatchObject([
      { kind: 'reasoning', text: 'Hm', seal, hidden: false },
      { kind: 'reasoning', text: '', seal, hidden: true },
      { kind: 'text', text: 'Yes' },
    ])
  })
})

test.each<[object, object]>([
  [{ reasoning: { effort: 'high' } }, { effort: 'high', summary: 'auto', wantsSeal: true }],
  [{ reasoning: { max_tokens: 2_000, exclude: true } }, { budgetTokens: 2_000, summary: 'none' }],
  [{ reasoning: { enabled: false } }, { budgetTokens: 0, wantsSeal: false }],
  [{ thinking: { type: 'disabled' } }, { budgetTokens: 0 }],
  [{ thinking: { type: 'enabled', budget_tokens: 1_024 } }, { budgetTokens: 1_024 }],
  [{ enable_thinking: false }, { budgetTokens: 0 }],
])('%j sets the reasoning options', (more, expected) => {
  expect(read(more).reasoning).toMatchObject(expected)
})

import { expect, test } from 'vitest'
import { PLAIN_REQUEST } from '../../../../test/fixtures/text/plain-request.ts'
import { type ChatVariant, USUAL_CHAT } from '../canonical/chat-variant.ts'
import type { ReasoningOptions, TextRequest, Tool } from '../canonical/request.ts'
import { RequestError } from '../request-error.ts'
import { writeChatRequest } from './write-request.ts'

function write(
  request: Partial<TextRequest>,
  {
    maxOutputTokens,
    reasons = true,
    chat,
  }: { maxOutputTokens?: number; reasons?: boolean; chat?: Partial<ChatVariant> } = {},
) {
  const written = writeChatRequest(
    { ...PLAIN_REQUEST, ...request },
    {
      model: 'gpt-like-4.1',
      provider: 'vendorC',
      maxOutputTokens,
      reasons,
      chat: { ...USUAL_CHAT, ...chat },
    },
  )
  const body: unknown = JSON.parse(JSON.stringify(written.body))
  return { ...written, body }
}

const HI = { model: 'gpt-like-4.1', messages: [{ role: 'user', content: 'Hi' }] }

const WEATHER: Tool = {
  name: 'get_weather',
  namespace: undefined,
  description: 'Tells the weather.',
  input: { kind: 'json', schema: { type: 'object', properties: { city: { type: 'string' } } }, strict: true },
}
const PATCH: Tool = {
  name: 'apply_patch',
  namespace: 'edit',
  description: 'Edits files.',
  input: { kind: 'text', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
}
const BARE: ReasoningOptions = {
  effort: undefined,
  budgetTokens: undefined,
  summary: undefined,
  wantsSeal: false,
}

test('the gateway handles stop sequences beyond the four that a vendor takes', () => {
  const { body, unsentStops, losses } = write({ stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'] })
  expect(body).toMatchObject({ stop: ['a', 'b', 'c', 'd'] })
  expect(unsentStops).toEqual(['e', 'f'])
  expect(losses).toEqual([])
  expect(write({ stopSequences: ['a'] }).unsentStops).toEqual([])
})

test('a model that cannot reason gets no effort', () => {
  const { body, losses } = write(
    { reasoning: { ...BARE, effort: 'high', wantsSeal: true } },
    { reasons: false },
  )
  expect(body).not.toHaveProperty('reasoning_effort')
  expect(losses).toEqual(['reasoning_effort'])
})

test('the bound has the name that the vendor knows', () => {
  const chat = { outputBound: 'max_tokens' } as const
  expect(write({ maxOutputTokens: 9_000 }, { chat, maxOutputTokens: 8_000 }).body).toEqual({
    ...HI,
    max_tokens: 8_000,
  })
  expect(write({}, { chat, maxOutputTokens: 8_000 }).body).toEqual(HI)
})

test('instructions stand where the vendor requires them', () => {
  const turns: TextRequest['turns'] = [
    { role: 'system', parts: [{ kind: 'text', text: 'One' }] },
    { role: 'developer', parts: [{ kind: 'text', text: 'Two' }] },
    ...PLAIN_REQUEST.turns,
  ]
  expect(write({ turns }, { chat: { instructions: 'first' } }).body).toEqual({
    ...HI,
    messages: [{ role: 'system', content: 'One\n\nTwo' }, ...HI.messages],
  })
})

test.each([
  [{ cacheKey: 'k' }, 'prompt_cache_key', ['cache_key']],
  [{ userId: 'u' }, 'user', ['metadata']],
  [{ verbosity: 'low' }, 'verbosity', ['verbosity']],
  [{ serviceTier: 'flex' }, 'service_tier', ['service_tier']],
  [{ tools: [WEATHER], parallelToolCalls: false }, 'parallel_tool_calls', ['parallel_tool_calls']],
  [{ stream: true }, 'stream_options', []],
] as const)('%j: a refused field is left out, and its loss declared', (request, field, losses) => {
  expect(write(request).body).toHaveProperty(field)
  const written = write(request, { chat: { leavesOut: [field] } })
  expect(written.body).not.toHaveProperty(field)
  expect(written.losses).toEqual(losses)
  expect(write({}, { chat: { leavesOut: [field] } }).losses).toEqual([])
})

test('a client that asks for the default loses nothing', () => {
  const chat = { leavesOut: ['parallel_tool_calls', 'verbosity'] } as const
  const request = { tools: [WEATHER], parallelToolCalls: true, verbosity: 'medium' } as const
  expect(write(request, { chat }).losses).toEqual([])
})

test('a plain request has no further fields', () => {
  expect(write({})).toMatchObject({ body: HI, losses: [] })
  expect(write({}).body).toEqual(HI)
})

test.each<[what: string, request: Partial<TextRequest>, members: object]>([
  ['a stream, with its usage', { stream: true }, { stream: true, stream_options: { include_usage: true } }],
  ['a bound', { maxOutputTokens: 100 }, { max_completion_tokens: 100 }],
  ['sampling', { temperature: 0.5, topP: 0.9 }, { temperature: 0.5, top_p: 0.9 }],
  ['sampling of zero', { temperature: 0 }, { temperature: 0 }],
  ['defaults of sampling, not sent', { temperature: 1, topP: 1 }, {}],
  ['stop sequences', { stopSequences: ['a', 'b'] }, { stop: ['a', 'b'] }],
  ['effort', { reasoning: { ...BARE, effort: 'xhigh' } }, { reasoning_effort: 'xhigh' }],
  ['no effort', { reasoning: { ...BARE, effort: 'none' } }, { reasoning_effort: 'none' }],
  ['thinking switched off, not sent', { reasoning: { ...BARE, budgetTokens: 0 } }, {}],
  ['a small budget', { reasoning: { ...BARE, budgetTokens: 1_024 } }, { reasoning_effort: 'low' }],
  ['a medium budget', { reasoning: { ...BARE, budgetTokens: 10_000 } }, { reasoning_effort: 'medium' }],
  ['a large budget', { reasoning: { ...BARE, budgetTokens: 32_000 } }, { reasoning_effort: 'high' }],
  [
    'effort before a budget',
    { reasoning: { ...BARE, effort: 'low', budgetTokens: 32_000 } },
    { reasoning_effort: 'low' },
  ],
  ['reasoning as the model sees fit', { reasoning: BARE }, {}],
  ['an object', { format: { kind: 'json-object' } }, { response_format: { type: 'json_object' } }],
  [
    'a schema without a name',
    {
      format: {
        kind: 'json-schema',
        name: undefined,
        description: undefined,
        schema: { type: 'object' },
        strict: undefined,
      },
    },
    {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'reply', schema: { type: 'object' }, strict: false },
      },
    },
  ],
  [
    'a schema with a name that does not fit',
    { format: { kind: 'json-schema', name: 'my reply', description: 'It.', schema: {}, strict: true } },
    {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'my_reply', description: 'It.', schema: {}, strict: true },
      },
    },
  ],
  [
    'the rest',
    { verbosity: 'low', userId: 'u1', cacheKey: 'k', serviceTier: 'flex' },
    { verbosity: 'low', user: 'u1', prompt_cache_key: 'k', service_tier: 'flex' },
  ],
  ['the beginning of a long user id', { userId: 'u'.repeat(150) }, { user: 'u'.repeat(64) }],
  ['the tier by its other name', { serviceTier: 'standard_only' }, { service_tier: 'default' }],
  ['choices without tools, not sent', { toolChoice: { kind: 'auto' }, parallelToolCalls: false }, {}],
])('%s', (_what, request, members) => {
  const written = write(request)
  expect(written.body).toEqual({ ...HI, ...members })
  expect(written.losses).toEqual([])
})

test('a bound is limited to that of the model', () => {
  expect(write({ maxOutputTokens: 64_000 }, { maxOutputTokens: 32_768 }).body).toMatchObject({
    max_completion_tokens: 32_768,
  })
  expect(write({ maxOutputTokens: 10 }, { maxOutputTokens: 32_768 }).body).toMatchObject({
    max_completion_tokens: 10,
  })
  expect(write({}, { maxOutputTokens: 32_768 }).body).toEqual(HI)
})

test.each<[request: Partial<TextRequest>, losses: string[]]>([
  [{ reasoning: { ...BARE, wantsSeal: true, summary: 'detailed' } }, ['reasoning_seal', 'reasoning_summary']],
  [{ reasoning: { ...BARE, summary: 'auto' } }, []],
  [{ serviceTier: 'gold' }, ['service_tier']],
  [{ metadata: { a: 'b' } }, ['metadata']],
  [{ metadata: {} }, []],
  [{ tools: [PATCH] }, ['tool_grammar']],
])('%j loses %j', (request, losses) => {
  expect(write(request).losses).toEqual(losses)
})

test('of five stop sequences the vendor gets four', () => {
  expect(write({ stopSequences: ['a', 'b', 'c', 'd', 'e'] }).body).toMatchObject({
    stop: ['a', 'b', 'c', 'd'],
  })
})

test('tools become functions; free text becomes one string argument with the grammar in its description', () => {
  const { body, toolNames } = write({
    tools: [
      WEATHER,
      PATCH,
      {
        ...WEATHER,
        name: 'now',
        description: undefined,
        input: { kind: 'json', schema: undefined, strict: undefined },
      },
    ],
  })
  expect(body).toMatchObject({
    tools: [
      {
        type: 'function',
        function: {
          name: 'get_weather',
          description: 'Tells the weather.',
          parameters: { properties: { city: { type: 'string' } } },
          strict: true,
        },
      },
      {
        type: 'function',
        function: {
          name: 'edit__apply_patch',
          parameters: { properties: { input: { type: 'string' } }, required: ['input'] },
        },
      },
      { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
    ],
  })
  expect(JSON.stringify(body)).toContain(JSON.stringify('Edits files.').slice(1, -1))
  expect(JSON.stringify(body)).toContain('lark grammar:\\nstart: \\"x\\"')
  expect([...toolNames]).toEqual([
    ['edit__apply_patch', { name: 'apply_patch', namespace: 'edit', input: 'text' }],
  ])
})

test.each<[choice: TextRequest['toolChoice'], written: unknown]>([
  [{ kind: 'auto' }, 'auto'],
  [{ kind: 'none' }, 'none'],
  [{ kind: 'required' }, 'required'],
  [
    { kind: 'tool', name: 'get_weather', namespace: undefined },
    { type: 'function', function: { name: 'get_weather' } },
  ],
  [
    { kind: 'tool', name: 'apply_patch', namespace: 'edit' },
    { type: 'function', function: { name: 'edit__apply_patch' } },
  ],
])('the choice %j', (toolChoice, written) => {
  const { body } = write({ tools: [WEATHER, PATCH], toolChoice, parallelToolCalls: false })
  expect(body).toMatchObject({ tool_choice: written, parallel_tool_calls: false })
})

test.each<[what: string, part: TextRequest['turns'][number]['parts'][number]]>([
  [
    'a document behind a link',
    { kind: 'document', source: { kind: 'url', url: 'https://a.example/a.pdf' }, name: undefined },
  ],
  [
    'an image behind a bare link',
    { kind: 'image', source: { kind: 'url', url: 'http://a.example/a.png' }, detail: undefined },
  ],
])('%s is refused', (_what, part) => {
  expect(() => write({ turns: [{ role: 'user', parts: [part] }] })).toThrow(RequestError)
})

import { describe, expect, it } from 'vitest'
import { openVendors, textAt } from '../open-vendors.ts'

const PATHS = {
  messages: '/text/v1/messages',
  responses: '/text/v1/responses',
  chat: '/text/v1/chat/completions',
} as const
type Dialect = keyof typeof PATHS

const BODIES: Readonly<Record<Dialect, object>> = {
  messages: { model: 'm', max_tokens: 2_000, messages: [{ role: 'user', content: 'hi' }] },
  responses: { model: 'm', input: 'hi' },
  chat: { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
}
const VERSION = { 'anthropic-version': '2023-06-01' }

async function post(dialect: Dialect, members: object, headers: Record<string, string> = VERSION) {
  const vendors = await openVendors()
  return vendors.call('POST', PATHS[dialect], { ...BODIES[dialect], ...members }, headers)
}

const user = (...content: object[]) => ({ role: 'user', content })
const assistant = (...content: object[]) => ({ role: 'assistant', content })
const use = { type: 'tool_use', id: 't1', name: 'f', input: {} }
const result = { type: 'tool_result', tool_use_id: 't1', content: 'ok' }
const call = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'c1', output: 'ok' }
const toolCall = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }

describe('200', () => {
  it.each<[Dialect, object]>([
    [
      'messages',
      { system: [{ type: 'text', text: 'Be brief.' }], top_k: 3, metadata: { user_id: 'u' }, odd: 1 },
    ],
    ['messages', { messages: [user({ type: 'text', text: 'a' }), assistant(use), user(result)] }],
    [
      'messages',
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'system', content: 'b' },
        ],
      },
    ],
    [
      'messages',
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }], thinking: { type: 'adaptive' } },
    ],
    ['responses', { input: [{ role: 'user', content: 'a' }, call, output], client_metadata: {} }],
    ['responses', { tools: [{ type: 'web_search' }, { type: 'namespace', name: 'n', tools: [] }] }],
    [
      'chat',
      {
        messages: [
          { role: 'assistant', content: null, tool_calls: [toolCall] },
          { role: 'tool', tool_call_id: 'c1', content: 'ok' },
        ],
      },
    ],
    ['chat', { stream_options: null, user: 'u' }],
  ])('%s %j', async (dialect, members) => {
    expect(await post(dialect, members)).toMatchObject({ status: 200 })
  })
})

describe('400', () => {
  it.each<[Dialect, object, string]>([
    ['messages', { model: undefined }, 'model: '],
    ['messages', { max_tokens: undefined }, 'max_tokens: '],
    ['messages', { max_tokens: 0 }, 'max_tokens: '],
    ['messages', { messages: [] }, 'messages: at least one'],
    ['messages', { messages: [{ role: 'tool', content: 'a' }] }, 'messages.0.role: '],
    ['messages', { messages: [{ role: 'assistant', content: 'a' }] }, 'messages.0: first message'],
    [
      'messages',
      { messages: [user({ type: 'input_text', text: 'a' })] },
      "messages.0.content.0: Input tag 'input_text'",
    ],
    ['messages', { messages: [user({ type: 'text', text: '' })] }, 'messages.0.content.0.text: '],
    ['messages', { messages: [user(use)] }, "messages.0.content.0: Input tag 'tool_use'"],
    ['messages', { messages: [user(result)] }, 'messages.0.content.0: unexpected `tool_use_id`'],
    [
      'messages',
      { messages: [user({ type: 'text', text: 'a' }), assistant(use)] },
      'messages: `tool_use` ids were found without',
    ],
    [
      'messages',
      { messages: [user({ type: 'image', source: { type: 'url', url: 'http://a' } })] },
      'Only HTTPS',
    ],
    ['messages', { temperature: 1.5 }, 'temperature: '],
    ['messages', { tools: [{ type: 'function', function: { name: 'f' } }] }, 'tools.0.type: '],
    ['messages', { tools: [{ name: 'a.b', input_schema: { type: 'object' } }] }, 'tools.0.name: '],
    ['messages', { tool_choice: { type: 'auto' } }, 'tool_choice: '],
    ['messages', { thinking: { type: 'enabled', budget_tokens: 2_000 } }, 'must be less than max_tokens'],
    ['messages', { stop: ['x'] }, 'stop: is not known'],
    ['responses', { input: undefined }, "'input'"],
    ['responses', { messages: [] }, "'messages'"],
    ['responses', { max_output_tokens: 5 }, "'max_output_tokens'"],
    ['responses', { max_tokens: 5 }, "'max_tokens'"],
    ['responses', { input: [{ role: 'tool', content: 'a' }] }, "'input[0].role'"],
    [
      'responses',
      { input: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }] },
      "'input[0].content[0].type'",
    ],
    [
      'responses',
      { input: [{ role: 'assistant', content: [{ type: 'input_text', text: 'a' }] }] },
      'output_text, refusal',
    ],
    ['responses', { input: [output] }, 'No tool call found for function call output'],
    ['responses', { input: [call] }, 'No tool output found for function call c1'],
    ['responses', { input: [{ ...call, id: 'toolu_1' }, output] }, "begins with 'fc'"],
    ['responses', { input: [{ type: 'tool_result' }] }, "'input[0].type'"],
    ['responses', { tools: [{ type: 'function', function: { name: 'f' } }] }, "'tools[0].function'"],
    ['responses', { text: { format: { type: 'json_schema', schema: {} } } }, "'text.format.name'"],
    ['responses', { tool_choice: 'required' }, "'tool_choice'"],
    ['responses', { previous_response_id: 'resp_1' }, 'resp_1'],
    ['responses', { reasoning: { effort: 'huge' } }, "'reasoning.effort'"],
    ['chat', { messages: [{ role: 'human', content: 'a' }] }, "'messages[0].role'"],
    ['chat', { messages: [{ role: 'assistant' }] }, "'messages[0].content'"],
    [
      'chat',
      { messages: [{ role: 'tool', tool_call_id: 'c1', content: 'a' }] },
      "role 'tool' must be a response",
    ],
    [
      'chat',
      { messages: [{ role: 'assistant', tool_calls: [toolCall] }] },
      'did not have response messages: c1',
    ],
    ['chat', { messages: [user({ type: 'input_text', text: 'a' })] }, "'messages[0].content[0].type'"],
    [
      'chat',
      { messages: [user({ type: 'image_url', image_url: { url: 'AAAA' } })] },
      "'messages[0].content[0].image_url.url'",
    ],
    ['chat', { tools: [{ type: 'function', name: 'f' }] }, "'tools[0].function'"],
    ['chat', { tools: [] }, "'tools'"],
    ['chat', { tool_choice: 'auto' }, "'tool_choice'"],
    ['chat', { stop: ['1', '2', '3', '4', '5'] }, "'stop'"],
    ['chat', { stop_sequences: ['1'] }, "'stop_sequences'"],
    ['chat', { stream_options: { include_usage: true } }, "'stream_options'"],
    ['chat', { top_k: 5 }, "'top_k'"],
  ])('%s %j', async (dialect, members, complaint) => {
    const answer = await post(dialect, members)
    expect(answer.status).toBe(400)
    expect(textAt(answer, 'error.type')).toBe('invalid_request_error')
    expect(textAt(answer, 'error.message')).toContain(complaint)
  })

  it('asks for a version on messages', async () => {
    expect(await post('messages', {}, {})).toMatchObject({ status: 400, body: { type: 'error' } })
    expect(await post('messages', {}, { 'compat-version': '2023-06-01' })).toMatchObject({ status: 200 })
  })

  it('says that a body is no JSON', async () => {
    const vendors = await openVendors()
    for (const path of Object.values(PATHS)) {
      expect(await vendors.call('POST', path, '{', VERSION)).toMatchObject({
        status: 400,
        body: { error: { message: 'The body must be valid JSON.' } },
      })
    }
  })
})

describe('keys and scripted refusals', () => {
  it.each([
    ['messages', 'authentication_error', 'rate_limit_error'],
    ['responses', 'invalid_request_error', 'requests'],
    ['chat', 'invalid_request_error', 'requests'],
  ] as const)('%s', async (dialect, bad, busy) => {
    const withKey = (key: string) => post(dialect, {}, { ...VERSION, authorization: '', 'x-api-key': key })
    expect(await withKey('any')).toMatchObject({ status: 200 })
    expect(await withKey('')).toMatchObject({ status: 401, body: { error: { type: bad } } })
    expect(await withKey('bad-key')).toMatchObject({ status: 401, body: { error: { type: bad } } })
    const answer = await withKey('busy-key')
    expect(answer).toMatchObject({ status: 429, body: { error: { type: busy } } })
    expect(answer.headers.get('retry-after')).toBe('1')
  })

  it.each<[Dialect, string]>([
    ['messages', 'request-id'],
    ['responses', 'x-request-id'],
    ['chat', 'x-request-id'],
  ])('%s refuses by words', async (dialect, idHeader) => {
    const say = (prompt: string) => {
      const turns = [{ role: 'user', content: prompt }]
      return post(dialect, { [dialect === 'responses' ? 'input' : 'messages']: turns, stream: true })
    }
    const busy = await say('[busy 7]')
    expect(busy.status).toBe(429)
    expect(busy.headers.get('retry-after')).toBe('7')
    expect(busy.headers.get(idHeader)).toMatch(/^req_/)
    expect(await say('[fail]')).toMatchObject({ status: 500 })
    expect(await say('[too-long]')).toMatchObject({ status: 400 })
    expect(await say('[overloaded]')).toMatchObject({ status: 529 })
  })
})

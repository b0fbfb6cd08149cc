import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const PROVIDERS = `
providers:
  picky:
    driver: text
    base_url: VENDOR/api/paas
    api_key: k
    chat:
      path: /v4/chat/completions
      instructions: first
      output_bound: max_tokens
      replays_reasoning: true
      leaves_out: [prompt_cache_key, user]
    models: { thinker: chat }
`
const CATALOG = `
models:
  - model_id: 900
    name: picky/thinker
    endpoints: [messages, responses]
    prices:
      - { unit: input_token, usd_per_million: 1 }
      - { unit: output_token, usd_per_million: 2 }
`

/** Refuses whatever the strictest vendors of this dialect were seen to refuse. */
function faultOf(url: string | undefined, body: Record<string, unknown>): string | undefined {
  const [first, ...later] = body.messages as Record<string, unknown>[]
  if (url !== '/api/paas/v4/chat/completions') return 'not found'
  if (first?.role !== 'system' || later.some(({ role }) => role === 'system')) {
    return 'System message must be at the beginning.'
  }
  if (later.some(({ role }) => role === 'developer')) return 'unknown variant `developer`'
  if (later.some((message) => message.tool_calls && !message.reasoning_content)) {
    return 'The `reasoning_content` in the thinking mode must be passed back to the API.'
  }
  const known = ['model', 'messages', 'max_tokens', 'tools', 'reasoning_effort', 'stream', 'stream_options']
  const strange = Object.keys(body).find((name) => !known.includes(name))
  return strange === undefined ? undefined : `property '${strange}' is unsupported`
}

const CALL = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } }

let gateway: TextGateway
const answer: RequestListener = ({ url }, response) => {
  const body: unknown = JSON.parse(gateway.received)
  const fault = faultOf(url, Object(body))
  const hasLooked = gateway.received.includes('"role":"tool"')
  const message = hasLooked
    ? { role: 'assistant', content: 'It is blue.' }
    : { role: 'assistant', content: null, reasoning_content: 'I should look.', tool_calls: [CALL] }
  const reply = {
    id: 'c',
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: hasLooked ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }
  response.writeHead(fault === undefined ? 200 : 400, { 'content-type': 'application/json' })
  response.end(JSON.stringify(fault === undefined ? reply : { error: { message: fault } }))
}

beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
})
beforeEach(() => {
  gateway.answer = answer
})
afterAll(() => gateway.close())

test('messages: an agent calls a tool and goes on, though the vendor is picky', async () => {
  const question = {
    model: 'picky/thinker',
    max_tokens: 2_000,
    system: [{ type: 'text', text: 'One' }],
    thinking: { type: 'adaptive', display: 'omitted' },
    metadata: { user_id: 'u' },
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
    messages: [
      { role: 'user', content: 'What colour is the sky?' },
      { role: 'system', content: 'Mind the weather.' },
    ],
  }
  const first = await gateway.call('/v1/messages', question)
  expect(first).toMatchObject({ status: 200 })
  const { content } = JSON.parse(first.body)
  expect(content[0]).toMatchObject({ type: 'thinking', thinking: '' })
  const result = { type: 'tool_result', tool_use_id: content.at(-1).id, content: 'blue' }
  const messages = [...question.messages, { role: 'assistant', content }, { role: 'user', content: [result] }]
  const second = await gateway.call('/v1/messages', { ...question, messages })
  expect(second).toMatchObject({ status: 200 })
  expect(JSON.parse(second.body).content).toMatchObject([{ type: 'text', text: 'It is blue.' }])
  expect(JSON.parse(gateway.received)).toMatchObject({
    max_tokens: 2_000,
    messages: [
      { role: 'system', content: 'One' },
      { role: 'user', content: 'What colour is the sky?' },
      { role: 'user', content: '<system>\nMind the weather.\n</system>' },
      { role: 'assistant', reasoning_content: 'I should look.', tool_calls: [CALL] },
      { role: 'tool', content: 'blue' },
    ],
  })
  expect(second.headers.get('x-sluice-losses')).toBe('instructions, metadata')
})

test('responses: an agent calls a tool and goes on, though the vendor is picky', async () => {
  const question = {
    model: 'picky/thinker',
    instructions: 'One',
    prompt_cache_key: 'k',
    tools: [{ type: 'function', name: 'look', parameters: { type: 'object' } }],
    input: [
      { role: 'developer', content: 'Two' },
      { role: 'user', content: 'What colour is the sky?' },
    ],
  }
  const first = await gateway.call('/v1/responses', question)
  expect(first).toMatchObject({ status: 200 })
  const { output } = JSON.parse(first.body)
  const result = { type: 'function_call_output', call_id: output.at(-1).call_id, output: 'blue' }
  const input = [...question.input, ...output, result]
  const second = await gateway.call('/v1/responses', { ...question, input })
  expect(second).toMatchObject({ status: 200 })
  expect(JSON.parse(second.body).output_text).toBe('It is blue.')
  expect(JSON.parse(gateway.received).messages).toMatchObject([
    { role: 'system', content: 'One\n\nTwo' },
    { role: 'user' },
    { role: 'assistant', reasoning_content: 'I should look.', tool_calls: [CALL] },
    { role: 'tool', content: 'blue' },
  ])
  expect(second.headers.get('x-sluice-losses')).toBe('cache_key')
})

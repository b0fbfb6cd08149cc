import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countClosedRequests } from '../text/closed-requests.ts'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const PROVIDERS = `providers:
  vendor:
    driver: text
    base_url: VENDOR
    api_key: k
    models: { messages: messages, responses: responses, chat: chat }
`
const row =
  'endpoints: [messages, responses], max_output_tokens: 64000, context_tokens: 128000, prices: [{ unit: input_token, usd_per_million: 1 }, { unit: output_token, usd_per_million: 10 }]'
const CATALOG = `models:
  - { model_id: 901, name: vendor/messages, ${row} }
  - { model_id: 902, name: vendor/responses, ${row} }
  - { model_id: 903, name: vendor/chat, ${row} }
`

/** `gateway` waits long for the vendor's count, and `impatient` only 50 ms. */
let gateway: TextGateway
let impatient: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
  const environment = { HANG_UP_LISTEN_MS: '50' }
  impatient = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG, environment })
})
afterAll(() => Promise.all([gateway.close(), impatient.close()]))

type Say = (...events: Record<string, unknown>[]) => void

interface Reply {
  model: 'messages' | 'responses' | 'chat'
  /** Sends everything that the client waits for; the last word is END. */
  begin(say: Say): void
  /** Sends the rest, with its usage. */
  end(say: Say): void
}

const sayerTo =
  (reply: ServerResponse, model: string): Say =>
  (...events) => {
    for (const event of events)
      reply.write(`${model === 'chat' ? '' : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`)
  }

/** Lets the vendor of a gateway send the first part; `finish` sends the rest. */
function answerAt(at: TextGateway, { model, begin, end }: Reply) {
  const begun = Promise.withResolvers<{ finish(): void; gone: Promise<unknown> }>()
  at.answer = (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    const say = sayerTo(reply, model)
    begin(say)
    const finish = () => {
      end(say)
      reply.end()
    }
    begun.resolve({ finish, gone: once(reply, 'close') })
  }
  return begun.promise
}

const response = (members: object) => ({ id: 'r', object: 'response', model: 'x', output: [], ...members })
const created = {
  type: 'response.created',
  sequence_number: 0,
  response: response({ status: 'in_progress' }),
}
const completed = (usage: object) => ({
  type: 'response.completed',
  sequence_number: 99,
  response: response({ status: 'completed', usage }),
})
const MUCH_THOUGHT = {
  input_tokens: 100,
  output_tokens: 16_000,
  output_tokens_details: { reasoning_tokens: 15_990 },
}
const place = { item_id: 'm1', output_index: 0, content_index: 0 }
const sayText = (say: Say, text: string) =>
  say(
    created,
    {
      ...{ type: 'response.output_item.added', sequence_number: 1, output_index: 0 },
      item: { type: 'message', id: 'm1', role: 'assistant', content: [] },
    },
    { type: 'response.output_text.delta', sequence_number: 3, ...place, delta: text },
  )

const THOUGHTFUL_CHAT: Reply = {
  model: 'chat',
  begin: (say) =>
    say({ id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: 'It is 42. END' } }] }),
  end: (say) =>
    say(
      { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      {
        ...{ id: 'c', choices: [] },
        usage: {
          ...{ prompt_tokens: 100, completion_tokens: 16_000 },
          completion_tokens_details: { reasoning_tokens: 15_990 },
        },
      },
    ),
}

const READER: Reply = {
  model: 'responses',
  begin: (say) => sayText(say, 'It is about a whale. END'),
  end: (say) => say(completed({ input_tokens: 110_000, output_tokens: 10 })),
}

const PATCHER: Reply = {
  model: 'responses',
  begin(say) {
    const patch = { item_id: 'a1', output_index: 0 }
    say(created, {
      ...{ type: 'response.output_item.added', sequence_number: 1, output_index: 0 },
      item: { type: 'apply_patch_call', id: 'a1', call_id: 'c1', operation: {} },
    })
    const type = 'response.apply_patch_call_operation_diff'
    say({ type: `${type}.delta`, sequence_number: 2, ...patch, delta: 'x'.repeat(40_000) })
    say({ type: `${type}.done`, sequence_number: 3, ...patch, diff: 'END' })
  },
  end: () => {},
}

const SEARCHER: Reply = {
  model: 'messages',
  begin: (say) =>
    say(
      {
        type: 'message_start',
        message: {
          ...{ id: 'm', type: 'message', role: 'assistant', content: [], model: 'x' },
          usage: { input_tokens: 100, output_tokens: 1 },
        },
      },
      {
        ...{ type: 'content_block_start', index: 0 },
        content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Found it. END' } },
    ),
  end: (say) =>
    say(
      {
        ...{ type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        usage: { input_tokens: 50_000, output_tokens: 200, server_tool_use: { web_search_requests: 1 } },
      },
      { type: 'message_stop' },
    ),
}

const plainChat = { model: 'vendor/chat', stream: true, input: 'Hi' }
const ask = {
  plainChat,
  chat: { ...plainChat, reasoning: { effort: 'high' } },
  file: {
    ...{ model: 'vendor/responses', stream: true },
    input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'https://a.example/moby.pdf' }] }],
  },
  patch: { model: 'vendor/responses', stream: true, input: 'Hi', tools: [{ type: 'apply_patch' }] },
  search: {
    ...{ model: 'vendor/messages', stream: true, max_tokens: 1_000 },
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [{ type: 'web_search_20250305', name: 'web_search' }],
  },
}

test.each([
  ['thoughts that the chat wire does not show', '/v1/responses', ask.plainChat, THOUGHTFUL_CHAT, 160_100],
  ['thoughts that the client asked for', '/v1/responses', ask.chat, THOUGHTFUL_CHAT, 160_100],
  ['a file that the vendor fetches', '/v1/responses', ask.file, READER, 110_100],
  ['the input that a search adds', '/v1/messages', ask.search, SEARCHER, 77_000],
])('a client that leaves after all of the text pays for %s', async (_name, path, body, reply, cost) => {
  const before = await countClosedRequests(gateway)
  const begun = answerAt(gateway, reply)
  await gateway.hangUp(path, body, 'END')
  await expect.poll(() => countClosedRequests(gateway)).toBe(before + 1)
  ;(await begun).finish()
  expect(await gateway.usage(1)).toMatchObject([{ outcome: 'hung-up', cost_micros: cost }])
})

test.each([
  [
    'a file that the vendor fetches, as long as the context of its model',
    '/v1/responses',
    ask.file,
    READER,
    128_060,
  ],
  ['a search, by the input that a search usually adds', '/v1/messages', ask.search, SEARCHER, 33_140],
  ['a patch, by its length', '/v1/responses', ask.patch, PATCHER, 100_007],
])('a client that leaves before any usage pays for %s', async (_name, path, body, reply, cost) => {
  const begun = answerAt(impatient, reply)
  await impatient.hangUp(path, body, 'END')
  await (await begun).gone
  expect(await impatient.usage(1)).toMatchObject([{ outcome: 'hung-up', cost_micros: cost }])
})

const STOPPED = {
  ...{ model: 'vendor/responses', stream: true, max_tokens: 32_000, stop_sequences: ['STOP'] },
  messages: [{ role: 'user', content: 'Hi' }],
}
const THINKER: Reply = {
  model: 'responses',
  begin(say) {
    const item = { type: 'reasoning', id: 'rs_1', summary: [] }
    say(created, { type: 'response.output_item.added', sequence_number: 1, output_index: 0, item })
    say({ type: 'response.output_item.done', sequence_number: 2, output_index: 0, item })
    say(
      {
        ...{ type: 'response.output_item.added', sequence_number: 3, output_index: 1 },
        item: { type: 'message', id: 'm1', role: 'assistant', content: [] },
      },
      {
        ...{ type: 'response.output_text.delta', sequence_number: 4, item_id: 'm1', output_index: 1 },
        ...{ content_index: 0, delta: 'It is 42. STOP and so on' },
      },
    )
  },
  end: (say) => say(completed(MUCH_THOUGHT)),
}

test('thoughts are charged also when the gateway ends the text at a stop sequence', async () => {
  const begun = answerAt(gateway, THINKER)
  const called = gateway.call('/v1/messages', STOPPED)
  ;(await begun).finish()
  const { body } = await called
  expect(body).toMatch(/"text":"It is 42. ".*"stop_sequence":"STOP"/s)
  expect(body).toContain('"output_tokens":16000')
  expect(await gateway.usage(1)).toMatchObject([{ outcome: 'completed', cost_micros: 160_100 }])
})

test('a reply that ends at a stop sequence ends also when no usage comes in time', async () => {
  const begun = answerAt(impatient, THINKER)
  const { body } = await impatient.call('/v1/messages', { ...STOPPED, max_tokens: 1 })
  await (await begun).gone
  expect(body).toContain('event: message_stop')
  // The charge is for ten bytes of text: the request allows no tokens for thoughts.
  expect(await impatient.usage(1)).toMatchObject([{ outcome: 'completed', cost_micros: 37 }])
})

/** Leaves a whole reply while its vendor works on it. */
async function leaveWhole(at: TextGateway, answer: (reply: ServerResponse) => void) {
  const before = await countClosedRequests(at)
  const asked = Promise.withResolvers<ServerResponse>()
  at.answer = (_request, reply) => asked.resolve(reply)
  const leaving = new AbortController()
  const called = fetch(`${at.url}/v1/responses`, {
    method: 'POST',
    signal: leaving.signal,
    headers: { authorization: `Bearer ${at.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'vendor/responses', input: 'Hi', max_output_tokens: 2 }),
  }).catch(() => {})
  const reply = await asked.promise
  const gone = once(reply, 'close')
  leaving.abort()
  await called
  await expect.poll(() => countClosedRequests(at)).toBe(before + 1)
  answer(reply)
  await gone
}

test('a client that leaves a whole reply pays for all of it', async () => {
  await leaveWhole(gateway, (reply) => {
    reply.writeHead(200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(response({ status: 'completed', usage: MUCH_THOUGHT })))
  })
  expect(await gateway.usage(1)).toMatchObject([
    { outcome: 'hung-up', input_tokens: 100, output_tokens: 16_000, cost_micros: 160_100 },
  ])
})

test('a client that leaves a whole reply before it begins pays only for the input', async () => {
  await leaveWhole(impatient, () => {})
  expect(await impatient.usage(1)).toMatchObject([
    { outcome: 'hung-up', input_tokens: 7, output_tokens: 0, cost_micros: 7 },
  ])
})

test('a whole reply that the vendor fails after its client has left is free', async () => {
  await leaveWhole(gateway, (reply) => reply.writeHead(500).end())
  expect(await gateway.usage(1)).toMatchObject([{ outcome: 'failed', cost_micros: 0 }])
})

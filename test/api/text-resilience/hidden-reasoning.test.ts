import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countClosedRequests } from '../text/closed-requests.ts'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const PROVIDERS = `providers:
  vendor:
    driver: text
    base_url: VENDOR
    api_key: k
    models: { messages: messages, responses: responses, chat: chat }
`
const prices =
  'prices: [{ unit: input_token, usd_per_million: 1 }, { unit: output_token, usd_per_million: 10 }]'
const CATALOG = `models:
  - { model_id: 901, name: vendor/messages, endpoints: [messages, responses], max_output_tokens: 64000, ${prices} }
  - { model_id: 902, name: vendor/responses, endpoints: [messages, responses], max_output_tokens: 64000, ${prices} }
  - { model_id: 903, name: vendor/chat, endpoints: [messages, responses, chat], max_output_tokens: 64000, ${prices} }
`

let gateway: TextGateway
let impatient: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
  const environment = { HANG_UP_LISTEN_MS: '50' }
  impatient = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG, environment })
})
afterAll(() => Promise.all([gateway.close(), impatient.close()]))

const say = (reply: ServerResponse, ...events: { type: string }[]) => {
  for (const event of events) reply.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}
const sayChat = (reply: ServerResponse, delta: object, more: object = {}) =>
  reply.write(`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta }], ...more })}\n\n`)

const PROOF = 'cHJvb2Y='.repeat(1_500)

/** `begin` sends a few words of reasoning, and the other functions the rest with its count. */
const VENDORS = {
  messages: {
    begin(reply: ServerResponse) {
      const message = {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [],
        model: 'x',
        usage: { input_tokens: 100 },
      }
      say(reply, { type: 'message_start', message } as { type: string })
      const content_block = { type: 'thinking', thinking: '', signature: '' }
      say(reply, { type: 'content_block_start', index: 0, content_block } as { type: string })
      const delta = { type: 'thinking_delta', thinking: 'Hm, hm.' }
      say(reply, { type: 'content_block_delta', index: 0, delta } as { type: string })
    },
    prove(reply: ServerResponse) {
      const delta = { type: 'signature_delta', signature: PROOF }
      say(reply, { type: 'content_block_delta', index: 0, delta } as { type: string })
      say(reply, { type: 'content_block_stop', index: 0 } as { type: string })
    },
    end(reply: ServerResponse) {
      const usage = { input_tokens: 100, output_tokens: 16_000 }
      const delta = { stop_reason: 'end_turn', stop_sequence: null }
      say(reply, { type: 'message_delta', delta, usage } as { type: string }, { type: 'message_stop' })
    },
  },
  responses: {
    begin(reply: ServerResponse) {
      const response = { id: 'r', object: 'response', status: 'in_progress', model: 'x', output: [] }
      const item = { type: 'reasoning', id: 'rs_1', summary: [] }
      say(reply, { type: 'response.created', sequence_number: 0, response } as { type: string })
      say(reply, { type: 'response.output_item.added', sequence_number: 1, output_index: 0, item } as {
        type: string
      })
      const place = { item_id: 'rs_1', output_index: 0, summary_index: 0 }
      const part = { type: 'summary_text', text: '' }
      say(reply, { type: 'response.reasoning_summary_part.added', sequence_number: 2, ...place, part } as {
        type: string
      })
      const type = 'response.reasoning_summary_text.delta'
      say(reply, { type, sequence_number: 3, ...place, delta: 'Hm, hm.' } as { type: string })
    },
    prove(reply: ServerResponse) {
      const summary = [{ type: 'summary_text', text: 'Hm, hm.' }]
      const item = { type: 'reasoning', id: 'rs_1', summary, encrypted_content: PROOF }
      say(reply, { type: 'response.output_item.done', sequence_number: 4, output_index: 0, item } as {
        type: string
      })
    },
    end(reply: ServerResponse) {
      const usage = {
        input_tokens: 100,
        output_tokens: 16_000,
        output_tokens_details: { reasoning_tokens: 15_990 },
      }
      const response = { id: 'r', object: 'response', status: 'completed', model: 'x', output: [], usage }
      say(reply, { type: 'response.completed', sequence_number: 5, response } as { type: string })
    },
  },
  chat: {
    begin: (reply: ServerResponse) =>
      void sayChat(reply, { role: 'assistant', reasoning_content: 'Hm, hm.' }),
    prove() {},
    end(reply: ServerResponse) {
      const usage = { prompt_tokens: 100, completion_tokens: 16_000 }
      sayChat(reply, {}, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
      reply.write(`data: ${JSON.stringify({ id: 'c', choices: [], usage })}\n\ndata: [DONE]\n\n`)
    },
  },
}
type Dialect = keyof typeof VENDORS

const CELLS = (['messages', 'responses', 'chat'] as const).flatMap((dialect) =>
  (['messages', 'responses'] as const).map((endpoint) => ({ dialect, endpoint })),
)

function askFor(endpoint: string, dialect: Dialect) {
  const model = `vendor/${dialect}`
  return endpoint === 'messages'
    ? { model, stream: true, max_tokens: 32_000, messages: [{ role: 'user', content: 'Hi' }] }
    : { model, stream: true, input: 'Hi', store: false, include: ['reasoning.encrypted_content'] }
}

/** The vendor's side of one call: its open response, and the moment its connection is closed. */
function answerAt(
  at: TextGateway,
  begin: (reply: ServerResponse) => void,
): Promise<{ reply: ServerResponse; gone: Promise<unknown> }> {
  return new Promise((resolve) => {
    at.answer = (_request, reply) => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      begin(reply)
      resolve({ reply, gone: once(reply, 'close') })
    }
  })
}

describe.each(CELLS)('$endpoint over $dialect', ({ endpoint, dialect }) => {
  const { begin, prove, end } = VENDORS[dialect]

  test('the whole reply costs the same whether the client reads it or leaves during the reasoning', async () => {
    const before = await countClosedRequests(gateway)
    const called = answerAt(gateway, begin)
    await gateway.hangUp(`/v1/${endpoint}`, askFor(endpoint, dialect), 'Hm')
    await expect.poll(() => countClosedRequests(gateway)).toBe(before + 1)
    const { reply } = await called
    prove(reply)
    end(reply)
    reply.end()
    expect(await gateway.usage(1)).toMatchObject([
      { outcome: 'hung-up', input_tokens: 100, output_tokens: 16_000, cost_micros: 160_100 },
    ])
  })

  test('a vendor that does not end is stopped after a while, and the charge is by the size of its proof or by its time', async () => {
    const called = answerAt(impatient, (reply) => {
      begin(reply)
      prove(reply)
    })
    await impatient.hangUp(`/v1/${endpoint}`, askFor(endpoint, dialect), 'Hm')
    await (await called).gone
    const [row] = await impatient.usage(1)
    expect(row).toMatchObject({ outcome: 'hung-up' })
    expect(Number(row?.output_tokens)).toBeGreaterThanOrEqual(dialect === 'chat' ? 3 : 2_000)
    expect(Number(row?.cost_micros)).toBe(Number(row?.input_tokens) + 10 * Number(row?.output_tokens))
  })
})

test.each<[path: string, how: string, effort: object]>([
  ['chat/completions', 'passed on', { reasoning_effort: 'high' }],
  ['messages', 'converted', { output_config: { effort: 'high' } }],
])('POST /v1/%s 499 a count of 0 beside text is not the final count (%s)', async (path, _how, effort) => {
  const before = await countClosedRequests(gateway)
  const usage = { prompt_tokens: 100, completion_tokens: 0 }
  const called = answerAt(gateway, (reply) =>
    sayChat(reply, { role: 'assistant', content: 'Hm, hm.' }, { usage }),
  )
  await gateway.hangUp(`/v1/${path}`, { ...askFor('messages', 'chat'), ...effort }, 'Hm')
  await expect.poll(() => countClosedRequests(gateway)).toBe(before + 1)
  const { reply } = await called
  VENDORS.chat.end(reply)
  reply.end()
  expect(await gateway.usage(1)).toMatchObject([
    { outcome: 'hung-up', input_tokens: 100, output_tokens: 16_000, cost_micros: 160_100 },
  ])
})

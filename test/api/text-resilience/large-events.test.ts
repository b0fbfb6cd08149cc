import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const MIB = 1024 * 1024
const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]'
const DIALECTS = ['chat', 'messages', 'responses'] as const
type Dialect = (typeof DIALECTS)[number]

let gateway: TextGateway
beforeAll(async () => {
  const rows = DIALECTS.map(
    (name, at) =>
      `  - { model_id: ${100 + at}, name: v/${name}, max_output_tokens: 64000, fallbacks: [v/spare], endpoints: [chat, messages, responses], ${PRICES} }\n`,
  )
  gateway = await startTextGateway({
    providers: `providers:
  v: { driver: text, base_url: VENDOR, api_key: k, models: { chat: { dialect: chat, reasons: false }, messages: messages, responses: responses, spare: chat } }
`,
    catalog: `models:\n${rows.join('')}
  - { model_id: 200, name: v/spare, max_output_tokens: 64000, endpoints: [chat, messages, responses], ${PRICES} }
`,
    // Waits are longer than any test, even on a slow machine.
    environment: { HOLD_BACK_MS: '600000', HANG_UP_LISTEN_MS: '600000' },
  })
})
afterAll(() => gateway.close())

const ASKING: Record<Dialect, { path: string; body: object }> = {
  chat: { path: '/v1/chat/completions', body: { messages: [{ role: 'user', content: 'Hi' }] } },
  messages: { path: '/v1/messages', body: { max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] } },
  responses: { path: '/v1/responses', body: { input: 'Hi', store: false } },
}

const frame = (event: { type?: string; [member: string]: unknown }) =>
  `${event.type === undefined ? '' : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`

/** A stream of each vendor with the whole text in one event. */
const STREAMS: Record<Dialect, (words: string) => string[]> = {
  chat: (words) => {
    const chunk = (more: object) =>
      frame({ ...{ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'chat' }, ...more })
    return [
      chunk({ choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }] }),
      chunk({ choices: [{ index: 0, delta: { content: words }, finish_reason: null }] }),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
      chunk({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } }),
      'data: [DONE]\n\n',
    ]
  },
  messages: (words) => {
    const message = {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] },
      stop_reason: null,
      usage: { input_tokens: 100, output_tokens: 1 },
    }
    return [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 20 },
      },
      { type: 'message_stop' },
    ].map(frame)
  },
  responses: (words) => {
    const place = { item_id: 'm1', output_index: 0, content_index: 0 }
    const item = { type: 'message', id: 'm1', role: 'assistant', status: 'in_progress', content: [] }
    const part = { type: 'output_text', text: '', annotations: [] }
    const head = { id: 'resp_1', object: 'response', created_at: 1, model: 'r', error: null }
    const output = [{ ...item, status: 'completed', content: [{ ...part, text: words }] }]
    const usage = { input_tokens: 100, output_tokens: 20, total_tokens: 120 }
    return [
      { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.content_part.added', ...place, part },
      { type: 'response.output_text.delta', ...place, delta: words },
      { type: 'response.output_text.done', ...place, text: words },
      { type: 'response.content_part.done', ...place, part: { ...part, text: words } },
      { type: 'response.output_item.done', output_index: 0, item: output[0] },
      { type: 'response.completed', response: { ...head, status: 'completed', output, usage } },
    ].map((event, at) => frame({ ...event, sequence_number: at }))
  },
}

const WORDS = 'lorem ipsum dolor '.repeat(64 * 1024)

function streaming(frames: readonly string[]): TextGateway['answer'] {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const each of frames) response.write(each)
    response.end()
  }
}

const ask = (endpoint: Dialect, vendor: Dialect) =>
  gateway.call(ASKING[endpoint].path, { model: `v/${vendor}`, stream: true, ...ASKING[endpoint].body })

const OTHERS = DIALECTS.flatMap((vendor) =>
  DIALECTS.filter((endpoint) => endpoint !== vendor).map((endpoint) => [vendor, endpoint] as const),
)

describe.each(OTHERS)('a %s vendor, and a client of %s', (vendor, endpoint) => {
  test('one event of 1 MiB comes as it is, for 600 micros', async () => {
    const words = WORDS.slice(0, MIB)
    gateway.answer = streaming(STREAMS[vendor](words))
    const { status, body } = await ask(endpoint, vendor)
    expect({ status, isThere: body.includes(words) }).toEqual({ status: 200, isThere: true })
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'completed', cost_micros: 600 }])
  })

  test('one event of 5 MiB is too large: one vendor is called, and its count is charged', async () => {
    gateway.answer = streaming(STREAMS[vendor](WORDS.repeat(5).slice(0, 5 * MIB)))
    const before = gateway.asked
    const { status, body } = await ask(endpoint, vendor)
    expect({ status, message: JSON.parse(body).error.message }).toEqual({
      status: 400,
      message: 'The provider sent an event that is too large. The reply is charged.',
    })
    expect(gateway.asked).toBe(before + 1)
    expect(await gateway.usage(1)).toMatchObject([
      { outcome: 'failed', model: `v/${vendor}`, cost_micros: 600 },
    ])
  })
})

describe('a reply that does not fit', () => {
  const TOO_LARGE = STREAMS.chat(WORDS.repeat(5).slice(0, 5 * MIB))
  const CHARGED = { outcome: 'failed', model: 'v/chat', cost_micros: 600 }

  test('fails in the background, for 600 micros', async () => {
    gateway.answer = streaming(TOO_LARGE)
    const before = gateway.asked
    const { body } = await gateway.call('/v1/responses', { model: 'v/chat', input: 'Hi', background: true })
    expect(await gateway.usage(1)).toMatchObject([CHARGED])
    expect(gateway.asked).toBe(before + 1)
    const headers = { authorization: `Bearer ${gateway.key}` }
    const kept = async () =>
      (await fetch(`${gateway.url}/v1/responses/${JSON.parse(body).id}`, { headers })).json()
    await expect.poll(kept).toMatchObject({ status: 'failed', error: { code: 'reply_too_large' } })
  })

  test('ends with an error event after text has passed, for 600 micros', async () => {
    const [start = '', ...rest] = TOO_LARGE
    gateway.answer = streaming([start, STREAMS.chat('Hello')[1] ?? '', ...rest])
    const { status, body } = await ask('messages', 'chat')
    expect(status).toBe(200)
    expect(body).toMatch(/"text":"Hello".*event: error\n[^\n]*"invalid_request_error"[^\n]*is charged\./s)
    expect(await gateway.usage(1)).toMatchObject([CHARGED])
  })

  test('is too large for a response: one vendor is called, for 600 micros', async () => {
    gateway.answer = streaming(STREAMS.chat(WORDS.repeat(3).slice(0, 3 * MIB)))
    const before = gateway.asked
    const { status, body } = await ask('responses', 'chat')
    expect({ status, code: JSON.parse(body).error.code }).toEqual({ status: 400, code: 'reply_too_large' })
    expect(gateway.asked).toBe(before + 1)
    expect(await gateway.usage(1)).toMatchObject([CHARGED])
  })

  test('with an event of 18 MiB, without conversion, is charged by our count of its text', async () => {
    gateway.answer = streaming(STREAMS.chat(WORDS.repeat(18).slice(0, 18 * MIB)))
    const before = gateway.asked
    const { path, body } = ASKING.chat
    const asked = { ...body, max_tokens: 10, model: 'v/chat', stream: true }
    expect((await gateway.call(path, asked)).status).toBe(400)
    expect(gateway.asked).toBe(before + 1)
    // 7 tokens in and the most that a model writes.
    expect(await gateway.usage(1)).toMatchObject([
      { outcome: 'failed', output_tokens: 128_000, cost_micros: 1_920_021 },
    ])
  })
})

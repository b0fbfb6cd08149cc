import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const MIB = 1024 * 1024
const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]'
const CHEAP =
  'prices: [{ unit: input_token, usd_per_million: 0.3 }, { unit: output_token, usd_per_million: 0.15 }]'
/** 100 tokens in and 20 out, at those prices. */
const COST_MICROS = 600
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
  v: { driver: text, base_url: VENDOR, api_key: k, models: { chat: chat, messages: messages, responses: { dialect: responses, compacts: true }, spare: chat, embed: chat } }
`,
    catalog: `models:\n${rows.join('')}
  - { model_id: 200, name: v/spare, max_output_tokens: 64000, endpoints: [chat, messages, responses], ${CHEAP} }
  - { model_id: 201, name: v/embed, endpoints: [embeddings], prices: [{ unit: input_token, usd_per_million: 20 }] }
`,
  })
})
afterAll(() => gateway.close())

const ASKING: Record<Dialect, { path: string; body: object }> = {
  chat: { path: '/v1/chat/completions', body: { messages: [{ role: 'user', content: 'Hi' }] } },
  messages: { path: '/v1/messages', body: { max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] } },
  responses: { path: '/v1/responses', body: { input: 'Hi', store: false } },
}

/** A reply of each vendor in which `"TEXT"` stands for all that it says. */
const REPLIES: Record<Dialect, object> = {
  chat: {
    ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'chat' },
    choices: [{ index: 0, message: { role: 'assistant', content: 'TEXT' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  },
  messages: {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'messages' },
    content: [{ type: 'text', text: 'TEXT' }],
    ...{ stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 100, output_tokens: 20 } },
  },
  responses: {
    ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'responses', status: 'completed' },
    output: [
      {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text: 'TEXT', annotations: [] }],
      },
    ],
    usage: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
  },
}

const PIECE = 'lorem ipsum dolor '.repeat(64 * 1024).slice(0, MIB)

/** Sends `before`, so many MiB and `after`; `isCut`: it closes the connection instead of sending `after`. */
function saying(before: string, after: string, mebibytes: number, isCut = false): TextGateway['answer'] {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(before)
    for (let at = 0; at < mebibytes; at += 1) response.write(PIECE.slice(0, (mebibytes - at) * MIB))
    // The callback runs after everything was sent.
    if (isCut) response.write(' ', () => response.destroy())
    else response.end(after)
  }
}

function replying(dialect: Dialect, mebibytes: number, isCut = false): TextGateway['answer'] {
  const [before = '', after = ''] = JSON.stringify(REPLIES[dialect]).split('TEXT')
  return saying(before, after, mebibytes, isCut)
}

async function ask(endpoint: Dialect, vendor: string, headers?: Record<string, string>) {
  const { path, body } = ASKING[endpoint]
  return gateway.call(path, { model: `v/${vendor}`, ...body }, headers)
}

function textOf(endpoint: Dialect, body: string): string {
  const reply = JSON.parse(body)
  if (endpoint === 'chat') return reply.choices[0].message.content
  return endpoint === 'messages' ? reply.content[0].text : reply.output_text
}

const CHARGED = { input_tokens: 100, output_tokens: 20, cost_micros: COST_MICROS }

describe.each(DIALECTS)('a reply of a %s vendor', (vendor) => {
  test.each(DIALECTS)(
    'of 768 KiB reaches a client of %s with its whole text, for 600 micros',
    async (endpoint) => {
      gateway.answer = replying(vendor, 0.75)
      const { status, headers, body } = await ask(endpoint, vendor)
      expect({ status, cost: headers.get('x-sluice-cost-usd') }).toEqual({ status: 200, cost: '0.000600' })
      expect(JSON.parse(body).model).toBe(`v/${vendor}`)
      expect(textOf(endpoint, body) === PIECE.slice(0, 0.75 * MIB)).toBe(true)
      expect(await gateway.usage(1)).toMatchObject([{ ...CHARGED, outcome: 'completed' }])
    },
  )
})

describe('a reply that is too large to buffer', () => {
  test.each([
    ['messages', 'chat'],
    ['responses', 'responses'],
  ] as const)(
    '400 to %s from %s: one vendor is called, and 600 micros are charged',
    async (endpoint, vendor) => {
      gateway.answer = replying(vendor, 65)
      const before = gateway.asked
      const { status, body } = await ask(endpoint, vendor)
      expect({ status, message: JSON.parse(body).error.message }).toEqual({
        status: 400,
        message: expect.stringContaining('too large to be given as a whole. The reply is charged.'),
      })
      expect(gateway.asked).toBe(before + 1)
      expect(await gateway.usage(1)).toMatchObject([{ ...CHARGED, outcome: 'failed', model: `v/${vendor}` }])
    },
  )

  test('fails if it is an error: the next vendor is called, and 0 micros are charged for the first', async () => {
    const before = gateway.asked
    gateway.answer = (request, response) => {
      const isFirst = JSON.parse(gateway.received).model === 'chat'
      const answer = isFirst ? saying('{"error":"', '"}', 65) : replying('chat', 1)
      answer(request, response)
    }
    expect((await ask('messages', 'chat')).status).toBe(200)
    expect(gateway.asked).toBe(before + 2)
    expect(await gateway.usage(1)).toMatchObject([
      { model: 'v/spare', input_tokens: 100, output_tokens: 20, cost_micros: 33 },
    ])
  })
})

describe('a large reply that needs no conversion', () => {
  test.each(['chat', 'messages'] as const)(
    'of %s is passed on while it comes, for 600 micros',
    async (dialect) => {
      gateway.answer = replying(dialect, 6)
      const { status, headers, body } = await ask(dialect, dialect, { 'idempotency-key': `large-${dialect}` })
      expect({ status, length: headers.get('content-length') }).toEqual({ status: 200, length: null })
      expect(JSON.parse(body).model).toBe(`v/${dialect}`)
      expect(textOf(dialect, body)).toHaveLength(6 * MIB)
      expect(await gateway.usage(1)).toMatchObject([{ ...CHARGED, outcome: 'completed' }])
    },
  )

  test('with only a tool call is charged by our own count if its vendor sends no usage', async () => {
    const call = { type: 'tool_use', id: 't', name: 'f', input: { text: 'TEXT' } }
    const { usage, ...reply } = { ...REPLIES.messages, content: [call], usage: null }
    const [before = '', after = ''] = JSON.stringify(reply).split('TEXT')
    gateway.answer = saying(before, after, 2)
    expect((await ask('messages', 'messages')).status).toBe(200)
    // 7 tokens in and the most that a model writes.
    expect(await gateway.usage(1)).toMatchObject([
      { outcome: 'completed', input_tokens: 7, output_tokens: 128_000, cost_micros: 1_920_021 },
    ])
  })

  test('that breaks off is cut for its client, and charged by our count', async () => {
    gateway.answer = replying('chat', 6, true)
    const before = gateway.asked
    await expect(ask('chat', 'spare')).rejects.toThrow('terminated')
    expect(gateway.asked).toBe(before + 1)
    const [row] = await gateway.usage(1)
    expect(row).toMatchObject({ outcome: 'failed', model: 'v/spare' })
    // The request has no bound, so the count is clamped to twice 128,000 tokens and 1,024.
    expect(row?.output_tokens).toBe(257_024)
  })
})

describe('embeddings', () => {
  const vectors = (mebibytes: number) =>
    saying(
      '{"object":"list","data":[{"object":"embedding","index":0,"embedding":"',
      '"}],"model":"embed","usage":{"prompt_tokens":300,"total_tokens":300}}',
      mebibytes,
    )

  test.each([1, 5])('of %i MiB: 300 tokens cost 6,000 micros', async (mebibytes) => {
    gateway.answer = vectors(mebibytes)
    const { status, body } = await gateway.call('/v1/embeddings', { model: 'v/embed', input: 'a tap' })
    const reply = JSON.parse(body)
    expect({ status, model: reply.model }).toEqual({ status: 200, model: 'v/embed' })
    expect(reply.data[0].embedding).toHaveLength(mebibytes * MIB)
    expect(await gateway.usage(1)).toMatchObject([{ input_tokens: 300, cost_micros: 6_000 }])
  })
})

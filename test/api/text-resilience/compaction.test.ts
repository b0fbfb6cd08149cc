import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'
import { says } from './vendor-summary.ts'

const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]'
/** 100 tokens in and 20 out, at those prices. */
const COST_MICROS = 600
const SUMMARY = 'Ada chose slate. Next: paint the door.'
const MARKED = `[Summary of the earlier conversation:]\n${SUMMARY}`

/** `own` speaks responses and has no endpoint that compacts; `native` has it. */
const MODELS = ['chat', 'messages', 'own', 'native']
const SUMMING = ['v/chat', 'v/messages', 'v/own']

let gateway: TextGateway
beforeAll(async () => {
  const models = MODELS.map((name, at) => {
    const row = `model_id: ${100 + at}, name: v/${name}, max_output_tokens: 64000`
    const fallbacks = name === 'messages' ? ', fallbacks: [v/chat]' : ''
    return `  - { ${row}, endpoints: [responses]${fallbacks}, ${PRICES} }\n`
  })
  gateway = await startTextGateway({
    providers: `providers:
  v:
    driver: text
    base_url: VENDOR
    api_key: k
    models:
      chat: chat
      messages: messages
      own: { dialect: responses, compacts: false }
      native: responses
`,
    catalog: `models:\n${models.join('')}`,
  })
})
afterAll(() => gateway.close())
beforeEach(() => {
  gateway.answer = says(SUMMARY)
})

const TALK = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'I am Ada.' },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello.' }] },
  { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
  { type: 'function_call_output', call_id: 'c1', output: 'slate' },
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Slate it is.' }] },
]

async function compact(model: string, more: object = {}, headers?: Record<string, string>) {
  const { body, ...answer } = await gateway.call(
    '/v1/responses/compact',
    { model, input: TALK, ...more },
    headers,
  )
  return { ...answer, body: JSON.parse(body) }
}

async function goOn(model: string, output: readonly object[], headers?: Record<string, string>) {
  const input = [...output, { role: 'user', content: 'Go on.' }]
  const { status, body } = await gateway.call('/v1/responses', { model, input, store: false }, headers)
  return { status, body: JSON.parse(body) }
}

describe.each(SUMMING)('%s, whose vendor does not compact', (model) => {
  test('answers with the messages of the user and an encrypted summary, charged as its reply', async () => {
    const { status, headers, body } = await compact(model)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: expect.stringMatching(/^resp_/),
        object: 'response.compaction',
        created_at: expect.any(Number),
        output: [
          message('I am Ada.'),
          message('Slate it is.'),
          {
            id: expect.stringMatching(/^cmp_/),
            type: 'compaction',
            encrypted_content: expect.stringMatching(/^gwc1\./),
          },
        ],
        usage: expect.objectContaining({ input_tokens: 100, output_tokens: 20, total_tokens: 120 }),
      },
    })
    expect(JSON.stringify(body)).not.toContain('paint')
    expect(headers.get('x-sluice-served-by')).toBe(model)
    expect(headers.get('x-sluice-cost-usd')).toBe('0.000600')
    expect(gateway.received).toContain('Write a summary of this conversation.')
    for (const said of ['Be brief.', 'I am Ada.', 'slate', 'Slate it is.'])
      expect(gateway.received).toContain(said)
    expect(await gateway.usage(1)).toMatchObject([
      { model, outcome: 'completed', input_tokens: 100, output_tokens: 20, cost_micros: COST_MICROS },
    ])
  })

  test.each([...SUMMING, 'v/native'])('%s goes on from its summary', async (next) => {
    const { body } = await compact(model)
    expect(await goOn(next, body.output)).toMatchObject({ status: 200 })
    expect(gateway.received).toContain(JSON.stringify(MARKED).slice(1, -1))
    expect(gateway.received).not.toContain('gwc1.')
    await gateway.usage(2)
  })

  test('a second compaction sums up the first, and retains no summary', async () => {
    const { body: first } = await compact(model)
    const { body } = await compact(model, { input: [...first.output, { role: 'user', content: 'And now?' }] })
    expect(gateway.received).toContain(JSON.stringify(MARKED).slice(1, -1))
    expect(body.output).toEqual([
      message('I am Ada.'),
      message('Slate it is.'),
      message('And now?'),
      expect.objectContaining({ type: 'compaction' }),
    ])
    await gateway.usage(2)
  })

  test('a heavy body is served in both requests', async () => {
    const long = { role: 'user', content: 'The door is long. '.repeat(20_000) }
    const { status, body } = await compact(model, { input: [long, ...TALK] })
    expect(status).toBe(200)
    // The long message is left to the summary.
    expect(body.output).toEqual([
      message('I am Ada.'),
      message('Slate it is.'),
      expect.objectContaining({ encrypted_content: expect.stringMatching(/^gwc1\./) }),
    ])
    expect(gateway.received).toContain('Write a summary of this conversation.')
    expect(await goOn(model, [...body.output, long])).toMatchObject({ status: 200 })
    expect(gateway.received).toContain(JSON.stringify(MARKED).slice(1, -1))
    expect(await gateway.usage(2)).toMatchObject([{ cost_micros: COST_MICROS }, { cost_micros: COST_MICROS }])
  })

  test('the same Idempotency-Key is charged once', async () => {
    const key = { 'idempotency-key': `once ${model}` }
    const before = gateway.asked
    const first = await compact(model, {}, key)
    expect((await compact(model, {}, key)).body).toEqual(first.body)
    expect(gateway.asked).toBe(before + 1)
    expect(await gateway.usage(1)).toMatchObject([{ cost_micros: COST_MICROS }])
  })
})

test('400: a summary that was encrypted for another organization, or changed in one character', async () => {
  const { body } = await compact('v/chat')
  await gateway.usage(1)
  const before = gateway.asked
  const [item] = body.output.slice(-1)
  const encrypted: string = item.encrypted_content
  const other = { authorization: `Bearer ${await gateway.otherKey()}` }
  expect(await goOn('v/chat', body.output, other)).toMatchObject(UNREADABLE)
  for (const at of [5, 30, encrypted.length - 2]) {
    const changed = encrypted.slice(0, at) + (encrypted[at] === 'A' ? 'B' : 'A') + encrypted.slice(at + 1)
    for (const model of ['v/chat', 'v/native'])
      expect(await goOn(model, [{ ...item, encrypted_content: changed }])).toMatchObject({
        status: 400,
        body: { error: { param: 'input.0.encrypted_content' } },
      })
  }
  expect(gateway.asked).toBe(before)
})

const UNREADABLE = {
  status: 400,
  body: {
    error: {
      type: 'invalid_request_error',
      param: 'input.2.encrypted_content',
      message: expect.stringContaining('not made for your organization'),
    },
  },
}

test('400: more compactions than a conversation has', async () => {
  const { body } = await compact('v/chat')
  await gateway.usage(1)
  const [item] = body.output.slice(-1)
  expect(await goOn('v/chat', Array(17).fill(item))).toMatchObject({
    status: 400,
    body: { error: { param: 'input.16.encrypted_content', message: expect.stringContaining('too many') } },
  })
})

test('a fallback writes the summary while the vendor of the model fails', async () => {
  gateway.answer = (request, response) => {
    if (request.url === '/v1/messages') response.writeHead(500).end()
    else says(SUMMARY)(request, response)
  }
  const { status, headers, body } = await compact('v/messages')
  expect(status).toBe(200)
  expect(headers.get('x-sluice-served-by')).toBe('v/chat')
  expect(body.output.at(-1).encrypted_content).toMatch(/^gwc1\./)
  expect(await gateway.usage(1)).toMatchObject([{ model: 'v/chat', cost_micros: COST_MICROS }])
})

function message(text: string): object {
  return {
    id: expect.stringMatching(/^msg_/),
    type: 'message',
    role: 'user',
    status: 'completed',
    content: [{ type: 'input_text', text }],
  }
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BODY_SHAPES, type BodyShape, MODEL } from './body-shapes.ts'
import {
  CHAT_MODEL,
  expectMessagesError,
  expectResponsesError,
  MESSAGES_MODEL,
  message,
  RESPONSES_MODEL,
  response,
  type TextClient,
  textClientOf,
} from './call-text.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

const MODELS = { messages: MESSAGES_MODEL, responses: RESPONSES_MODEL, chat: CHAT_MODEL }
const HEAVY_BYTES = 512 * 1024

describe('a heavy body', () => {
  let api: TextApi
  let client: TextClient
  beforeAll(async () => {
    api = await startTextApi({ rows: { [MESSAGES_MODEL]: { endpoints: ['messages', 'responses'] } } })
    client = textClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  const send = (shape: BodyShape) => {
    const body = shape.make(HEAVY_BYTES).toString('latin1').replaceAll(MODEL, MODELS[shape.vendor])
    return client[shape.endpoint](Buffer.from(body, 'latin1'))
  }

  test.each(
    BODY_SHAPES.map((shape) => [`${shape.name}, ${shape.endpoint} to ${shape.vendor}`, shape] as const),
  )('of %s is answered in its envelope', async (_name, shape) => {
    const answer = await send(shape)
    expect(answer.status, answer.text.slice(0, 500)).toBe(shape.status.few)
    if (answer.status === 200) expect(answer.body).toMatchObject(REPLIES[shape.endpoint])
    else if (shape.endpoint === 'responses') expectResponsesError(answer, { status: shape.status.few })
    else expectMessagesError(answer, { status: shape.status.few })
  })

  const LONG = 'lorem ipsum '.repeat(HEAVY_BYTES / 12)

  test.each([
    // Micro-USD for a token, as the built-in catalog has them.
    ['passed', MESSAGES_MODEL, { input: 1, output: 5 }],
    ['converted to chat', CHAT_MODEL, { input: 0.4, output: 1.6 }],
    ['converted to responses', RESPONSES_MODEL, { input: 1.1, output: 4.4 }],
  ])('is streamed, %s, and charged once for all of it', async (_name, model, { input, output }) => {
    const tenant = await api.openTenant()
    const answer = await textClientOf(api, tenant).messages(message(LONG, { model, stream: true }))
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('event: message_stop')
    const [row] = await api.usageOf(tenant, 1)
    if (row === undefined) throw new Error('no row')
    expect(row).toMatchObject({ model, outcome: 'completed' })
    expect(row.input_tokens).toBeGreaterThan(100_000)
    expect(row.cost_micros).toBe(Math.round(row.input_tokens * input + row.output_tokens * output))
  })

  test('names its losses, and is refused for them if the client is strict', async () => {
    const lossy = message(LONG, { model: CHAT_MODEL, top_k: 5 })
    const answer = await client.messages(lossy)
    expect(answer.headers.get('x-sluice-losses')).toBe('top_k')
    const refused = await client.messages(lossy, { 'x-sluice-strict': 'true' })
    expectMessagesError(refused, { status: 400, message: /top_k/ })
  })

  test('of an organization without money is 402, and its vendor is not asked', async () => {
    const poor = textClientOf(api, await api.openTenant({ creditMicros: 0 }))
    const before = (await api.vendor.requests()).length
    for (const model of [MESSAGES_MODEL, CHAT_MODEL])
      expectMessagesError(await poor.messages(message(LONG, { model })), { status: 402 })
    expect((await api.vendor.requests()).length).toBe(before)
  })

  test('without money is refused before its conversion could find a mistake', async () => {
    const odd = message(LONG, { model: RESPONSES_MODEL, stop_sequences: Array(65).fill('stop') })
    expectMessagesError(await client.messages(odd), { status: 400, message: /stop_sequences/ })
    const poor = textClientOf(api, await api.openTenant({ creditMicros: 0 }))
    expectMessagesError(await poor.messages(odd), { status: 402 })
  })

  test('with an unknown model is 404, also without money', async () => {
    const poor = textClientOf(api, await api.openTenant({ creditMicros: 0 }))
    expectMessagesError(await poor.messages(message(LONG, { model: 'v/none' })), { status: 404 })
  })

  test('that is refused for its conversion costs 0 micro-USD and holds nothing', async () => {
    const tenant = await api.openTenant({ creditMicros: 5_000_000 })
    const odd = message(LONG, { model: RESPONSES_MODEL, stop_sequences: Array(65).fill('stop') })
    for (let sent = 0; sent < 4; sent += 1)
      expectMessagesError(await textClientOf(api, tenant).messages(odd), { status: 400 })
    expect(await textClientOf(api, tenant).messages(message())).toMatchObject({ status: 200 })
    expect(await api.usageOf(tenant, 1)).toMatchObject([{ outcome: 'completed', cost_micros: 22 }])
  })

  test('with an Idempotency-Key is answered once, and another body with that key is 422', async () => {
    const tenant = await api.openTenant()
    const { messages } = textClientOf(api, tenant)
    const key = { 'idempotency-key': 'heavy' }
    const first = await messages(message(LONG), key)
    const second = await messages(message(LONG), key)
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toEqual(first.body)
    expectMessagesError(await messages(message(`${LONG}!`), key), { status: 422 })
    expect(await api.usageOf(tenant, 1)).toMatchObject([{ outcome: 'completed', cost_micros: 132_350 }])
  })

  test('may refer to earlier output, which replaces the reference', async () => {
    const { responses } = client
    const first = await responses(response('hello', { model: CHAT_MODEL }))
    const [item] = Object(first.body).output
    const input = [
      { role: 'user', content: LONG },
      { type: 'item_reference', id: item.id },
      { role: 'user', content: 'go on' },
    ]
    expect(await responses(response(input, { model: CHAT_MODEL }))).toMatchObject({ status: 200 })
    const unknown = [
      { role: 'user', content: LONG },
      { type: 'item_reference', id: 'msg_unknown' },
    ]
    expectResponsesError(await responses(response(unknown, { model: CHAT_MODEL })), { status: 400 })
  })

  test('names only what its organization was given', async () => {
    const said = { role: 'user', content: LONG }
    const foreign = [said, { type: 'item_reference', id: 'msg_foreign' }]
    expectResponsesError(await client.responses(response(foreign)), { status: 400, message: /msg_foreign/ })
    const file = [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_foreign' }] }, said]
    expectResponsesError(await client.responses(response(file)), { status: 400, message: /file_foreign/ })
    const repeated = [{ type: 'message', id: 'msg_mine', role: 'user', content: 'first' }, said]
    expect(await client.responses(response(repeated))).toMatchObject({ status: 200 })
    const sent = (await api.vendor.requests()).at(-1)?.body
    expect(sent).toContain('"content":"first"')
    expect(sent).not.toContain('msg_mine')
  })

  test('of few bytes and many values is read on the other thread too', async () => {
    const blocks = Array(9_000).fill({ type: 'text', text: 'a' })
    expect(await client.messages(message(blocks, { model: CHAT_MODEL }))).toMatchObject({ status: 200 })
    const deep = message('hi', { extra: Array(9_000).fill(0), model: CHAT_MODEL })
    expect(await client.messages(deep)).toMatchObject({ status: 200 })
  })

  test('is answered in each of twelve concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => client.messages(message(`${at} ${LONG}`, { model: CHAT_MODEL }))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  })
})

const REPLIES = {
  messages: { type: 'message', usage: { output_tokens: expect.any(Number) } },
  responses: { object: 'response', status: 'completed' },
  count: { input_tokens: expect.any(Number) },
}

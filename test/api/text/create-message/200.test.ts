import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CHAT_MODEL,
  MESSAGES_MODEL,
  message,
  RESPONSES_MODEL,
  type TextClient,
  textClientOf,
} from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

describe('POST /v1/messages', () => {
  let api: TextApi
  let client: TextClient
  beforeAll(async () => {
    api = await startTextApi()
    client = textClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  describe.each([
    [MESSAGES_MODEL, 22],
    [CHAT_MODEL, 7],
    [RESPONSES_MODEL, 20],
  ])('%s', (model, costMicros) => {
    test('answers whole, as the model that was asked for, with a usage row', async () => {
      const tenant = await api.openTenant()
      const answer = await textClientOf(api, tenant).messages(message('hello', { model }))
      expect(answer).toMatchObject({
        status: 200,
        body: {
          id: expect.stringMatching(/^msg_/),
          type: 'message',
          role: 'assistant',
          model,
          content: [{ type: 'text', text: expect.stringContaining('hello') }],
          stop_reason: 'end_turn',
          stop_sequence: null,
          usage: {
            input_tokens: expect.any(Number),
            output_tokens: expect.any(Number),
            cache_creation_input_tokens: expect.any(Number),
            cache_read_input_tokens: expect.any(Number),
          },
        },
      })
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
      expect(answer.headers.get('x-sluice-losses')).toBeNull()
      const [row] = await api.usageOf(tenant, 1)
      expect(row).toMatchObject({ model, outcome: 'completed', cost_micros: costMicros, losses: [] })
      expect(row?.output_tokens).toBe(Object(answer.body.usage).output_tokens)
    })

    test('streams', async () => {
      const answer = await client.messages(message('hello', { model, stream: true }))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
      expect(answer.text).toMatch(/^event: message_start\n/)
      expect(answer.text).toMatch(/event: message_stop\n[^\n]+\n\n$/)
      expect(answer.text).toContain(JSON.stringify(model))
    })
  })

  test.each<[string, Record<string, string | undefined>]>([
    ['compat-version 2023-01-01', { 'compat-version': '2023-01-01' }],
    ['anthropic-version', { 'compat-version': undefined, 'anthropic-version': '2023-06-01' }],
    ['a newer anthropic-version', { 'compat-version': undefined, 'anthropic-version': '2026-10-21' }],
    ['both, of which compat-version counts', { 'anthropic-version': 'nonsense' }],
  ])('takes %s', async (_name, headers) => {
    expect(await client.messages(message(), headers)).toMatchObject({ status: 200 })
  })

  test('takes a bearer, or both spellings of the same key', async () => {
    const authorization = `Bearer ${api.tenant.key}`
    expect(await client.messages(message(), { 'x-api-key': undefined, authorization })).toMatchObject({
      status: 200,
    })
    expect(await client.messages(message(), { authorization })).toMatchObject({ status: 200 })
  })

  test('a passthrough forwards the version and the flags, a conversion does not', async () => {
    const headers = {
      'compat-version': undefined,
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'one,two',
    }
    await client.messages(message('native'), headers)
    await client.messages(message('converted', { model: CHAT_MODEL }), headers)
    const [native, converted] = (await api.vendor.requests()).slice(-2)
    expect(native?.headers).toMatchObject({ 'compat-version': '2026-10-21', 'anthropic-beta': 'one,two' })
    expect(native?.headers).not.toHaveProperty('anthropic-version')
    expect(converted?.headers).not.toHaveProperty('compat-version')
    expect(converted?.headers).not.toHaveProperty('anthropic-beta')
  })

  test('unknown fields and numbers that JSON cannot hold survive a passthrough', async () => {
    const body = `{ "messages":[{"role":"user","content":"hi"}], "max_tokens":256, "2":1, "1":12345678901234567890, "model" : "${MESSAGES_MODEL}" }`
    expect(await client.messages(body)).toMatchObject({ status: 200, body: { model: MESSAGES_MODEL } })
    const [request] = (await api.vendor.requests()).slice(-1)
    expect(request?.body).toBe(body.replace(MESSAGES_MODEL, 'text-small'))
  })

  test('losses of the conversion are named', async () => {
    const tenant = await api.openTenant()
    const lossy = message('hello', { model: CHAT_MODEL, top_k: 5 })
    const answer = await textClientOf(api, tenant).messages(lossy)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-sluice-losses')).toBe('top_k')
    expect(await api.usageOf(tenant, 1)).toMatchObject([{ cost_micros: 7, losses: ['top_k'] }])
    const strict = { 'x-sluice-strict': 'true' }
    expect(await client.messages(message('hello', { model: CHAT_MODEL }), strict)).toMatchObject({
      status: 200,
    })
  })

  test('fields of agents that are not in the contract pass', async () => {
    const body = {
      ...message(),
      system: [
        { type: 'text', text: 'one', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'two' },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        { role: 'system', content: 'mind the gap' },
      ],
      thinking: { type: 'adaptive', display: 'omitted' },
      output_config: { effort: 'high' },
      context_management: { edits: [] },
      metadata: { user_id: 'u' },
      tools: [{ name: 'a', input_schema: { type: 'object' }, defer_loading: true }],
    }
    const answer = await client.post('/v1/messages?beta=true', body, {
      'x-api-key': api.tenant.key,
      'anthropic-version': '2023-06-01',
    })
    expect(answer).toMatchObject({ status: 200 })
    expect(await client.messages({ ...body, model: CHAT_MODEL })).toMatchObject({ status: 200 })
  })

  test('an Idempotency-Key repeats the first reply, and the price of one request is charged once', async () => {
    const tenant = await api.openTenant()
    const { messages } = textClientOf(api, tenant)
    for (const model of [MESSAGES_MODEL, CHAT_MODEL]) {
      const body = message('[words 500]', { model, max_tokens: 1_000 })
      await messages(body)
      const key = { 'idempotency-key': `once ${model}` }
      const first = await messages(body, key)
      expect(first.status).toBe(200)
      expect((await messages(body, key)).text).toBe(first.text)
    }
    const rows = await api.usageOf(tenant, 4)
    expect(rows.map(({ model, outcome, cost_micros }) => [model, outcome, cost_micros])).toEqual([
      [MESSAGES_MODEL, 'completed', 3_128],
      [MESSAGES_MODEL, 'completed', 3_128],
      [CHAT_MODEL, 'completed', 1_001],
      [CHAT_MODEL, 'completed', 1_001],
    ])
    await api.expectSound()
  })

  test('streams ignore an Idempotency-Key: each costs', async () => {
    const tenant = await api.openTenant()
    const { messages } = textClientOf(api, tenant)
    const headers = { 'idempotency-key': 'once' }
    const stream = message('hello', { stream: true })
    await messages(stream, headers)
    expect((await messages(stream, headers)).text).toMatch(/^event: message_start/)
    expect(await api.usageOf(tenant, 2)).toMatchObject([{ cost_micros: 22 }, { cost_micros: 22 }])
    await api.expectSound()
  })
})

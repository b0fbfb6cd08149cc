import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHAT_MODEL, RESPONSES_MODEL, response, type TextClient, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

const MESSAGES_ROW = 'vendorD/text-large'

describe('POST /v1/responses', () => {
  let api: TextApi
  let client: TextClient
  beforeAll(async () => {
    api = await startTextApi({ rows: { [MESSAGES_ROW]: { endpoints: ['messages', 'responses'] } } })
    client = textClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  describe.each([
    [RESPONSES_MODEL, 20],
    [CHAT_MODEL, 7],
    [MESSAGES_ROW, 66],
  ])('%s', (model, costMicros) => {
    test('answers whole, as the model that was asked for, with a usage row', async () => {
      const tenant = await api.openTenant()
      const answer = await textClientOf(api, tenant).responses(response('hello', { model }))
      expect(answer).toMatchObject({
        status: 200,
        body: {
          id: expect.stringMatching(/^resp_/),
          object: 'response',
          created_at: expect.any(Number),
          model,
          status: 'completed',
          output_text: expect.stringContaining('hello'),
          usage: {
            input_tokens: expect.any(Number),
            output_tokens: expect.any(Number),
            total_tokens: expect.any(Number),
            input_tokens_details: { cached_tokens: expect.any(Number) },
            output_tokens_details: { reasoning_tokens: expect.any(Number) },
          },
        },
      })
      expect(answer.body.output).toMatchObject([
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: answer.body.output_text }],
        },
      ])
      const [row] = await api.usageOf(tenant, 1)
      expect(row).toMatchObject({ model, outcome: 'completed', cost_micros: costMicros, losses: [] })
      expect(row?.output_tokens).toBe(Object(answer.body.usage).output_tokens)
    })

    test('streams, and ends with response.completed', async () => {
      const answer = await client.responses(response('hello', { model, stream: true }))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
      expect(answer.text).toMatch(/^event: response\.created\n/)
      expect(answer.text).toMatch(/event: response\.completed\n[^\n]+\n\n$/)
    })
  })

  test('takes x-api-key too', async () => {
    const headers = { authorization: undefined, 'x-api-key': api.tenant.key }
    expect(await client.responses(response(), headers)).toMatchObject({ status: 200 })
  })

  test('a passthrough forwards the flags, a conversion does not', async () => {
    const headers = { 'openai-beta': 'responses=v1' }
    await client.responses(response('native'), headers)
    await client.responses(response('converted', { model: CHAT_MODEL }), headers)
    const [native, converted] = (await api.vendor.requests()).slice(-2)
    expect(native?.headers).toMatchObject({ 'openai-beta': 'responses=v1' })
    expect(converted?.headers).not.toHaveProperty('openai-beta')
  })

  test.each([
    { previous_response_id: null, background: false, truncation: 'disabled' },
    { background: null, truncation: null },
  ])('options without effect are accepted: %o', async (more) => {
    expect(await client.responses(response('hello', more))).toMatchObject({ status: 200 })
    expect(await client.responses(response('hello', { ...more, model: CHAT_MODEL }))).toMatchObject({
      status: 200,
    })
  })

  test('web_search passes to a native model; beside other tools it is dropped and named elsewhere', async () => {
    const search = { type: 'web_search' }
    expect(await client.responses(response('hello', { tools: [search] }))).toMatchObject({ status: 200 })
    const other = { type: 'function', name: 'a', parameters: { type: 'object', properties: {} } }
    const answer = await client.responses(response('hello', { model: CHAT_MODEL, tools: [other, search] }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-sluice-losses')).toMatch(/web_search/)
  })

  test('what Codex sends passes, to a native and to a converted model', async () => {
    const body = {
      ...response([
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'mind the gap' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
      ]),
      store: false,
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'k',
      client_metadata: { a: 'b' },
      text: { verbosity: 'low' },
      reasoning: { effort: 'medium', summary: 'auto' },
      tool_choice: 'auto',
      parallel_tool_calls: false,
      tools: [
        { type: 'function', name: 'shell', parameters: { type: 'object', properties: {} }, strict: false },
        {
          type: 'custom',
          name: 'apply_patch',
          format: { type: 'grammar', syntax: 'lark', definition: 's: "a"' },
        },
        { type: 'web_search' },
      ],
    }
    for (const model of [RESPONSES_MODEL, CHAT_MODEL]) {
      expect(await client.responses({ ...body, model })).toMatchObject({ status: 200 })
      expect(await client.responses({ ...body, model, tools: [] })).toMatchObject({ status: 200 })
    }
  })

  test('an Idempotency-Key repeats the first reply, and the price of one request is charged once', async () => {
    const tenant = await api.openTenant()
    const { responses } = textClientOf(api, tenant)
    for (const model of [RESPONSES_MODEL, CHAT_MODEL]) {
      const body = response('[words 500]', { model })
      await responses(body)
      const key = { 'idempotency-key': `once ${model}` }
      const first = await responses(body, key)
      expect(first.status).toBe(200)
      expect((await responses(body, key)).text).toBe(first.text)
    }
    const rows = await api.usageOf(tenant, 4)
    expect(rows.map(({ model, outcome, cost_micros }) => [model, outcome, cost_micros])).toEqual([
      [RESPONSES_MODEL, 'completed', 2_753],
      [RESPONSES_MODEL, 'completed', 2_753],
      [CHAT_MODEL, 'completed', 1_001],
      [CHAT_MODEL, 'completed', 1_001],
    ])
    await api.expectSound()
  })

  describe('item_reference', () => {
    const refer = (id: unknown) => [
      { role: 'user', content: 'first' },
      { type: 'item_reference', id },
      { role: 'user', content: 'second' },
    ]

    test.each([false, true])('is resolved for a converted model, stream: %s', async (stream) => {
      const first = await client.responses(response('a canary', { model: CHAT_MODEL, stream }))
      const id = /"id":"(msg_\w+)"/.exec(first.text)?.[1]
      const second = await client.responses(response(refer(id), { model: CHAT_MODEL }))
      expect(second).toMatchObject({ status: 200 })
      const [request] = (await api.vendor.requests()).slice(-1)
      expect(JSON.parse(request?.body ?? '').messages).toMatchObject([
        { role: 'user' },
        { role: 'assistant', content: expect.stringMatching(/a canary/) },
        { role: 'user' },
      ])
    })

    test('a call can be referenced as well', async () => {
      const tools = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }]
      const ask = response('[call look {"a":1}]', { model: CHAT_MODEL, tools })
      const { output } = (await client.responses(ask)).body
      const [call] = Array.isArray(output) ? output : []
      expect(call).toMatchObject({ type: 'function_call', id: expect.any(String) })
      const input = [
        { role: 'user', content: 'look' },
        { type: 'item_reference', id: call.id },
        { type: 'function_call_output', call_id: call.call_id, output: 'seen' },
      ]
      expect(await client.responses(response(input, { model: CHAT_MODEL, tools }))).toMatchObject({
        status: 200,
      })
    })

    test('passes as it is to a native model', async () => {
      const { text } = await client.responses(response())
      const [, id = ''] = /"id":"(msg_[^"]+)"/.exec(text) ?? []
      await client.responses(response(refer(id)))
      const [request] = (await api.vendor.requests()).slice(-1)
      expect(request?.body).toContain(`{"type":"item_reference","id":"${id}"}`)
    })
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CHAT_MODEL,
  completion,
  MESSAGES_MODEL,
  RESPONSES_MODEL,
  type TextClient,
  textClientOf,
} from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

describe('POST /v1/chat/completions', () => {
  let api: TextApi
  let client: TextClient
  beforeAll(async () => {
    api = await startTextApi()
    client = textClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  describe.each([CHAT_MODEL, RESPONSES_MODEL, MESSAGES_MODEL])('200 %s', (model) => {
    test('answers whole, as the model that was asked for, with its cost and a usage row', async () => {
      const tenant = await api.openTenant()
      const answer = await textClientOf(api, tenant).chat(completion('hello', { model }))
      expect(answer).toMatchObject({
        status: 200,
        body: {
          object: 'chat.completion',
          created: expect.any(Number),
          model,
          choices: [
            {
              index: 0,
              message: { role: 'assistant', content: expect.stringContaining('hello') },
              finish_reason: 'stop',
            },
          ],
          usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
        },
      })
      const [row] = await api.usageOf(tenant, 1)
      expect(row).toMatchObject({ model, outcome: 'completed', losses: [] })
      expect(row?.output_tokens).toBe(Object(answer.body.usage).completion_tokens)
      const cost = Number(answer.headers.get('x-sluice-cost-usd')) * 1_000_000
      expect(Math.round(cost)).toBe(row?.cost_micros)
    })

    test('streams; the usage is a chunk only on request, and always in the row', async () => {
      const tenant = await api.openTenant()
      const { chat } = textClientOf(api, tenant)
      const plain = await chat(completion('hello', { model, stream: true }))
      expect(plain.headers.get('content-type')).toMatch(/^text\/event-stream/)
      expect(plain.text).toMatch(/data: \[DONE\]\n\n$/)
      expect(plain.text).not.toContain('prompt_tokens')
      expect(plain.text).toContain(`"model":"${model}"`)
      const options = { stream_options: { include_usage: true } }
      const counted = await chat(completion('hello', { model, stream: true, ...options }))
      expect(counted.text).toMatch(/"choices":\[\][^\n]*"prompt_tokens"/)
      const [first, second] = await api.usageOf(tenant, 2)
      expect(first).toMatchObject({ model, outcome: 'completed' })
      expect(first?.output_tokens).toBe(second?.output_tokens)
    })

    test('a stream reports its cost directly before [DONE]', async () => {
      const answer = await client.chat(completion('hello', { model, stream: true }), {
        'x-sluice-cost': 'true',
      })
      expect(answer.text).toMatch(/\n\n: cost_usd=\d+\.\d{6}\n\ndata: \[DONE\]\n\n$/)
    })

    test('calls a tool, and takes its result', async () => {
      const tools = [
        { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } },
      ]
      const asked = completion('[call look {"a":1}]', { model, tools })
      const { body } = await client.chat(asked)
      expect(body).toMatchObject({
        choices: [
          {
            message: { tool_calls: [{ type: 'function', function: { name: 'look' } }] },
            finish_reason: 'tool_calls',
          },
        ],
      })
      const [{ message }] = Object(body).choices
      const [call] = message.tool_calls
      expect(JSON.parse(call.function.arguments)).toEqual({ a: 1 })
      const messages = [
        { role: 'user', content: 'look' },
        message,
        { role: 'tool', tool_call_id: call.id, content: 'seen' },
      ]
      expect(await client.chat({ model, messages, tools })).toMatchObject({ status: 200 })
    })

    test('an Idempotency-Key repeats the first reply', async () => {
      const key = { 'idempotency-key': `once ${model}` }
      const first = await client.chat(completion('hello', { model }), key)
      expect(first.status).toBe(200)
      expect((await client.chat(completion('hello', { model }), key)).text).toBe(first.text)
    })
  })

  test('200 a passthrough sends the same bytes except the model and the option for the usage', async () => {
    await client.chat(
      `{"model":"${CHAT_MODEL}","messages":[{"role":"user","content":"hi"}], "seed":12345678901234567890}`,
    )
    const [whole] = (await api.vendor.requests()).slice(-1)
    expect(whole?.body).toMatch(
      /^\{"model":"[^"]+","messages":\[\{"role":"user","content":"hi"\}\], "seed":12345678901234567890\}$/,
    )
    await client.chat(completion('hi', { stream: true }))
    const [streamed] = (await api.vendor.requests()).slice(-1)
    expect(JSON.parse(streamed?.body ?? '')).toMatchObject({ stream_options: { include_usage: true } })
  })

  test('200 content that another dialect cannot carry is named', async () => {
    const answer = await client.chat(completion('hello', { model: MESSAGES_MODEL, seed: 5 }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-sluice-losses')).toContain('seed')
  })

  test('200 a stop sequence ends the text on every model', async () => {
    for (const model of [CHAT_MODEL, RESPONSES_MODEL, MESSAGES_MODEL]) {
      const { body } = await client.chat(completion('one two three', { model, stop: ['three'] }))
      expect(JSON.stringify(body)).not.toContain('three')
    }
  })
})

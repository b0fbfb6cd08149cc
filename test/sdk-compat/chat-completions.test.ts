import OpenAI from 'openai'
import FormerOpenAI from 'openai-6'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHAT_MODEL, MESSAGES_MODEL, RESPONSES_MODEL } from '../api/text/call-text.ts'
import { startTextApi, type TextApi } from '../api/text/start-text-api.ts'

const messages = [{ role: 'user' as const, content: 'hello' }]
const parameters = { type: 'object', properties: {} }
const CALL = [{ role: 'user' as const, content: '[call look {"a":1}]' }]

let api: TextApi
beforeAll(async () => {
  api = await startTextApi()
})
afterAll(() => api.close())

describe.each([
  ['openai 7', (options: object) => new OpenAI(options)],
  ['openai 6', (options: object) => new FormerOpenAI(options) as unknown as OpenAI],
] as const)('%s', (_sdk, open) => {
  describe.each([CHAT_MODEL, RESPONSES_MODEL, MESSAGES_MODEL])('%s', (model) => {
    const completions = () =>
      open({ baseURL: `${api.url}/v1`, apiKey: api.tenant.key, maxRetries: 0 }).chat.completions

    test('whole', async () => {
      const reply = await completions().create({ model, messages })
      expect(reply.choices[0]?.message.content).toContain('hello')
      expect(reply.usage?.total_tokens).toBeGreaterThan(0)
    })

    test('stream, raw and by its helper', async () => {
      const stream_options = { include_usage: true }
      let text = ''
      let usage: unknown
      for await (const chunk of await completions().create({
        model,
        messages,
        stream: true,
        stream_options,
      })) {
        text += chunk.choices[0]?.delta.content ?? ''
        usage = chunk.usage ?? usage
      }
      expect(text).toContain('hello')
      expect(usage).toMatchObject({ completion_tokens: expect.any(Number) })
      const final = await completions().stream({ model, messages }).finalChatCompletion()
      expect(final.choices[0]?.message.content).toBe(text)
    })

    test('a call in a stream is put together by its helper', async () => {
      const tools = [{ type: 'function' as const, function: { name: 'look', parameters } }]
      const final = await completions().stream({ model, messages: CALL, tools }).finalChatCompletion()
      expect(final.choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: { tool_calls: [{ type: 'function', function: { name: 'look' } }] },
      })
    })

    test('runTools calls the function once and ends with words', async () => {
      const seen: unknown[] = []
      const look = {
        name: 'look',
        parameters,
        parse: JSON.parse,
        description: 'Looks.',
        function: (given: unknown) => {
          seen.push(given)
          return 'seen'
        },
      }
      const runner = completions().runTools({
        model,
        messages: CALL,
        tools: [{ type: 'function', function: look }],
      } as never)
      expect(await (runner as unknown as { finalContent(): Promise<string> }).finalContent()).toEqual(
        expect.any(String),
      )
      expect(seen).toEqual([{ a: 1 }])
    })

    test('an error is the SDK’s own', async () => {
      await expect(completions().create({ model: 'vendorC/none', messages })).rejects.toMatchObject({
        status: 404,
        code: 'model_not_found',
      })
    })
  })
})

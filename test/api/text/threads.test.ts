import Anthropic, { APIError } from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHAT_MODEL, MESSAGES_MODEL, message, RESPONSES_MODEL, textClientOf } from './call-text.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

const CONVERTED = [CHAT_MODEL, RESPONSES_MODEL]
const CONTINUED = { type: 'continue', previous_message_id: 'msg_1' }

describe('a conversation that the vendor is asked to keep', () => {
  let api: TextApi
  let client: Anthropic
  beforeAll(async () => {
    api = await startTextApi()
    client = new Anthropic({ apiKey: api.tenant.key, authToken: null, baseURL: api.url, maxRetries: 0 })
  })
  afterAll(() => api.close())

  /** Runs a tool with the official client until the model calls none; returns the last answer and the inputs. */
  async function runTool(model: string, stream: boolean) {
    const asked: unknown[] = []
    const weather = betaTool({
      name: 'get_weather',
      description: 'Tells the weather.',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      run: (input) => {
        asked.push(input)
        return 'sunny'
      },
    })
    const runner = client.beta.messages.toolRunner({
      ...{ model, stream, max_tokens: 500, tools: [weather] },
      messages: [{ role: 'user', content: '[call get_weather {"city":"Lisbon"}]' }],
    })
    const last = await runner.runUntilDone()
    return { last, asked, received: (await api.vendor.requests()).at(-1)?.body }
  }

  const expectWhole = ({ last, asked, received }: Awaited<ReturnType<typeof runTool>>) => {
    expect(asked).toEqual([{ city: 'Lisbon' }])
    expect(last).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text', text: 'Done.' }] })
    for (const word of ['[call get_weather', 'get_weather', 'sunny']) expect(received).toContain(word)
    expect(received).not.toContain('"thread"')
  }

  test.each(
    CONVERTED.flatMap((model) => [
      { model, stream: false },
      { model, stream: true },
    ]),
  )("is sent whole by the official client's tool runner: $model, stream $stream", async ({ model, stream }) =>
    expectWhole(await runTool(model, stream)),
  )

  test('is sent whole too when the vendor cannot keep it: the client gets the code of the vendor', async () => {
    const details = { error_code: 'thread_unsupported_request', unsupported: ['hipaa'] }
    const error = { type: 'invalid_request_error', message: 'No threads here.', details }
    await api.vendor.breakDown(once('messages', 400, { type: 'error', error }))
    expectWhole(await runTool(MESSAGES_MODEL, false))
  })

  test('is sent whole again after the vendor has lost it', async () => {
    const thread = client.beta.messages.thread({ model: MESSAGES_MODEL, max_tokens: 300 })
    await thread.send({ role: 'user', content: 'My name is Bob.' })
    const error = { type: 'not_found_error', message: 'Lost.', details: { error_code: 'thread_not_found' } }
    await api.vendor.breakDown(once('messages', 404, { type: 'error', error }))
    await thread.send({ role: 'user', content: 'What is my name?' })
    expect((await api.vendor.requests()).at(-1)?.body).toMatch(/Bob.*What is my name.*"create"/)
  })

  test.each(CONVERTED)('is refused by %s rather than forgotten', async (model) => {
    const thread = client.beta.messages.thread({ model, max_tokens: 300 })
    const sending = thread.send({ role: 'user', content: 'My name is Bob.' })
    await expect(sending).rejects.toThrow(APIError)
    await expect(sending).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      errorCode: 'thread_unsupported_request',
      details: { error_code: 'thread_unsupported_request', unsupported: ['model'] },
      message: expect.stringContaining('send the whole conversation in messages'),
    })
  })

  test.each(CONVERTED)('is not counted for %s', async (model) => {
    const { count } = textClientOf(api, api.tenant)
    const answer = await count(message('hello', { model, thread: CONTINUED }))
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { details: { error_code: 'thread_unsupported_request' } } },
    })
    expect((await count(message('hello', { model, thread: null }))).status).toBe(200)
  })

  test('reaches its own vendor unchanged', async () => {
    const { messages } = textClientOf(api, api.tenant)
    const { body } = await messages(message('hello', { thread: { type: 'create' } }))
    const thread = { type: 'continue', previous_message_id: body.id }
    expect((await messages(message('hello', { thread }))).status).toBe(200)
    const last = (await api.vendor.requests()).at(-1)
    expect(JSON.parse(String(last?.body))).toMatchObject({ thread })
  })
})

function once(operation: string, status: number, body: object) {
  return { part: 'text', operation, times: 1, fault: { kind: 'status', status, body } } as const
}

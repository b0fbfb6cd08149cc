import Anthropic from '@anthropic-ai/sdk'
import EarlierAnthropic from 'anthropic-sdk-0'
import OpenAI from 'openai'
import EarlierOpenAI from 'openai-6'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHAT_MODEL, MESSAGES_MODEL, RESPONSES_MODEL } from '../api/text/call-text.ts'
import { startTextApi, type TextApi } from '../api/text/start-text-api.ts'

describe('further calls of the official clients', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi()
  })
  afterAll(() => api.close())

  test.each([
    ['openai', OpenAI],
    ['the openai before it', EarlierOpenAI],
  ])('%s lists and finds models', async (_name, Client) => {
    const client = new Client({ apiKey: api.tenant.key, baseURL: `${api.url}/v1`, maxRetries: 0 })
    const ids: string[] = []
    for await (const model of client.models.list()) ids.push(model.id)
    expect(ids).toContain(CHAT_MODEL)
    expect(await client.models.retrieve(CHAT_MODEL)).toMatchObject({
      ...{ id: CHAT_MODEL, object: 'model', kind: 'text', context_tokens: 1_047_576 },
      prices: expect.arrayContaining([
        expect.objectContaining({ unit: 'output_token', usd_per_million: 1.6 }),
      ]),
    })
    await expect(client.models.retrieve('vendorC/nothing')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    })
  })

  test.each([
    ['anthropic', Anthropic],
    ['the anthropic before it', EarlierAnthropic],
  ])('%s lists and finds models, and counts', async (_name, Client) => {
    const client = new Client({ apiKey: api.tenant.key, authToken: null, baseURL: api.url, maxRetries: 0 })
    const ids: string[] = []
    for await (const model of client.models.list({ limit: 1000 })) ids.push(model.id)
    expect(ids).toContain(MESSAGES_MODEL)
    expect(await client.models.retrieve(MESSAGES_MODEL)).toMatchObject({
      ...{ id: MESSAGES_MODEL, type: 'model', kind: 'text', context_tokens: 200_000 },
    })
    for (const model of [MESSAGES_MODEL, CHAT_MODEL]) {
      const counted = await client.messages.countTokens({
        model,
        messages: [{ role: 'user', content: 'hello' }],
      })
      expect(counted.input_tokens).toBeGreaterThan(0)
    }
    await expect(
      client.messages.countTokens({ model: 'vendorD/nothing', messages: [{ role: 'user', content: 'x' }] }),
    ).rejects.toMatchObject({ status: 404, error: { error: { type: 'not_found_error' } } })
  })

  test('openai reads a background response on after a cut, cancels and deletes', async () => {
    const client = new OpenAI({ apiKey: api.tenant.key, baseURL: `${api.url}/v1`, maxRetries: 0 })
    for (const model of [CHAT_MODEL, RESPONSES_MODEL]) {
      const stream = await client.responses.create({
        ...{ model, input: '[pace 5] [words 40]', background: true, stream: true },
      })
      const reported: { type: string; sequence_number: number }[] = []
      let id = ''
      for await (const event of stream) {
        reported.push(event)
        if (event.type === 'response.created') id = event.response.id
        if (reported.length === 4) break
      }
      const last = reported.at(-1)?.sequence_number ?? -1
      const rest = await client.responses.retrieve(id, { stream: true, starting_after: last })
      for await (const event of rest) reported.push(event)
      expect(reported.map(({ sequence_number: number }) => number)).toEqual(reported.map((_, at) => at))
      expect(reported.at(-1)?.type).toBe('response.completed')
      const whole = await client.responses.retrieve(id)
      expect(whole).toMatchObject({ id, status: 'completed', background: true })
      expect(whole.output_text.length).toBeGreaterThan(40)
      const next = await client.responses.create({ model, input: 'go on', previous_response_id: id })
      expect(next).toMatchObject({ status: 'completed', previous_response_id: id })
      await client.responses.delete(id)
      await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })

      const long = { model, input: '[pace 40] [words 400]', background: true }
      const running = await client.responses.create(long)
      expect(await client.responses.cancel(running.id)).toMatchObject({ status: 'cancelled' })
    }
  })

  test('anthropic finds the id of its request, also of a refused request', async () => {
    const client = new Anthropic({ apiKey: api.tenant.key, authToken: null, baseURL: api.url, maxRetries: 0 })
    const ask = (model: string) =>
      client.messages.create({ model, max_tokens: 50, messages: [{ role: 'user', content: 'hello' }] })
    expect((await ask(MESSAGES_MODEL))._request_id).toMatch(/^req_/)
    await expect(ask('vendorD/nothing')).rejects.toMatchObject({ requestID: expect.stringMatching(/^req_/) })
  })
})

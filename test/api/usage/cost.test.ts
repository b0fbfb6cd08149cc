import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CHAT_MODEL,
  MESSAGES_MODEL,
  message,
  RESPONSES_MODEL,
  response,
  type TextClient,
  textClientOf,
} from '../text/call-text.ts'
import { startTextApi, type TextApi } from '../text/start-text-api.ts'

let api: TextApi
beforeAll(async () => {
  api = await startTextApi()
})
afterAll(() => api.close())

const usd = (micros: number) => (micros / 1_000_000).toFixed(6)

type Call = (
  client: TextClient,
  more: object,
  headers?: Record<string, string>,
) => ReturnType<TextClient['messages']>

/** Passthrough and conversion, at both endpoints. */
const CALLS: [string, Call, string][] = [
  [
    'POST /v1/messages, native',
    (client, more, headers) => client.messages(message('hi', { ...more, model: MESSAGES_MODEL }), headers),
    'event: message_stop',
  ],
  [
    'POST /v1/messages, converted',
    (client, more, headers) => client.messages(message('hi', { ...more, model: CHAT_MODEL }), headers),
    'event: message_stop',
  ],
  [
    'POST /v1/responses, native',
    (client, more, headers) => client.responses(response('hi', { ...more, model: RESPONSES_MODEL }), headers),
    'event: response.completed',
  ],
  [
    'POST /v1/responses, converted',
    (client, more, headers) => client.responses(response('hi', { ...more, model: CHAT_MODEL }), headers),
    'event: response.completed',
  ],
]

describe.each(CALLS)('%s', (_name, call, terminal) => {
  test('200: a whole reply says in x-sluice-cost-usd what its row costs in micros', async () => {
    const tenant = await api.openTenant()
    const answer = await call(textClientOf(api, tenant), {})
    expect(answer.status).toBe(200)
    const [row] = await api.usageOf(tenant, 1)
    expect(row?.cost_micros).toBeGreaterThan(0)
    expect(answer.headers.get('x-sluice-cost-usd')).toBe(usd(row?.cost_micros ?? 0))
  })

  test('200: a stream has its cost in a comment directly before its last event, only on request', async () => {
    const tenant = await api.openTenant()
    const client = textClientOf(api, tenant)
    const asked = await call(client, { stream: true }, { 'x-sluice-cost': 'true' })
    const [row] = await api.usageOf(tenant, 1)
    expect(asked.text).toContain(`\n\n: cost_usd=${usd(row?.cost_micros ?? 0)}\n\n${terminal}\n`)
    expect(asked.headers.get('x-sluice-cost-usd')).toBeNull()
    expect((await call(client, { stream: true }, { 'x-sluice-cost': 'false' })).text).not.toContain(
      'cost_usd',
    )
    expect((await call(client, { stream: true })).text).not.toContain('cost_usd')
  })

  test('400: x-sluice-cost is neither true nor false; no cost is shown', async () => {
    const answer = await call(textClientOf(api, api.tenant), {}, { 'x-sluice-cost': 'yes' })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('x-sluice-cost must be true or false')
    expect(answer.headers.get('x-sluice-cost-usd')).toBeNull()
  })

  test('401: an error has no cost', async () => {
    const answer = await call(textClientOf(api, { key: 'sk-wrong' }), {})
    expect(answer.status).toBe(401)
    expect(answer.headers.get('x-sluice-cost-usd')).toBeNull()
  })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'
import { WHOLE } from './vendor-message.ts'

const PROVIDERS = `
providers:
  acme: { driver: text, base_url: VENDOR, api_keys: [first, second], models: { m: messages } }
`
const CATALOG = `
models:
  - model_id: 900
    name: acme/m
    prices:
      - { unit: input_token, usd_per_million: 1 }
      - { unit: output_token, usd_per_million: 2 }
`
const MESSAGE = { model: 'acme/m', max_tokens: 32, messages: [{ role: 'user', content: 'hello' }] }

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
})
afterAll(() => gateway.close())

test('a reply is counted by model and provider: 3 tokens in, 5 out, 13 micros', async () => {
  gateway.answer = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(WHOLE)
  expect(await gateway.call('/v1/messages', MESSAGE)).toMatchObject({ status: 200 })
  const of = 'model="acme/m",provider="acme"'
  expect(await gateway.metric(`sluice_text_requests_total{${of},outcome="completed"}`)).toBe(1)
  expect(await gateway.metric(`sluice_text_tokens_total{${of},kind="input"}`)).toBe(3)
  expect(await gateway.metric(`sluice_text_tokens_total{${of},kind="output"}`)).toBe(5)
  expect(await gateway.metric(`sluice_text_cost_micros_total{${of}}`)).toBe(13)
  expect(await gateway.metric(`sluice_text_first_token_seconds_count{${of}}`)).toBe(1)
  expect(await gateway.metric('sluice_text_replies_running')).toBe(0)
  expect(await gateway.metric('sluice_text_streams_open')).toBe(0)
})

test('an error of a vendor is counted by its code, and a key that was limited rests', async () => {
  gateway.answer = (_request, response) =>
    void response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '60' }).end('{}')
  const { status } = await gateway.call('/v1/messages', MESSAGE)
  expect(status).toBe(429)
  const of = 'model="acme/m",provider="acme"'
  expect(await gateway.metric(`sluice_text_errors_total{${of},code="upstream_busy"}`)).toBe(1)
  expect(await gateway.metric(`sluice_text_requests_total{${of},outcome="refused"}`)).toBe(1)
  expect(
    await gateway.metric('sluice_http_errors_total{operation="createMessage",code="upstream_busy"}'),
  ).toBe(1)
  expect(await gateway.metric('sluice_provider_keys_resting{provider="acme"}')).toBe(2)
})

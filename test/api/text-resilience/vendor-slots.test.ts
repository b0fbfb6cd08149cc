import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openStream } from '../../system/faults/text-stream.ts'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const CONNECTIONS = 16
const PROVIDERS = `
providers:
  vendor: { driver: text, base_url: VENDOR, api_key: k, models: { native: messages } }
`
const CATALOG = `
models:
  - model_id: 30
    name: vendor/native
    endpoints: [messages]
    prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]
`
const ASK = { model: 'vendor/native', max_tokens: 100, messages: [{ role: 'user', content: 'Hello.' }] }

let gateway: TextGateway
let open: ServerResponse[]
beforeAll(async () => {
  gateway = await startTextGateway({
    providers: PROVIDERS,
    catalog: CATALOG,
    environment: { UPSTREAM_CONNECTIONS: String(CONNECTIONS), HANG_UP_LISTEN_MS: '600000' },
  })
})
afterAll(() => gateway.close())
beforeEach(() => {
  open = []
})

test('slow streams of two organizations leave a slot to each of three others', async () => {
  gateway.answer = (_, response) => {
    if (!gateway.received.includes('"stream":true')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(WHOLE)
      return
    }
    open.push(response)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(BEGINNING)
  }
  const keys = [gateway.key, await gateway.otherKey()]
  const streams = []
  for (const key of keys) {
    for (let opened = 0; opened < CONNECTIONS; opened += 1)
      streams.push(openStream(`${gateway.url}/v1/messages`, { key, body: { ...ASK, stream: true } }))
    await expect.poll(() => gateway.busy('vendor')).toBeGreaterThanOrEqual(key === gateway.key ? 12 : 13)
  }
  expect(await gateway.busy('vendor')).toBe(13)
  for (let other = 0; other < 3; other += 1) {
    const authorization = `Bearer ${await gateway.otherKey()}`
    expect(await gateway.call('/v1/messages', ASK, { authorization })).toMatchObject({ status: 200 })
  }
  for (const { hangUp } of streams) hangUp()
  await expect.poll(() => gateway.busy('vendor')).toBe(0)
  for (const response of open) response.destroy()
  await gateway.usage(16)
})

test('replies that one organization has left are read on in at most an eighth of the slots', async () => {
  gateway.answer = (_, response) => void open.push(response)
  const clients = Array.from({ length: 8 }, () =>
    openStream(`${gateway.url}/v1/messages`, { key: gateway.key, body: ASK }),
  )
  await expect.poll(() => open.length).toBe(8)
  for (const { hangUp } of clients) hangUp()
  await expect.poll(() => gateway.busy('vendor')).toBe(2)
  await gateway.usage(6)
  for (const response of open.filter(({ destroyed }) => !destroyed))
    response.writeHead(200, { 'content-type': 'application/json' }).end(WHOLE)
  const rows = await gateway.usage(2)
  expect(rows.map(({ outcome, cost_micros }) => ({ outcome, cost_micros }))).toEqual([
    { outcome: 'hung-up', cost_micros: 150 },
    { outcome: 'hung-up', cost_micros: 150 },
  ])
  await expect.poll(() => gateway.busy('vendor')).toBe(0)
})

const USAGE = { input_tokens: 5, output_tokens: 9 }
const WHOLE = JSON.stringify({
  ...{ id: 'msg_2', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', usage: USAGE },
  content: [{ type: 'text', text: 'Hello.' }],
})
const BEGINNING = [
  {
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: USAGE },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('')

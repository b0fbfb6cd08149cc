import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStream } from '../../system/faults/text-stream.ts'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

/** Number of connections, so small that one organization may have all of them. */
const CONNECTIONS = 3
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
/** More than the buffers between a vendor and its reader take. */
const WORDS = 'x'.repeat(64 * 1_024)
const EVENTS = 1_000

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({
    providers: PROVIDERS,
    catalog: CATALOG,
    environment: { UPSTREAM_CONNECTIONS: String(CONNECTIONS) },
  })
})
afterAll(() => gateway.close())

test('unread streams of one organization yield to the request of another', async () => {
  const sockets: Socket[] = []
  gateway.answer = (_, response) => {
    const isLong = gateway.received.includes('"stream":true')
    if (isLong) {
      if (response.socket !== null) sockets.push(response.socket)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(LONG_STREAM)
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(WHOLE))
  }
  const ask = { model: 'vendor/native', max_tokens: 100, messages: [{ role: 'user', content: 'Hello.' }] }
  const unread = Array.from({ length: CONNECTIONS }, () => {
    const stream = openStream(`${gateway.url}/v1/messages`, {
      key: gateway.key,
      body: { ...ask, stream: true },
    })
    stream.begun.then(stream.stall)
    return stream
  })
  await Promise.all(unread.map(({ begun }) => begun))
  let sentBytes = 0
  const isStill = () => {
    const beforeBytes = sentBytes
    sentBytes = sockets.reduce(
      (sum, { bytesWritten, writableLength }) => sum + bytesWritten - writableLength,
      0,
    )
    return sentBytes === beforeBytes
  }
  await expect.poll(isStill, { interval: 300 }).toBe(true)
  expect(await gateway.busy('vendor')).toBe(CONNECTIONS)

  const authorization = `Bearer ${await gateway.otherKey()}`
  expect(await gateway.call('/v1/messages', ask, { authorization })).toMatchObject({ status: 200 })
  const rows = await gateway.usage(2)
  expect(rows.map(({ outcome }) => outcome).toSorted()).toEqual(['completed', 'hung-up'])
  for (const { input_tokens, output_tokens, cost_micros } of rows)
    expect(cost_micros).toBe(3 * Number(input_tokens) + 15 * Number(output_tokens))
  expect(await gateway.busy('vendor')).toBe(CONNECTIONS - 1)
  for (const { hangUp } of unread) hangUp()
  await expect.poll(() => gateway.busy('vendor')).toBe(0)
})

const USAGE = { input_tokens: 5, output_tokens: 9 }
const WHOLE = {
  ...{ id: 'msg_2', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', usage: USAGE },
  content: [{ type: 'text', text: 'Hello.' }],
}

function longStream(): Buffer {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: USAGE }
  const delta = {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: WORDS },
  }
  const events = [
    frame({ type: 'message_start', message }),
    frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    frame(delta).repeat(EVENTS),
  ]
  return Buffer.from(events.join(''))
}

const LONG_STREAM = longStream()

function frame(event: { type: string; [member: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

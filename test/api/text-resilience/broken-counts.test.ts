import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const PROVIDERS = `
providers:
  vendor: { driver: text, base_url: VENDOR, api_key: k, models: { chat: chat } }
`
const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]'
const CATALOG = `
models:
  - { model_id: 30, name: vendor/chat, endpoints: [messages], ${PRICES} }
`
const USAGE = { prompt_tokens: 1000, completion_tokens: 500, prompt_tokens_details: { cached_tokens: 900 } }
const COUNTED = { input_tokens: 100, cached_input_tokens: 900, output_tokens: 500 }
/** 600 tokens by our own count, which is more than the vendor counts. */
const LONG = `${'x'.repeat(4 * 600 - 1)}!`

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
})
afterAll(() => gateway.close())

const BROKEN_CALL = { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x": 1,}' } }] }

test.each<[how: string, chunks: object[], end: (response: ServerResponse) => void]>([
  ['is cut', [counted({ content: 'one' }), counted({ content: ' two' })], (response) => response.destroy()],
  ['closes without its end', [counted({ content: LONG })], (response) => response.end()],
  ['ends with an error', [chunk({ content: 'one' }), counted({}, 'error')], endWell],
  ['ends with a broken call', [chunk({ content: 'one' }), counted(BROKEN_CALL, 'tool_calls')], endWell],
])('a stream that %s is paid for as its vendor counted', async (_how, chunks, end) => {
  // A stream that ends before its first event is answered with an API error.
  const received = Promise.withResolvers<void>()
  gateway.answer = async (_request, response) => {
    send(response, chunks.slice(0, 1))
    await received.promise
    send(response, chunks.slice(1))
    end(response)
  }
  await gateway.hear('/v1/messages', REQUEST, 'text_delta', received.resolve)
  expect(await gateway.usage(1)).toMatchObject([{ ...COUNTED, outcome: 'failed', cost_micros: 10_500 }])
})

test('a vendor that counts only in the beginning is paid for what passed', async () => {
  gateway.answer = (_request, response) => {
    const usage = { prompt_tokens: 1000, completion_tokens: 1 }
    send(response, [{ ...chunk({ content: 'x' }), usage }, chunk({ content: LONG }, 'stop')])
    endWell(response)
  }
  await gateway.call('/v1/messages', REQUEST)
  expect(await gateway.usage(1)).toMatchObject([
    { output_tokens: 601, outcome: 'completed', cost_micros: 12_015 },
  ])
})

test.each<[what: string, chunks: object[], output: number, costMicros: number]>([
  ['for what its vendor counted', [counted({ content: LONG })], 500, 10_500],
  ['for what passed since, too', [counted({ content: 'one' }), chunk({ content: LONG })], 601, 12_015],
])('a stream whose client hangs up is paid %s', async (_what, chunks, output, costMicros) => {
  gateway.answer = (_request, response) => send(response, chunks)
  await gateway.hangUp('/v1/messages', REQUEST, 'x!')
  expect(await gateway.usage(1)).toMatchObject([
    { ...COUNTED, output_tokens: output, outcome: 'hung-up', cost_micros: costMicros },
  ])
})

const REQUEST = {
  model: 'vendor/chat',
  max_tokens: 1000,
  stream: true,
  messages: [{ role: 'user', content: 'Say hello.' }],
}

function send(response: ServerResponse, chunks: readonly object[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const each of chunks) response.write(`data: ${JSON.stringify(each)}\n\n`)
}

function endWell(response: ServerResponse): void {
  response.end('data: [DONE]\n\n')
}

function chunk(delta: object, finish: string | null = null): object {
  return { id: 'chatcmpl-1', choices: [{ index: 0, delta, finish_reason: finish }] }
}

function counted(delta: object, finish: string | null = null): object {
  return { ...chunk(delta, finish), usage: USAGE }
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const PROVIDERS = `
providers:
  short: { driver: text, base_url: 'http://127.0.0.1:1', api_key: k, models: { m: responses, served: responses, mixed: responses } }
  long: { driver: text, base_url: VENDOR, api_key: k, models: { m: responses } }
  old: { driver: text, base_url: VENDOR, api_key: k, chat: { output_bound: max_tokens }, models: { m: chat } }
`
const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 150 }]'
const CATALOG = `
models:
  - { model_id: 60, name: short/m, max_output_tokens: 1000, fallbacks: [long/m], ${PRICES} }
  - { model_id: 61, name: short/served, max_output_tokens: 1000, fallbacks: [long/m], fallback_price: served, ${PRICES} }
  - { model_id: 62, name: short/mixed, route: [{ model: short/m, weight: 1 }, { model: long/m, weight: 0 }], ${PRICES} }
  - { model_id: 63, name: long/m, max_output_tokens: 100000, ${PRICES} }
  - { model_id: 64, name: old/m, max_output_tokens: 100000, ${PRICES} }
`
const COST_MICROS = 15_000_030
const CREDIT_MICROS = 10_000_000

const RESPONSE = {
  ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed' },
  output: [
    {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
      content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
    },
  ],
  usage: {
    ...{ input_tokens: 10, output_tokens: 100_000, total_tokens: 100_010 },
    ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  },
}
/** A reply is charged for no more tokens than it has bytes. */
const LONG = 'x '.repeat(50_000)
const COMPLETION = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: LONG }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 100_000, total_tokens: 100_010 },
}

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
  gateway.answer = ({ url }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(url?.endsWith('completions') ? COMPLETION : RESPONSE))
  }
})
afterAll(() => gateway.close())

/** Sends a request eight times at once, and expects that only one of them exceeds the credit. */
async function expectOneBeyond(path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${await gateway.otherKey()}` }
  const answers = await Promise.all(Array.from({ length: 8 }, () => gateway.call(path, body, headers)))
  const rows = await gateway.usage(answers.filter(({ status }) => status === 200).length)
  const costs = rows.reduce((sum, row) => sum + Number(row.cost_micros), 0)
  expect(costs).toBeGreaterThan(CREDIT_MICROS)
  expect(costs).toBeLessThanOrEqual(CREDIT_MICROS + COST_MICROS)
}

test.each(['short/m', 'short/served', 'short/mixed'])(
  'when other models serve %s with longer replies, one request may cost more than is left',
  (model) => expectOneBeyond('/v1/responses', { model, input: 'Hi' }),
)

test('a bound that the vendor does not know does not bound what is set aside', () =>
  expectOneBeyond('/v1/chat/completions', {
    ...{ model: 'old/m', max_completion_tokens: 16 },
    messages: [{ role: 'user', content: 'Hi' }],
  }))

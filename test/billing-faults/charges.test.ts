import { DIALECT_NAMES, DIALECTS, type Dialect } from '@sluice/dialects/dialect-facts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { micros } from '../../src/domain/billing/micros.ts'
import { startTextGateway, type TextGateway } from '../api/text-resilience/start-text-gateway.ts'
import { type BillingCase, PRICES } from './billing-case.ts'
import { BILLING_CASES } from './billing-cases.ts'
import { formsOf, replyOf, TEXT } from './vendor-replies.ts'

const PROVIDERS = `providers:
  vendor:
    driver: text
    base_url: VENDOR
    api_key: k
    models:
      messages: messages
      chat: { dialect: chat, reasons: false }
      responses: responses
      small: { dialect: messages, upstream: small-1 }
`
const SMALL = [
  { unit: 'input_token', usd_per_million: 1 },
  { unit: 'output_token', usd_per_million: 5 },
]
const ROW = `endpoints: [${DIALECT_NAMES.join(', ')}], context_tokens: 1000000`
const CATALOG = `models:
${DIALECT_NAMES.map((name, at) => `  - { model_id: ${900 + at}, name: vendor/${name}, ${ROW}, prices: ${JSON.stringify(PRICES)} }`).join('\n')}
  - { model_id: 910, name: vendor/small, ${ROW}, prices: ${JSON.stringify(SMALL)} }
`

let gateway: TextGateway
beforeAll(async () => {
  // The vendors of these tests report no usage after the client has left, so waiting for it is no use.
  const environment = { HANG_UP_LISTEN_MS: '0' }
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG, environment })
  const { organizationId } = gateway
  await gateway.operator.addCredit({ organizationId, amountMicros: micros(1_000_000_000), note: null })
})
afterAll(() => gateway.close())

const CELLS = Object.entries(BILLING_CASES).map(
  ([theme, cases]) => [theme, cases.map((each) => [each.name, each] as const)] as const,
)

describe.each(CELLS)('%s', (_theme, cases) => {
  test.each(cases)('%s', async (_name, billingCase) => {
    gateway.answer = (_request, response) => {
      const isStream = JSON.parse(gateway.received).stream === true
      const type = isStream ? 'text/event-stream' : 'application/json'
      response.writeHead(200, { 'content-type': type })
      response.write(replyOf(billingCase, isStream ? 'stream' : 'whole'))
      if (billingCase.end !== 'the client hangs up') response.end()
    }
    const cells = DIALECT_NAMES.flatMap((client) => formsOf(billingCase).map((form) => ({ client, form })))
    const ids = await Promise.all(cells.map((cell) => ask(billingCase, cell)))
    const rows = await gateway.usage(cells.length)
    const costs = new Map(rows.map((row) => [row.request_id, row.cost_micros]))
    const charged = cells.map(({ client, form }, at) => `${client} client, ${form}: ${costs.get(ids[at])}`)
    expect(charged).toEqual(
      cells.map(({ client, form }) => `${client} client, ${form}: ${chargeOf(billingCase, client)}`),
    )
  })
})

function chargeOf({ charge }: BillingCase, client: Dialect): number {
  return typeof charge === 'number' ? charge : charge[client]
}

const ASKED: Record<Dialect, (prompt: string) => object> = {
  messages: (content) => ({ max_tokens: 10_000, messages: [{ role: 'user', content }] }),
  chat: (content) => ({ messages: [{ role: 'user', content }] }),
  responses: (input) => ({ input }),
}

/** Sends one request and reads its answer, to the end unless the client hangs up. Returns the request id. */
async function ask(
  { vendor, asks, end, promptBytes = 0 }: BillingCase,
  { client, form }: { client: Dialect; form: 'whole' | 'stream' },
): Promise<string | null> {
  const asked = ASKED[client]('Say hello.'.padEnd(promptBytes, ' And again.'))
  const body = { model: `vendor/${vendor}`, stream: form === 'stream', ...asked }
  const answer = await fetch(`${gateway.url}${DIALECTS[client].path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify(client === vendor ? { ...body, ...asks } : body),
  })
  expect(answer.status, await (answer.ok ? '' : answer.text())).toBe(200)
  let text = ''
  for await (const piece of answer.body ?? []) {
    text += Buffer.from(piece).toString()
    if (end === 'the client hangs up' && text.includes(TEXT)) break
  }
  return answer.headers.get('x-request-id')
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'
import { says } from './vendor-summary.ts'

const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]'
/** 100 tokens in and 20 out, at those prices. */
const COST_MICROS = 600

/** Each has a spare target and a fallback, which an unusable summary must not reach. */
const SUMMING = ['chat', 'messages', 'own']

let gateway: TextGateway
beforeAll(async () => {
  const rows = [...SUMMING, 'spare'].map(
    (name, at) =>
      `  - { model_id: ${100 + at}, name: v/${name}, max_output_tokens: 64000, endpoints: [responses], ${PRICES} }\n`,
  )
  const pools = SUMMING.map(
    (name, at) =>
      `  - { model_id: ${200 + at}, name: pool/${name}, endpoints: [responses], route: [v/${name}, { model: v/spare, weight: 0 }], route_by: latency, fallbacks: [v/spare], ${PRICES} }\n`,
  )
  const native = `  - { model_id: 300, name: v/native, endpoints: [responses], ${PRICES} }\n`
  gateway = await startTextGateway({
    providers: `providers:
  v:
    driver: text
    base_url: VENDOR
    api_key: k
    models:
      chat: chat
      messages: messages
      own: { dialect: responses, compacts: false }
      spare: chat
      native: responses
`,
    catalog: `models:\n${rows.join('')}${pools.join('')}${native}`,
  })
})
afterAll(() => gateway.close())

async function compact(model: string, more: object = {}, headers?: Record<string, string>) {
  const input = [{ role: 'user', content: 'Answer with blanks only.' }]
  const answer = await gateway.call('/v1/responses/compact', { model, input, ...more }, headers)
  return { ...answer, body: JSON.parse(answer.body) }
}

const refusedWith = (words: string) => ({
  status: 400,
  body: {
    error: {
      type: 'invalid_request_error',
      code: 'summary_not_usable',
      message: expect.stringMatching(`${words}.*The reply is charged`),
    },
  },
})

const CHARGED = { outcome: 'failed', input_tokens: 100, output_tokens: 20, cost_micros: COST_MICROS }

describe.each(SUMMING)('%s', (name) => {
  test.each<[what: string, answer: TextGateway['answer'], words: string]>([
    ['the limit of output tokens is reached', says('Ada chose', 'limit'), 'before its summary'],
    ['the limit is reached before any words', says('', 'limit'), 'before its summary'],
    ['the reply has no words', says(''), 'without a summary'],
    ['the reply has only blanks', says(' \n '), 'without a summary'],
    ['the summary is too long once it is encrypted', says('long '.repeat(100_000)), 'too long'],
  ])('400, charged 600 micros, one vendor call: %s', async (_what, answer, words) => {
    gateway.answer = answer
    const before = gateway.asked
    const counted = () =>
      gateway.metric(`sluice_text_errors_total{model="v/${name}",provider="v",code="summary_not_usable"}`)
    const errors = await counted()
    expect(await compact(`pool/${name}`)).toMatchObject(refusedWith(words))
    expect(gateway.asked).toBe(before + 1)
    expect(await counted()).toBe(errors + 1)
    expect(await gateway.usage(1)).toMatchObject([{ ...CHARGED, model: `v/${name}` }])
  })

  test('the bound of the request does not cut the summary, and is named as lost', async () => {
    gateway.answer = says('Ada chose slate.')
    const { status, headers } = await compact(`v/${name}`, { max_output_tokens: 1 })
    expect({ status, losses: headers.get('x-sluice-losses') }).toEqual({ status: 200, losses: 'max_tokens' })
    expect(JSON.parse(gateway.received)).not.toHaveProperty('max_output_tokens')
    expect(gateway.received).not.toMatch(/"max(?:_completion)?_tokens":1[,}]/)
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'completed', cost_micros: COST_MICROS }])
  })

  test('a heavy body is charged the same', async () => {
    gateway.answer = says('', 'limit')
    const before = gateway.asked
    const input = [{ role: 'user', content: 'The door is long. '.repeat(20_000) }]
    expect(await compact(`pool/${name}`, { input, max_output_tokens: 1 })).toMatchObject(
      refusedWith('before its summary'),
    )
    expect(gateway.asked).toBe(before + 1)
    expect(await gateway.usage(1)).toMatchObject([CHARGED])
  })

  test('a vendor that fails costs 0 micros, and the next one serves for 600', async () => {
    gateway.answer = (request, response) => {
      if (JSON.parse(gateway.received).model === name) response.writeHead(500).end()
      else says('Ada chose slate.')(request, response)
    }
    expect(await compact(`pool/${name}`)).toMatchObject({ status: 200 })
    expect(await gateway.usage(1)).toMatchObject([
      { model: 'v/spare', outcome: 'completed', cost_micros: COST_MICROS },
    ])
  })
})

test('503: if every vendor fails, more than one is asked, and 0 micros are charged', async () => {
  gateway.answer = (_request, response) => response.writeHead(500).end()
  const before = gateway.asked
  expect(await compact('pool/chat')).toMatchObject({ status: 503 })
  expect(gateway.asked).toBeGreaterThan(before + 1)
  expect(await gateway.usage(1)).toMatchObject([{ outcome: 'failed', cost_micros: 0 }])
})

test('an unusable summary of the next vendor is reported to the client, and charged once', async () => {
  gateway.answer = (request, response) => {
    if (request.url === '/v1/messages') response.writeHead(500).end()
    else says(' ')(request, response)
  }
  expect(await compact('pool/messages')).toMatchObject(refusedWith('without a summary'))
  expect(await gateway.usage(1)).toMatchObject([{ ...CHARGED, model: 'v/spare' }])
})

test('the same Idempotency-Key is charged 600 micros once', async () => {
  gateway.answer = says(' ')
  const key = { 'idempotency-key': 'unusable' }
  expect(await compact('v/chat', {}, key)).toMatchObject(refusedWith('without a summary'))
  expect(await gateway.usage(1)).toMatchObject([CHARGED])
  const before = gateway.asked
  expect(await compact('v/chat', {}, key)).toMatchObject({
    status: 409,
    body: { error: { code: 'idempotency_reply_gone' } },
  })
  expect(gateway.asked).toBe(before)
})

test.each([404, 405, 501])('503: a vendor that answers %i to a compaction', async (status) => {
  gateway.answer = (_request, response) => response.writeHead(status).end()
  expect(await compact('v/native')).toMatchObject({
    status: 503,
    body: { error: { message: expect.stringContaining('`compacts: false`') } },
  })
  expect(await gateway.usage(1)).toMatchObject([{ outcome: 'failed', cost_micros: 0 }])
})

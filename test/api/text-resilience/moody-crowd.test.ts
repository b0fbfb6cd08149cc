import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'
import { BEGINNING, END, WHOLE } from './vendor-message.ts'

const CLIENTS = 40
const REQUESTS_EACH = 15

/** The vendor refuses one of the keys of vendorD, so calls fail there too. */
const PROVIDERS = `
providers:
  moody: { driver: text, base_url: VENDOR, api_keys: [one, two, { key: three, weight: 3 }], models: { m: messages } }
  vendorC: { driver: text, base_url: SANDBOX, api_key: good, models: { model-4.1: chat } }
  vendorD: { driver: text, base_url: SANDBOX, api_keys: [bad-key, good], models: { text-large: messages } }
`
const CATALOG = `
models:
  - model_id: 30
    name: moody/m
    fallbacks: [vendorD/text-large, vendorC/model-4.1]
    prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]
`

const fails: RequestListener[] = [
  (_, response) => response.writeHead(500).end(),
  (_, response) => response.writeHead(401).end(),
  (_, response) => response.writeHead(429, { 'retry-after': '1' }).end(),
  ({ socket }) => socket.destroy(),
]
const answersWhole: RequestListener = (_, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(WHOLE)
const breaksWhole: RequestListener = (_, response) =>
  response.writeHead(200, { 'content-length': 999 }).write('{', () => response.destroy())
const stream =
  (...pieces: string[]): RequestListener =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieces[0], () => (pieces[1] === undefined ? response.destroy() : response.end(pieces[1])))
  }

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
})
afterAll(() => gateway.close())

test.each<[string, { stream: boolean; answers: RequestListener; breaks: RequestListener }]>([
  ['whole replies', { stream: false, answers: answersWhole, breaks: breaksWhole }],
  ['streams', { stream: true, answers: stream(BEGINNING, END), breaks: stream(BEGINNING) }],
])('%s: each request gets one answer and one row, however its vendors fail', async (_name, crowd) => {
  const random = seededRandom(seedOfRun())
  // Most answers are good, so that the breaker does not refuse the other calls.
  const pickMood = () => (random.next() < 0.7 ? crowd.answers : random.pick([crowd.breaks, ...fails]))
  gateway.answer = (...call) => pickMood()(...call)
  const body = {
    model: 'moody/m',
    max_tokens: 100,
    stream: crowd.stream,
    messages: [{ role: 'user', content: 'Say hello.' }],
  }
  const verdicts: string[] = []
  const ask = async () => {
    const answer = await gateway.call('/v1/messages', body)
    verdicts.push(verdictOf(answer.status, answer.body, crowd))
  }
  const crowdOfClients = Array.from({ length: CLIENTS }, async () => {
    for (let at = 0; at < REQUESTS_EACH; at++) await ask()
  })
  await Promise.all(crowdOfClients)
  // Rows are written in the order of their replies, so this last row comes after all others.
  await ask()
  const rows = await gateway.usage(CLIENTS * REQUESTS_EACH + 1)
  expect(countsOf(rows.map(({ outcome }) => String(outcome)))).toEqual(countsOf(verdicts))
  expect(countsOf(verdicts).get('completed')).toBeGreaterThan(CLIENTS)
  for (const { model, cost_micros } of rows)
    expect([model, cost_micros]).toEqual([model, COSTS[String(model)]])
})

/** Cost of a reply of each model in micro-USD; a stream that breaks off after its usage costs the same. */
const COSTS: Record<string, number> = { 'moody/m': 84, 'vendorD/text-large': 84, 'vendorC/model-4.1': 46 }

/** End of the request for its client, in the terms of the usage rows. */
function verdictOf(status: number, body: string, { stream }: { stream: boolean }): string {
  if (status !== 200) return `status ${status}`
  if (!stream) return JSON.parse(body).model === 'moody/m' ? 'completed' : 'of another model'
  const ends = body.match(/^event: (message_stop|error)$/gm) ?? []
  if (ends.length !== 1 || body.match(/^event: message_start$/gm)?.length !== 1) return `odd stream: ${body}`
  return ends[0] === 'event: error' ? 'failed' : 'completed'
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

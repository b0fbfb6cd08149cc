import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from '../../text-resilience/start-text-gateway.ts'
import { countClosedRequests } from '../closed-requests.ts'

const PROVIDERS = `
providers:
  own: { driver: text, base_url: VENDOR, api_key: own, models: { embed: chat, cheap: chat } }
`
const CATALOG = `
models:
  - { model_id: 60, name: own/embed, endpoints: [embeddings], prices: [{ unit: input_token, usd_per_million: 20 }] }
  - { model_id: 61, name: own/cheap, endpoints: [embeddings], prices: [{ unit: input_token, usd_per_million: 1 }] }
`
const PATH = '/v1/embeddings'
/** Cost of a request of 5,000 tokens. */
const COST_MICROS = 100_000
/** Cost on `own/cheap`, whose price lets the credit cover a body of 1 MiB. */
const CHEAP_MICROS = 5_000
const KEPT_BYTES_MAX = 1024 * 1024

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
})
afterAll(() => gateway.close())

const body = (input = 'a tap') => ({ model: 'own/embed', input })
const ask = (key: string, sent: object = body(), headers: Record<string, string> = {}) =>
  gateway.call(PATH, sent, { 'idempotency-key': key, ...headers })
/** A text that is sent as it is, and can be given up. */
const post = (key: string, text: string, signal?: AbortSignal) =>
  fetch(`${gateway.url}${PATH}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: text,
    signal: signal ?? null,
  })

/** Each reply of the vendor differs, so an equal one is a repeat of the first. */
const vectors = ({ tokens = 5_000, padding = '' } = {}) =>
  JSON.stringify({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [gateway.asked, -1e-7] }],
    model: 'embed',
    usage: { prompt_tokens: tokens, total_tokens: tokens },
    padding,
  })
const answering = (more?: { tokens?: number; padding?: string }): TextGateway['answer'] => {
  return (_, response) => response.end(vectors(more))
}

/** The vendor says that it was asked, and answers when the gate is open. */
function answerLater() {
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  gateway.answer = async (_, response) => {
    asked.resolve()
    await gate.promise
    response.end(vectors())
  }
  return { asked, gate }
}

/** Rows are written in the order of the replies: once the row of a further request exists, all earlier rows exist. */
async function costsSoFar(rows: number): Promise<unknown[]> {
  gateway.answer = answering({ tokens: 1 })
  await gateway.call(PATH, body('last'))
  const costs = (await gateway.usage(rows + 1)).map(({ cost_micros }) => cost_micros)
  expect(costs.pop()).toBe(20)
  return costs
}

describe('createEmbeddings with an Idempotency-Key', () => {
  test('createEmbeddings 200: the same key and body get the same bytes, and 100,000 micros are charged once', async () => {
    gateway.answer = answering()
    const before = gateway.asked
    const first = await ask('once')
    const again = await ask('once')
    expect(first.status).toBe(200)
    expect(again).toMatchObject({ status: 200, body: first.body })
    for (const name of ['content-type', 'x-sluice-served-by', 'x-sluice-cost-usd'])
      expect(again.headers.get(name)).toBe(first.headers.get(name))
    expect(first.headers.get('x-sluice-cost-usd')).toBe('0.100000')
    expect(gateway.asked).toBe(before + 1)
    expect(await costsSoFar(1)).toEqual([COST_MICROS])
  })

  test('createEmbeddings 200: a body with stream, which embeddings do not have, is replayed too, charged once', async () => {
    gateway.answer = answering()
    const first = await ask('stream', { ...body(), stream: true })
    expect(first.status).toBe(200)
    expect(await ask('stream', { ...body(), stream: true })).toMatchObject({ status: 200, body: first.body })
    expect(await costsSoFar(1)).toEqual([COST_MICROS])
  })

  test('createEmbeddings 409 while the first request runs; 200 with its reply after its end, charged once', async () => {
    const { asked, gate } = answerLater()
    const first = ask('slow')
    await asked.promise
    const refused = await ask('slow')
    expect({ status: refused.status, ...JSON.parse(refused.body) }).toMatchObject({
      status: 409,
      error: { type: 'invalid_request_error', code: 'idempotency_key_in_use' },
    })
    gate.resolve()
    const reply = await first
    expect(reply.status).toBe(200)
    expect(await ask('slow')).toMatchObject({ status: 200, body: reply.body })
    expect(await costsSoFar(1)).toEqual([COST_MICROS])
  })

  test('createEmbeddings 409: a reply over 1 MiB is not kept, and not charged again', async () => {
    gateway.answer = answering({ padding: 'x'.repeat(KEPT_BYTES_MAX) })
    expect((await ask('large')).status).toBe(200)
    expect(await costsSoFar(1)).toEqual([COST_MICROS])
    const before = gateway.asked
    const gone = await ask('large')
    expect({ status: gone.status, ...JSON.parse(gone.body) }).toMatchObject({
      status: 409,
      error: { code: 'idempotency_reply_gone' },
    })
    expect(gateway.asked).toBe(before)
  })

  test('createEmbeddings 422: another body, and the vendor is not asked', async () => {
    gateway.answer = answering()
    expect((await ask('mine')).status).toBe(200)
    const before = gateway.asked
    const refused = await ask('mine', body('a sluice'))
    expect({ status: refused.status, ...JSON.parse(refused.body) }).toMatchObject({
      status: 422,
      error: { type: 'invalid_request_error', code: 'idempotency_key_reused' },
    })
    expect(gateway.asked).toBe(before)
    expect(await costsSoFar(1)).toEqual([COST_MICROS])
  })

  test('createEmbeddings 422 for a body of 1 MiB with another last byte; 200 with the first reply for an equal body; 50,000 micros are charged once', async () => {
    gateway.answer = answering()
    const json = JSON.stringify({ model: 'own/cheap', input: 'x'.repeat(1024 * 1024) })
    const before = gateway.asked
    const first = await post('long', `${json} `)
    const reply = await first.text()
    expect(first.status).toBe(200)
    const refused = await post('long', `${json}\n`)
    expect({ status: refused.status, ...Object(await refused.json()) }).toMatchObject({
      status: 422,
      error: { code: 'idempotency_key_reused' },
    })
    const again = await post('long', `${json} `)
    expect({ status: again.status, text: await again.text() }).toEqual({ status: 200, text: reply })
    expect(gateway.asked).toBe(before + 1)
    expect(await costsSoFar(1)).toEqual([CHEAP_MICROS])
  })

  test('createEmbeddings 200: the reply to a client that hung up is kept for its next request, and 100,000 micros are charged once', async () => {
    const { asked, gate } = answerLater()
    const closedBefore = await countClosedRequests(gateway)
    const before = gateway.asked
    const leaving = new AbortController()
    const left = post('left', JSON.stringify(body()), leaving.signal)
    await asked.promise
    leaving.abort()
    await expect(left).rejects.toThrow()
    await expect.poll(() => countClosedRequests(gateway)).toBe(closedBefore + 1)
    expect((await ask('left')).status).toBe(409)
    gate.resolve()
    await expect.poll(async () => (await ask('left')).status).toBe(200)
    expect(JSON.parse((await ask('left')).body).data[0].embedding[0]).toBe(before + 1)
    expect(gateway.asked).toBe(before + 1)
    expect(await costsSoFar(1)).toEqual([COST_MICROS])
  })

  test('createEmbeddings 200: the same key of another organization is another request, and each pays 100,000 micros', async () => {
    gateway.answer = answering()
    const authorization = `Bearer ${await gateway.otherKey()}`
    const own = await ask('shared')
    const others = await ask('shared', body('a sluice'), { authorization })
    const same = await ask('shared', body(), { authorization: `Bearer ${await gateway.otherKey()}` })
    expect([own.status, others.status, same.status]).toEqual([200, 200, 200])
    expect(new Set([own.body, others.body, same.body]).size).toBe(3)
    const rows = await gateway.usage(3)
    expect(rows.map(({ cost_micros }) => cost_micros)).toEqual([COST_MICROS, COST_MICROS, COST_MICROS])
    expect(new Set(rows.map(({ organization_id }) => organization_id)).size).toBe(3)
  })

  test('createEmbeddings 503: a failure of the vendor frees the key, and only the reply is charged', async () => {
    gateway.answer = (_, response) => response.writeHead(500).end()
    expect((await ask('again')).status).toBe(503)
    gateway.answer = answering()
    expect((await ask('again')).status).toBe(200)
    expect(await costsSoFar(2)).toEqual([0, COST_MICROS])
  })

  test.each([
    ['empty', ''],
    ['longer than 255 characters', 'x'.repeat(256)],
  ])('createEmbeddings 400: a key that is %s', async (_, key) => {
    const refused = await ask(key)
    expect({ status: refused.status, ...JSON.parse(refused.body) }).toMatchObject({
      status: 400,
      error: { param: 'Idempotency-Key' },
    })
  })
})

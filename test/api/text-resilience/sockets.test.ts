import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import { headersFor, openSocket, refusedUpgrade, type SocketClient } from '../text/socket-client.ts'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'
import { BEGINNING, END } from './vendor-message.ts'

const PROVIDERS = `providers:
  own: { driver: text, base_url: VENDOR, api_key: k, models: { m: messages, n: messages, r: responses } }`
const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]'
const CATALOG = `
models:
  - { model_id: 30, name: own/m, endpoints: [messages, responses], max_output_tokens: 1000, ${PRICES} }
  - { model_id: 31, name: own/n, endpoints: [messages, responses], max_output_tokens: 1000, ${PRICES} }
  - { model_id: 32, name: own/r, endpoints: [responses], max_output_tokens: 1000, ${PRICES} }
`
const ASKED = { model: 'own/m', input: 'Say hello.' }
const NATIVE_BEGINNING = [
  {
    type: 'response.created',
    response: { id: 'resp_1', object: 'response', status: 'in_progress', output: [] },
  },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { id: 'msg_1', type: 'message', content: [] },
  },
  {
    ...{ type: 'response.content_part.added', item_id: 'msg_1', output_index: 0, content_index: 0 },
    part: { type: 'output_text', text: '' },
  },
  {
    ...{ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0 },
    delta: 'Hello, hello.',
  },
]
  .map((event, at) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`)
  .join('')

let gateway: TextGateway
const open: SocketClient[] = []
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
})
afterEach(() => {
  for (const { ws } of open.splice(0)) ws.terminate()
})
afterAll(() => gateway.close())

async function connect(key = gateway.key): Promise<SocketClient> {
  const client = await openSocket(gateway, { key })
  open.push(client)
  return client
}

/** A tenant whose key the gateway has not seen yet. */
async function openTenant(terms: { allowedModels?: string[] } = {}) {
  const { operator } = gateway
  const wish = { name: 'socket', billing: 'postpaid', requestsPerMinute: null } as const
  const { organization } = await operator.createOrganization(wish)
  const organizationId = organization.id
  const { id: userId } = await operator.createUser({ organizationId, name: '' })
  const made = await operator.createKey({
    organizationId,
    userId,
    name: '',
    requestsPerMinute: null,
    ...terms,
  })
  return { organizationId, key: made.key, keyId: made.apiKey.id }
}

describe('createResponse over a WebSocket', () => {
  test.each([
    // The first vendor has counted; for the second one the gateway counts.
    ['a converted model', 'own/m', BEGINNING, 3 * 3 + 5 * 15],
    ['a native model', 'own/r', NATIVE_BEGINNING, 87],
  ])(
    '499: %s, a hang-up stops the vendor, and the output so far is charged once',
    async (_what, model, said, costMicros) => {
      const { operator, organizationId } = gateway
      const balance = async () => (await operator.showOrganization(organizationId)).balanceMicros
      const before = await balance()
      const stopped = Promise.withResolvers<void>()
      gateway.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(said)
        response.on('close', stopped.resolve)
      }
      const client = await connect()
      client.send({ ...ASKED, model })
      for (let type: unknown; type !== 'response.output_text.delta'; ) ({ type } = await client.next())
      client.ws.terminate()
      await stopped.promise
      const [row] = await gateway.usage(1)
      expect(row).toMatchObject({ model, outcome: 'hung-up' })
      const cost = Number(row?.input_tokens) * 3 + Number(row?.output_tokens) * 15
      expect(Number(row?.cost_micros)).toBe(cost)
      expect(cost).toBe(costMicros)
      expect(Number(row?.output_tokens)).toBeGreaterThan(0)
      await expect.poll(async () => before - (await balance())).toBe(cost)
    },
  )

  test('a client that stops reading pauses the vendor, and gets all events once it reads again', async () => {
    const deltas = 500
    const words = JSON.stringify('x'.repeat(64 * 1_024))
    const delta = NATIVE_BEGINNING.slice(NATIVE_BEGINNING.lastIndexOf('event: '))
    const response = { id: 'resp_1', object: 'response', status: 'completed', output: [] }
    const usage = { input_tokens: 7, output_tokens: 11, total_tokens: 18 }
    const end = `event: response.completed\ndata: ${JSON.stringify({ type: 'response.completed', response: { ...response, usage } })}\n\n`
    const long = delta.replace('"Hello, hello."', words).repeat(deltas)
    let vendorSocket: Socket | null = null
    gateway.answer = (_request, answer) => {
      vendorSocket = answer.socket
      answer.writeHead(200, { 'content-type': 'text/event-stream' }).end(NATIVE_BEGINNING + long + end)
    }
    const client = await connect()
    client.send({ ...ASKED, model: 'own/r' })
    for (let type: unknown; type !== 'response.output_text.delta'; ) ({ type } = await client.next())
    client.ws.pause()
    let unsentBytes = Number.NaN
    const isStill = () => {
      const beforeBytes = unsentBytes
      unsentBytes = vendorSocket?.writableLength ?? 0
      return unsentBytes === beforeBytes
    }
    await expect.poll(isStill, { interval: 200 }).toBe(true)
    // A gateway that does not pause would have taken every byte.
    expect(unsentBytes).toBeGreaterThan(0)
    client.ws.resume()
    let received = 0
    for (let type: unknown; type !== 'response.completed'; received += 1) ({ type } = await client.next())
    expect(received).toBe(deltas + 1)
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'completed', cost_micros: 7 * 3 + 11 * 15 }])
  })

  test('403: after the organization is disabled, the running reply ends and the next one is refused', async () => {
    const tenant = await openTenant()
    gateway.answer = (_request, response) => response.write(BEGINNING)
    const client = await connect(tenant.key)
    client.send(ASKED)
    for (let type: unknown; type !== 'response.output_text.delta'; ) ({ type } = await client.next())
    await gateway.operator.disableOrganization(tenant.organizationId)
    const reported = []
    do reported.push(await client.next())
    while (reported.at(-1)?.type !== 'response.failed')
    expect(reported).toMatchObject([
      { type: 'error', error: { code: 'organization_disabled' } },
      { type: 'response.failed', response: { status: 'failed' } },
    ])
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'failed', cost_micros: 84 }])
    const refusal = async () => (await client.turn(ASKED)).at(-1)
    gateway.answer = (_request, response) => response.end(BEGINNING + END)
    await expect
      .poll(refusal)
      .toMatchObject({ type: 'error', status: 403, error: { code: 'organization_disabled' } })
    expect(await refusedUpgrade(gateway, headersFor(tenant.key))).toMatchObject({ status: 403 })
  })

  test('403: a model that the key may not use, also of a warm-up', async () => {
    const { key } = await openTenant({ allowedModels: ['own/m'] })
    const client = await connect(key)
    for (const more of [{}, { generate: false }])
      expect(await client.turn({ ...ASKED, model: 'own/n', ...more })).toMatchObject([
        { type: 'error', status: 403, error: { code: 'model_not_allowed' } },
      ])
  })

  test.each([
    ['was revoked', (id: string) => gateway.operator.revokeKey(id)],
    ['has expired', (id: string) => gateway.operator.rotateKey({ id, overlapMs: 0 })],
  ])('401: a key that %s while the connection is open', async (_what, end) => {
    const { key, keyId } = await openTenant()
    const client = await connect(key)
    const warm = { ...ASKED, generate: false }
    expect(await client.turn(warm)).toMatchObject([{}, { type: 'response.completed' }])
    await end(keyId)
    await expect
      .poll(async () => (await client.turn(warm)).at(-1))
      .toMatchObject({ type: 'error', status: 401, error: { code: 'invalid_api_key' } })
  })

  test('429: beyond the monthly budget', async () => {
    const tenant = await openTenant()
    await gateway.operator.setBudget({
      ...{ id: tenant.organizationId, monthlyBudgetMicros: micros(1), warnPercent: null },
    })
    const client = await connect(tenant.key)
    expect(await client.turn(ASKED)).toMatchObject([
      { type: 'error', status: 429, error: { code: 'budget_exceeded' } },
    ])
  })
})

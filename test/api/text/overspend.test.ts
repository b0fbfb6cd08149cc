import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fc, runs } from '../../random/properties.ts'
import type { Tenant } from '../video/tenants.ts'
import { message, response, textClientOf } from './call-text.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

/** Catalog values of both models, and the maximum cost of a request for each. */
const CONTEXT_TOKENS = 200_000
const LONGEST_REPLY = { messages: 64_000, responses: 100_000 }
const DEAREST_MICROS = CONTEXT_TOKENS * 1.25 + LONGEST_REPLY.messages * 5
const DEAREST_RESPONSE_MICROS = CONTEXT_TOKENS * 1.1 + LONGEST_REPLY.responses * 4.4

let vendor: Server
let api: TextApi
beforeAll(async () => {
  vendor = createServer(async (request, reply) => {
    const body = await text(request)
    reply.writeHead(200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(request.url?.endsWith('messages') ? billMessage(body) : billResponse(body)))
  }).listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  const { port } = vendor.address() as AddressInfo
  const at = `driver: text, base_url: 'http://127.0.0.1:${port}', api_key: k`
  api = await startTextApi({
    providers: `providers:
  vendorD: { ${at}, models: { text-small: { dialect: messages } } }
  vendorC: { ${at}, models: { model-o4-mini: { dialect: responses } } }`,
  })
})
afterAll(async () => {
  await api.close()
  vendor.close()
})

/** Maximum usage: every byte a token, every reference as long as the context, the longest reply. */
function readTokens(body: string): number {
  const isOpen = /"url"|file_id|previous_response_id|web_search|application\/pdf/.test(body)
  return isOpen ? CONTEXT_TOKENS : Math.min(CONTEXT_TOKENS, Buffer.byteLength(body))
}

function billMessage(body: string): object {
  const { max_tokens: asked = LONGEST_REPLY.messages } = JSON.parse(body)
  return {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'text-small' },
    ...{ content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn', stop_sequence: null },
    usage: { input_tokens: 0, cache_creation_input_tokens: readTokens(body), output_tokens: asked },
  }
}

function billResponse(body: string): object {
  const { max_output_tokens: asked = LONGEST_REPLY.responses } = JSON.parse(body)
  const content = [{ type: 'output_text', text: 'Hi', annotations: [] }]
  return {
    ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'model-o4-mini', status: 'completed' },
    output: [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }],
    usage: {
      ...{ input_tokens: readTokens(body), output_tokens: asked, total_tokens: 0 },
      ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
    },
  }
}

const WORDS = 'No image at all, whatever it says of itself. '.repeat(2_000)
const PICTURE = `data:image/png;base64,${WORDS}`
const PDF = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK'.repeat(400) }
const messagesOf = (content: unknown, max_tokens: number) => ({ ...message(content), max_tokens })

/** Requests that once reserved almost nothing, and ordinary ones. */
const REQUESTS = {
  small: messagesOf('hello', 16),
  long: messagesOf('hello', LONGEST_REPLY.messages),
  'text as an image': messagesOf([{ type: 'text', text: PICTURE }], 16),
  'a document at an address': messagesOf(
    [{ type: 'document', source: { type: 'url', url: 'https://a.example/b.pdf' } }],
    16,
  ),
  'a small PDF': messagesOf([{ type: 'document', source: PDF }], 16),
  'a bound of the other endpoint': response('hello', { max_tokens: 0 }),
  'no bound': response('hello'),
  'an image at an address': response(
    [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://a.example/b.png' }] }],
    { max_output_tokens: 16, metadata: { url: 'x' } },
  ),
  'a tool of the vendor': response('hello', { tools: [{ type: 'web_search' }], max_output_tokens: 16 }),
} satisfies Record<string, object>
type Kind = keyof typeof REQUESTS

function isResponse(body: object): boolean {
  return 'input' in body
}

/** Sends all requests concurrently; returns their statuses. */
async function sendAll(tenant: Tenant, kinds: readonly Kind[]): Promise<number[]> {
  const client = textClientOf(api, tenant)
  const answers = await Promise.all(
    kinds.map((kind) => {
      const body = REQUESTS[kind]
      return isResponse(body) ? client.responses(body) : client.messages(body)
    }),
  )
  return answers.map(({ status }) => status)
}

async function spentBy(tenant: Tenant, statuses: readonly number[]): Promise<number> {
  const rows = await api.usageOf(tenant, statuses.filter((status) => status === 200).length)
  return rows.reduce((sum, row) => sum + row.cost_micros, 0)
}

/** Returns the highest cost of one of the requests, which bounds the excess. */
function dearestOf(kinds: readonly Kind[]): number {
  return Math.max(
    ...kinds.map((kind) => (isResponse(REQUESTS[kind]) ? DEAREST_RESPONSE_MICROS : DEAREST_MICROS)),
  )
}

const KINDS = Object.keys(REQUESTS) as Kind[]
const mixture = fc.array(fc.constantFrom(...KINDS), { minLength: 10, maxLength: 40 })
const amount = fc.integer({ min: 2_000, max: 2_000_000 })

test('a vendor that bills all it can takes a small balance beyond zero by at most one request', async () => {
  await fc.assert(
    fc.asyncProperty(amount, mixture, async (creditMicros, kinds) => {
      const tenant = await api.openTenant({ creditMicros })
      const statuses = await sendAll(tenant, kinds)
      expect(statuses.filter((status) => ![200, 402, 429].includes(status))).toEqual([])
      expect(await spentBy(tenant, statuses)).toBeLessThanOrEqual(creditMicros + dearestOf(kinds))
    }),
    runs(15),
  )
  await api.expectSound()
}, 120_000)

test('a vendor that bills all it can exceeds a small daily limit by at most one request', async () => {
  await fc.assert(
    fc.asyncProperty(amount, mixture, async (limitMicros, kinds) => {
      const tenant = await api.openTenant({ dailyUsd: (limitMicros / 1_000_000).toFixed(6) })
      const statuses = await sendAll(tenant, kinds)
      expect(statuses.filter((status) => ![200, 429].includes(status))).toEqual([])
      expect(await spentBy(tenant, statuses)).toBeLessThanOrEqual(limitMicros + dearestOf(kinds))
    }),
    runs(15),
  )
}, 120_000)

test('40 concurrent requests that bound the wrong field, on a balance of one dollar', async () => {
  const tenant = await api.openTenant({ creditMicros: 1_000_000 })
  const kinds = Array.from({ length: 40 }, (): Kind => 'a bound of the other endpoint')
  const statuses = await sendAll(tenant, kinds)
  const cost = 100_000 * 4.4 + Math.round(JSON.stringify(REQUESTS['no bound']).length * 1.1)
  expect(await spentBy(tenant, statuses)).toBeLessThan(1_000_000 + cost * 1.01)
  expect(new Set(statuses)).toEqual(new Set([200, 402]))
  await expect.poll(() => api.moneyOf(tenant)).toMatchObject({ balance: 0 })
})

test('with a large balance all are served', async () => {
  const tenant = await api.openTenant()
  const statuses = await sendAll(tenant, [...KINDS, ...KINDS, ...KINDS])
  expect(new Set(statuses)).toEqual(new Set([200]))
  await spentBy(tenant, statuses)
})

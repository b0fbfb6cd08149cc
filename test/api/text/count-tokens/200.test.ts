import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Fault } from '../../../../sandbox/faults/fault.ts'
import type { Tenant } from '../../video/tenants.ts'
import {
  CHAT_MODEL,
  MESSAGES_MODEL,
  message,
  RESPONSES_MODEL,
  type TextClient,
  textClientOf,
} from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

/** A count needs no bound for a reply. */
const WITHOUT_BOUND = { max_tokens: undefined }
const TEXT = 'How many tokens are in this sentence, which is neither short nor long? '.repeat(20)

describe('POST /v1/messages/count_tokens', () => {
  let api: TextApi
  let tenant: Tenant
  let client: TextClient
  beforeAll(async () => {
    api = await startTextApi()
    tenant = await api.openTenant({ creditMicros: 0 })
    client = textClientOf(api, tenant)
  })
  afterAll(() => api.close())

  const countOf = async (body: object, headers: Record<string, string | undefined> = {}) => {
    const answer = await client.count(body, headers)
    expect(answer).toMatchObject({ status: 200, body: { input_tokens: expect.any(Number) } })
    expect(Object.keys(answer.body)).toEqual(['input_tokens'])
    return Number(answer.body.input_tokens)
  }

  test("is the vendor's count, which equals the input of its reply", async () => {
    const counted = await countOf(message(TEXT, WITHOUT_BOUND))
    const [request] = (await api.vendor.requests()).slice(-1)
    expect(request).toMatchObject({ operation: 'count-tokens', status: 200 })
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ model: 'text-small' })
    const { body } = await textClientOf(api, api.tenant).messages(message(TEXT))
    expect(counted).toBe(Object(body.usage).input_tokens)
  })

  test('forwards the bytes, the version and the flags', async () => {
    const body = `{"1":12345678901234567890, "model":"${MESSAGES_MODEL}","messages":[{"role":"user","content":"x"}] }`
    const headers = {
      'compat-version': undefined,
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'one',
    }
    expect(await client.count(body, headers)).toMatchObject({ status: 200 })
    const [request] = (await api.vendor.requests()).slice(-1)
    expect(request?.body).toBe(body.replace(MESSAGES_MODEL, 'text-small'))
    expect(request?.headers).toMatchObject({ 'compat-version': '2026-10-21', 'anthropic-beta': 'one' })
  })

  test.each([CHAT_MODEL, RESPONSES_MODEL])(
    '%s: no vendor is asked, and the count is close',
    async (model) => {
      const before = (await api.vendor.requests()).length
      const counted = await countOf(message(TEXT, { ...WITHOUT_BOUND, model }))
      expect((await api.vendor.requests()).length).toBe(before)
      expect(counted).toBeGreaterThan(200)
      expect(counted).toBeLessThan(500)
    },
  )

  test('tools, images and results count', async () => {
    const plain = { ...WITHOUT_BOUND, model: CHAT_MODEL }
    const base = await countOf(message('x', plain))
    const tools = [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }]
    expect(await countOf(message('x', { ...plain, tools }))).toBeGreaterThan(base)
    const source = { type: 'base64', media_type: 'image/png', data: Buffer.alloc(64).toString('base64') }
    expect(await countOf(message([{ type: 'image', source }], plain))).toBeGreaterThan(base + 100)
    const call = { type: 'tool_use', id: 't', name: 'look', input: {} }
    const result = { type: 'tool_result', tool_use_id: 't', content: 'word '.repeat(100) }
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result] },
    ]
    expect(await countOf(message('x', { ...plain, tools, messages }))).toBeGreaterThan(base + 90)
  })

  test.each<Fault>([
    { kind: 'status', status: 429 },
    { kind: 'status', status: 401 },
    { kind: 'status', status: 404 },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 529 },
    { kind: 'garbage' },
    { kind: 'lose-answer' },
  ])('a vendor in trouble is not needed: $kind $status', async (fault) => {
    await api.vendor.breakDown({ operation: 'count-tokens', times: 2, fault })
    onTestFinished(() => api.vendor.clearFaults())
    const counted = await countOf(message(TEXT, WITHOUT_BOUND))
    expect(counted).toBeGreaterThan(200)
    expect(counted).toBeLessThan(500)
  })

  test('is free: it needs no credit, holds nothing and leaves no row', async () => {
    await countOf(message('x', WITHOUT_BOUND))
    expect(await api.moneyOf(tenant)).toEqual({ balance: 0, held: 0 })
    expect(await api.usageOf(tenant, 0)).toEqual([])
  })
})

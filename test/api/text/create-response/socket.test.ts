import type { JsonObject } from '@sluice/dialects/json/json-object'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Tenant } from '../../video/tenants.ts'
import { CHAT_MODEL, RESPONSES_MODEL } from '../call-text.ts'
import { openSocket, type SocketClient } from '../socket-client.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

const typesOf = (events: readonly JsonObject[]) => events.map(({ type }) => type)
const lastResponse = (events: readonly JsonObject[]): JsonObject => Object(events.at(-1)?.response)
const textOf = (events: readonly JsonObject[]) =>
  events.map(({ type, delta }) => (type === 'response.output_text.delta' ? delta : '')).join('')

describe('createResponse over a WebSocket', () => {
  let api: TextApi
  const open: SocketClient[] = []
  beforeAll(async () => {
    api = await startTextApi()
  })
  afterEach(() => {
    for (const { ws } of open.splice(0)) ws.terminate()
  })
  afterAll(() => api.close())

  async function connect(tenant: Tenant = api.tenant, headers = {}): Promise<SocketClient> {
    const client = await openSocket(api, tenant, headers)
    open.push(client)
    return client
  }

  describe.each([
    [RESPONSES_MODEL, 20],
    [CHAT_MODEL, 7],
  ])('%s', (model, costMicros) => {
    test('101, 200: one event for each frame, numbered from 0 for each response, at the price of the POST', async () => {
      const tenant = await api.openTenant()
      const client = await connect(tenant)
      for (const stream of [undefined, true, false]) {
        const events = await client.turn({ model, input: 'hello', stream })
        expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at))
        expect(typesOf(events)).toEqual(expect.arrayContaining(['response.created', 'response.completed']))
        expect(textOf(events)).toContain('hello')
        expect(lastResponse(events)).toMatchObject({ model, status: 'completed' })
      }
      const rows = await api.usageOf(tenant, 3)
      expect(rows.map((row) => row.cost_micros)).toEqual([costMicros, costMicros, costMicros])
      await api.expectSound()
    })

    test('200: goes on from the reply before it, which is stored nowhere, and pays for the whole input', async () => {
      const tenant = await api.openTenant()
      const client = await connect(tenant)
      const first = await client.turn({ model, input: 'I am Ada.', store: false })
      const { id } = lastResponse(first)
      const second = await client.turn({ model, input: 'Who am I?', previous_response_id: id, store: false })
      expect(lastResponse(second)).toMatchObject({
        status: 'completed',
        previous_response_id: id,
        store: false,
      })
      const asked = JSON.stringify((await api.vendor.requests()).at(-1)?.body)
      expect(asked).toMatch(/I am Ada.*You said.*Who am I/)
      expect(asked).not.toContain('previous_response_id')
      const rows = await api.usageOf(tenant, 2)
      expect(Number(rows[1]?.input_tokens)).toBeGreaterThan(Number(rows[0]?.input_tokens))
    })

    test('200: a warm-up is free and has no output, and the next request goes on from it', async () => {
      const tenant = await api.openTenant()
      const client = await connect(tenant)
      const warm = await client.turn({ model, input: 'I am Ada.', generate: false })
      expect(typesOf(warm)).toEqual(['response.created', 'response.completed'])
      expect(lastResponse(warm)).toMatchObject({
        ...{ id: expect.stringMatching(/^resp_/), model, status: 'completed', output: [], store: false },
        usage: { total_tokens: 0 },
      })
      const { id } = lastResponse(warm)
      const next = await client.turn({ model, input: 'Go on.', previous_response_id: id })
      expect(lastResponse(next)).toMatchObject({ status: 'completed', previous_response_id: id })
      expect(JSON.stringify((await api.vendor.requests()).at(-1)?.body)).toMatch(/I am Ada.*Go on/)
      expect(await api.usageOf(tenant, 1)).toMatchObject([{ model, outcome: 'completed' }])
    })

    test('429: a second request during a response is refused, and the first response completes', async () => {
      const client = await connect()
      client.send({ model, input: '[words 5] [pace 30]' })
      expect(await client.next()).toMatchObject({ type: 'response.created' })
      client.send({ model, input: 'hello' })
      const events: JsonObject[] = []
      do events.push(await client.next())
      while (events.at(-1)?.type !== 'response.completed')
      expect(events.filter(({ type }) => type === 'error')).toMatchObject([
        { status: 429, error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', param: null } },
      ])
      expect(lastResponse(await client.turn({ model, input: 'hello' }))).toMatchObject({
        status: 'completed',
      })
    })

    test.each([
      [400, 'a field that is refused', { truncation: 'auto' }, { param: 'truncation' }],
      [
        400,
        'an unknown response to go on from',
        { previous_response_id: 'resp_no' },
        { param: 'previous_response_id', code: 'previous_response_not_found' },
      ],
      [400, 'a stream_id', { stream_id: 'a' }, { param: 'stream_id' }],
      [400, 'a word in the place of a switch', { generate: 'no' }, { param: 'generate' }],
      [400, 'another event', { type: 'response.cancel' }, { param: 'type' }],
      [400, 'no type', { type: null }, { param: 'type' }],
      [404, 'an unknown model', { model: 'vendorC/none' }, { param: 'model' }],
      [404, 'a warm-up of an unknown model', { model: 'vendorC/none', generate: false }, { param: 'model' }],
      [429, 'a vendor that is busy', { input: '[busy 7]' }, { code: 'upstream_busy' }],
      [503, 'a vendor that fails', { input: '[fail]' }, { code: 'provider_unavailable' }],
    ])('%i: %s', async (status, _what, more, error) => {
      const client = await connect()
      const events = await client.turn({ model, input: 'hello', ...more })
      expect(events).toEqual([
        {
          ...{ type: 'error', status },
          error: {
            message: expect.any(String),
            type: expect.any(String),
            param: null,
            ...codeOf(error),
            ...error,
          },
        },
      ])
      expect(lastResponse(await client.turn({ model, input: 'hello' }))).toMatchObject({
        status: 'completed',
      })
    })

    test('402: without money for it', async () => {
      const client = await connect(await api.openTenant({ creditMicros: 1 }))
      expect(await client.turn({ model, input: 'hello' })).toMatchObject([
        { type: 'error', status: 402, error: { code: 'insufficient_balance' } },
      ])
    })

    test('429: beyond the rate of the key; the upgrade counts as a request', async () => {
      const client = await connect(await api.openTenant({ requestsPerMinute: 2 }))
      expect(lastResponse(await client.turn({ model, input: 'hello' }))).toMatchObject({
        status: 'completed',
      })
      expect(await client.turn({ model, input: 'hello' })).toMatchObject([
        { type: 'error', status: 429, error: { code: 'rate_limit_exceeded' } },
      ])
    })

    test('200: a large event is read on another thread', async () => {
      const client = await connect()
      const events = await client.turn({ model, input: `[words 3] ${'a '.repeat(200_000)}` })
      expect(lastResponse(events)).toMatchObject({ status: 'completed' })
    })

    test('200: a failure in the middle is reported in events, and the connection stays open', async () => {
      const client = await connect()
      const events = await client.turn({ model, input: '[words 5] [fail 8] [pace 10]' })
      expect(typesOf(events).slice(-2)).toEqual(['error', 'response.failed'])
      expect(lastResponse(await client.turn({ model, input: 'hello' }))).toMatchObject({
        status: 'completed',
      })
    })
  })

  test.each(['{', '[]', '"a"', 'null', '', '{"type":"response.create","type":"response.create"}'])(
    '400: %j is no event',
    async (text) => {
      const client = await connect()
      client.send(text)
      expect(await client.next()).toMatchObject({ type: 'error', status: 400 })
    },
  )

  test('200: the request reaches a native vendor byte for byte, without the event around it', async () => {
    const client = await connect(undefined, { 'openai-beta': 'responses_websockets=2026-02-06, a=b' })
    const request = `"model":"${RESPONSES_MODEL}","input":"hello","metadata":{"2":"b","1":"a"},"temperature":1.0}`
    client.send(`{"type":"response.create",${request}`)
    do expect((await client.next()).type).not.toBe('error')
    while ((await api.vendor.requests()).at(-1)?.body === undefined)
    const asked = (await api.vendor.requests()).at(-1)
    expect(asked?.headers).toMatchObject({ 'openai-beta': 'a=b' })
    expect(String(asked?.body)).toContain('"metadata":{"2":"b","1":"a"},"temperature":1.0}')
    expect(String(asked?.body)).not.toContain('response.create')
    expect(String(asked?.body)).toContain('"stream":true')
  })
})

function codeOf({ param }: { param?: string; code?: string }): { code?: unknown } {
  return param === undefined ? {} : { code: expect.any(String) }
}

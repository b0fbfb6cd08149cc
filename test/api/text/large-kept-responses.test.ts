import type { JsonObject } from '@sluice/dialects/json/json-object'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHAT_MODEL, RESPONSES_MODEL, response, type TextClient, textClientOf } from './call-text.ts'
import { openSocket } from './socket-client.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

/** 900 KB of text: the events have 1.6 MB of deltas, and then the whole text four times. */
const LARGE = '[long 900]'
const CREDIT = 1_000_000_000

describe.each([RESPONSES_MODEL, CHAT_MODEL])(
  'kept responses of more than 2 MiB of events, of %s',
  (model) => {
    let api: TextApi
    let client: TextClient
    beforeAll(async () => {
      api = await startTextApi()
      client = textClientOf(api, api.tenant)
    })
    afterAll(() => api.close())

    async function get(path: string, { key } = api.tenant): Promise<string> {
      const headers = { authorization: `Bearer ${key}` }
      return (await fetch(`${api.url}/v1/responses/${path}`, { headers })).text()
    }
    const eventsIn = (text: string): JsonObject[] =>
      [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(String(data)))
    const numbersOf = (events: readonly JsonObject[]) => events.map(({ sequence_number: number }) => number)
    const idOf = (events: readonly JsonObject[]) => String(Object(events[0]?.response).id)
    const countTo = (length: number, from = 0) => Array.from({ length }, (_, at) => from + at)

    test('createResponse 200: the client of a stream gets every event once and in order, and pays for all', async () => {
      const tenant = await api.openTenant({ creditMicros: CREDIT })
      const made = await textClientOf(api, tenant).responses(
        response(LARGE, { model, store: true, stream: true }),
      )
      const reported = eventsIn(made.text)
      expect(numbersOf(reported)).toEqual(countTo(reported.length))
      expect(reported.at(-1)).toMatchObject({ type: 'response.completed' })
      const [row] = await api.usageOf(tenant, 1)
      expect(row).toMatchObject({ outcome: 'completed', cost_micros: COST_MICROS[model] })
      expect(await api.moneyOf(tenant)).toMatchObject({ balance: CREDIT - Number(COST_MICROS[model]) })
    })

    test('getResponse 200: the response is kept whole, and its events up to 2 MiB, followed by an error', async () => {
      const made = await client.responses(response(LARGE, { model, store: true, stream: true }))
      const reported = eventsIn(made.text)
      const id = idOf(reported)
      expect(JSON.parse(await get(id))).toEqual(Object(reported.at(-1)).response)
      for (const after of [-1, 0, 1_000]) {
        const query = after === -1 ? '' : `&starting_after=${after}`
        const read = eventsIn(await get(`${id}?stream=true${query}`))
        expect(numbersOf(read)).toEqual(countTo(read.length, after + 1))
        expect(read.slice(0, -2)).toEqual(reported.slice(after + 1, after + read.length - 1))
        expect(read.length).toBeGreaterThan(1_000)
        const error = { code: 'server_error', message: expect.stringContaining('2 MiB') }
        expect(read.slice(-2)).toMatchObject([{ type: 'error', ...error }, { type: 'response.failed' }])
      }
      const more = response('[words 2]', { model, previous_response_id: id })
      expect((await client.responses(more)).status).toBe(200)
    })

    test('createResponse 200: over a WebSocket the events are in order too', async () => {
      const socket = await openSocket(api, api.tenant)
      const reported = await socket.turn(response(LARGE, { model, store: true }))
      socket.ws.terminate()
      expect(numbersOf(reported)).toEqual(countTo(reported.length))
      expect(reported.at(-1)).toMatchObject({ type: 'response.completed' })
    })

    test('createResponse 200: a background response ends with an error after the last event that is kept', async () => {
      const more = { model, background: true, stream: true }
      const made = await client.responses(response('[pace 0] [long 3000]', more))
      const reported = eventsIn(made.text)
      expect(numbersOf(reported)).toEqual(countTo(reported.length))
      expect(reported.at(-1)).toMatchObject({
        type: 'response.failed',
        response: { status: 'failed', error: { message: expect.stringContaining('2 MiB') } },
      })
      expect(reported.filter(({ type }) => type === 'error' || type === 'response.failed')).toHaveLength(2)
      expect(eventsIn(await get(`${idOf(reported)}?stream=true`))).toEqual(reported)
      expect(JSON.parse(await get(idOf(reported)))).toMatchObject({ status: 'failed' })
    })

    test('createResponse 200: a background reply that reasoned and was cut is charged for its output so far', async () => {
      const tenant = await api.openTenant({ creditMicros: CREDIT })
      const more = { model, background: true, stream: true }
      await textClientOf(api, tenant).responses(response('[reason] [pace 0] [long 3000]', more))
      const [row] = await api.usageOf(tenant, 1)
      const cost = Number(row?.cost_micros)
      expect(row).toMatchObject({ outcome: 'hung-up' })
      // More than 900,000 bytes have passed when 2 MiB of events are kept; all would be 3,000,000.
      expect(cost).toBeGreaterThan(Number(COST_MICROS[model]))
      expect(cost).toBeLessThan(2 * Number(COST_MICROS[model]))
      expect(await api.moneyOf(tenant)).toMatchObject({ balance: CREDIT - cost })
    })

    test('getResponse 200: a whole reply that is too large to be kept is read as failed, with the reason', async () => {
      const made = await client.responses(response('[long 3000]', { model, store: true }))
      expect(made).toMatchObject({ status: 200, body: { status: 'completed' } })
      expect(JSON.parse(await get(String(made.body.id)))).toMatchObject({
        ...{ id: made.body.id, object: 'response', store: true, output: [] },
        ...{ status: 'failed', error: { code: 'server_error', message: expect.stringContaining('2 MiB') } },
      })
    })
  },
)

/** 900,000 bytes of output at the price of each model. */
const COST_MICROS: Readonly<Record<string, number>> = { [RESPONSES_MODEL]: 1_013_763, [CHAT_MODEL]: 368_641 }

import type { JsonObject } from '@sluice/dialects/json/json-object'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tenant } from '../video/tenants.ts'
import {
  CHAT_MODEL,
  expectResponsesError,
  RESPONSES_MODEL,
  response,
  type TextAnswer,
  type TextClient,
  textClientOf,
} from './call-text.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

const MODELS = [RESPONSES_MODEL, CHAT_MODEL]

describe('responses that are kept', () => {
  let api: TextApi
  let other: Tenant
  let client: TextClient
  beforeAll(async () => {
    api = await startTextApi()
    other = await api.openTenant()
    client = textClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  async function ask(
    method: string,
    path: string,
    { key }: Pick<Tenant, 'key'> = api.tenant,
  ): Promise<TextAnswer> {
    const answer = await fetch(`${api.url}/v1/responses/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : {} }
  }
  const get = (path: unknown, tenant?: Tenant) => ask('GET', String(path), tenant)

  async function whenEnded(id: unknown, tenant?: Tenant): Promise<JsonObject> {
    for (;;) {
      const { body } = await get(id, tenant)
      if (body.status !== 'queued' && body.status !== 'in_progress') return body
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const eventsIn = (text: string): JsonObject[] =>
    [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(String(data)))
  const textOf = (reply: JsonObject) => JSON.stringify(reply.output)

  describe.each(MODELS)('of %s', (model) => {
    test('createResponse 200, getResponse 200: a whole reply with store is read again as it was', async () => {
      const made = await client.responses(response('[words 5]', { model, store: true }))
      expect(made).toMatchObject({
        status: 200,
        body: { status: 'completed', store: true, background: false },
      })
      const read = await get(made.body.id)
      expect(read).toMatchObject({ status: 200, body: made.body })
    })

    test('createResponse 200 and 400, getResponse 404: without store nothing is kept, and the error explains it', async () => {
      for (const more of [{}, { store: false }]) {
        const made = await client.responses(response('[words 5]', { model, ...more }))
        expectResponsesError(await get(made.body.id), { status: 404, code: 'not_found' })
        const next = await client.responses(response('more', { model, previous_response_id: made.body.id }))
        const problem = { code: 'previous_response_not_found', param: 'previous_response_id' }
        expectResponsesError(next, { status: 400, ...problem, message: /store: true.*whole conversation/ })
      }
    })

    test('getResponse 200: the events of a stream, all of them and those after a number', async () => {
      const made = await client.responses(response('[words 5]', { model, store: true, stream: true }))
      const reported = eventsIn(made.text)
      const id = Object(reported[0]?.response).id
      expect(eventsIn((await get(`${id}?stream=true`)).text)).toEqual(reported)
      const rest = await get(`${id}?stream=true&starting_after=3`)
      expect(eventsIn(rest.text)).toEqual(reported.slice(4))
      expect(eventsIn((await get(`${id}?stream=true&starting_after=999`)).text)).toEqual([])
      expect((await get(id)).body).toEqual(Object(reported.at(-1)).response)
    })

    test('createResponse 200: background is queued, goes on without its client and costs once', async () => {
      const tenant = await api.openTenant({ creditMicros: 1_000_000_000 })
      const made = await textClientOf(api, tenant).responses(
        response('[words 5]', { model, background: true }),
      )
      expect(made).toMatchObject({
        status: 200,
        body: { status: 'queued', background: true, store: true, output: [], output_text: '' },
      })
      const ended = await whenEnded(made.body.id, tenant)
      expect(ended).toMatchObject({ id: made.body.id, status: 'completed', background: true, store: true })
      expect(textOf(ended)).toContain('output_text')
      const rows = await api.usageOf(tenant, 1)
      expect(rows).toMatchObject([{ outcome: 'completed' }])
      expect(await api.moneyOf(tenant)).toMatchObject({
        balance: 1_000_000_000 - Number(rows[0]?.cost_micros),
      })
    })

    test('createResponse 200: a background stream has the events of the kept reply', async () => {
      const more = { model, background: true, stream: true }
      const made = await client.responses(response('[words 5]', more))
      const reported = eventsIn(made.text)
      expect(reported.map(({ sequence_number: number }) => number)).toEqual(reported.map((_, at) => at))
      expect(reported.at(-1)).toMatchObject({ type: 'response.completed', response: { background: true } })
      const id = Object(reported[0]?.response).id
      expect(Object(reported.at(-1)).response.id).toBe(id)
      expect(eventsIn((await get(`${id}?stream=true`)).text)).toEqual(reported)
    })

    test('createResponse 200: a vendor that refuses makes a background response fail, free of charge', async () => {
      const tenant = await api.openTenant({ creditMicros: 1_000_000_000 })
      const made = await textClientOf(api, tenant).responses(response('[fail]', { model, background: true }))
      expect(made).toMatchObject({ status: 200, body: { status: 'queued' } })
      const ended = await whenEnded(made.body.id, tenant)
      const nothing = { output: [], output_text: '' }
      expect(ended).toMatchObject({ status: 'failed', error: { message: expect.any(String) }, ...nothing })
      const events = eventsIn((await get(`${made.body.id}?stream=true`, tenant)).text)
      expect(events.map(({ type }) => type)).toEqual(['error', 'response.failed'])
      expect(await api.moneyOf(tenant)).toMatchObject({ balance: 1_000_000_000 })
    })

    test('cancelResponse 200: ends a background response, and charges its output so far', async () => {
      const tenant = await api.openTenant({ creditMicros: 1_000_000_000 })
      const made = await textClientOf(api, tenant).responses(
        response('[pace 40] [words 400]', { model, background: true }),
      )
      const cancelled = await ask('POST', `${made.body.id}/cancel`, tenant)
      expect(cancelled).toMatchObject({ status: 200, body: { id: made.body.id, status: 'cancelled' } })
      expect((await get(made.body.id, tenant)).body).toMatchObject({ status: 'cancelled', output_text: '' })
      expect((await ask('POST', `${made.body.id}/cancel`, tenant)).body).toMatchObject({
        status: 'cancelled',
      })
      const events = eventsIn((await get(`${made.body.id}?stream=true`, tenant)).text)
      expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'cancelled' } })
      const [row] = await api.usageOf(tenant, 1)
      expect(row).toMatchObject({ outcome: 'hung-up' })
      expect(await api.moneyOf(tenant)).toMatchObject({ balance: 1_000_000_000 - Number(row?.cost_micros) })
    })

    test('createResponse 200: previous_response_id brings the whole conversation', async () => {
      const first = await client.responses(response('The first words', { model, store: true }))
      const more = { model, store: true, previous_response_id: first.body.id }
      const second = await client.responses(response('The second words', more))
      expect(second).toMatchObject({ status: 200, body: { previous_response_id: first.body.id } })
      const third = await client.responses(
        response([{ role: 'user', content: 'The third words' }], {
          model: MODELS.find((one) => one !== model),
          previous_response_id: second.body.id,
        }),
      )
      expect(third.status).toBe(200)
      const asked = (await api.vendor.requests()).at(-1)
      const sent = JSON.stringify(asked)
      for (const words of ['The first words', 'The second words', 'The third words'])
        expect(sent).toContain(words)
      expect(sent).not.toContain('previous_response_id')
    })
  })

  test('createResponse 200: a conversation that has grown large goes on, converted and native', async () => {
    const words = 'word '.repeat(30_000)
    for (const model of MODELS) {
      const first = await client.responses(response(words, { model, store: true }))
      const second = await client.responses(
        response(words, { model, store: true, previous_response_id: first.body.id }),
      )
      expect(second.status).toBe(200)
      const third = await client.responses(response('end', { model, previous_response_id: second.body.id }))
      expect(third.status).toBe(200)
    }
  })

  test('createResponse 200: a heavy body runs in the background', async () => {
    const input = `[words 3] ${'x'.repeat(400_000)}`
    for (const model of MODELS) {
      const made = await client.responses(response(input, { model, background: true }))
      expect(await whenEnded(made.body.id)).toMatchObject({ status: 'completed' })
    }
  })

  test('createResponse 200: the same Idempotency-Key returns the same background response, charged once', async () => {
    const tenant = await api.openTenant({ creditMicros: 1_000_000_000 })
    const mine = textClientOf(api, tenant)
    const key = { 'idempotency-key': 'once' }
    const body = response('[words 5]', { background: true })
    const made = await mine.responses(body, key)
    const again = await mine.responses(body, key)
    expect(again.body.id).toBe(made.body.id)
    await whenEnded(made.body.id, tenant)
    await api.usageOf(tenant, 1)
    expect((await mine.responses(body, key)).body).toMatchObject({ id: made.body.id, status: 'completed' })
    const changed = response('[words 6]', { background: true })
    expectResponsesError(await mine.responses(changed, key), { status: 422, code: 'idempotency_key_reused' })
    expect(await api.usageOf(tenant, 1)).toHaveLength(1)
  })

  test('createResponse 402, 404: a refused request is not queued', async () => {
    const poor = await api.openTenant({ creditMicros: 1 })
    const body = response('hello', { background: true })
    expect((await textClientOf(api, poor).responses(body)).status).toBe(402)
    expect((await client.responses({ ...body, model: 'vendorC/none' })).status).toBe(404)
  })

  test('createResponse 400: previous_response_id of another organization is answered like an unknown one', async () => {
    const made = await client.responses(response('hello', { store: true }))
    const stranger = textClientOf(api, other)
    const foreign = await stranger.responses(response('more', { previous_response_id: made.body.id }))
    const unknown = await stranger.responses(response('more', { previous_response_id: 'resp_none' }))
    expectResponsesError(foreign, {
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    })
    expect(foreign.text).toBe(unknown.text)
    const heavy = response('x'.repeat(400_000), { previous_response_id: made.body.id })
    expectResponsesError(await client.responses(heavy), { status: 400, param: 'previous_response_id' })
  })

  test('getResponse, deleteResponse, cancelResponse 404: unknown, odd and foreign ids', async () => {
    const made = await client.responses(response('hello', { store: true }))
    const ids = [made.body.id, 'resp_none', 'x'.repeat(300), '..%2f..', '%00', 'a%20b']
    for (const id of ids) {
      for (const answer of [
        await get(id, other),
        await get(`${id}?stream=true`, other),
        await ask('DELETE', String(id), other),
        await ask('POST', `${id}/cancel`, other),
      ])
        expectResponsesError(answer, { status: 404, code: 'not_found' })
    }
    expect((await get(made.body.id)).status).toBe(200)
  })

  test('getResponse 400: odd parameters, and a whole reply has no events', async () => {
    const { body } = await client.responses(response('hello', { store: true }))
    for (const [query, param] of [
      ['stream=maybe', 'stream'],
      ['stream=true&stream=true', 'stream'],
      ['stream=true', 'stream'],
      ['starting_after=1', 'starting_after'],
      ['stream=true&starting_after=-1', 'starting_after'],
      ['stream=true&starting_after=x', 'starting_after'],
    ])
      expectResponsesError(await get(`${body.id}?${query}`), { status: 400, param: String(param) })
  })

  test('cancelResponse 400: a response that was not made in the background and still runs', async () => {
    const body = response('[pace 40] [words 400]', { store: true, stream: true })
    const headers = { authorization: `Bearer ${api.tenant.key}`, 'content-type': 'application/json' }
    const leaving = new AbortController()
    const answer = await fetch(`${api.url}/v1/responses`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body), signal: leaving.signal },
    })
    const reader = answer.body?.getReader()
    const first = new TextDecoder().decode((await reader?.read())?.value)
    const [, id] = /"id":"(resp_[^"]+)"/.exec(first) ?? []
    await expect.poll(async () => (await get(id)).status).toBe(200)
    expectResponsesError(await ask('POST', `${id}/cancel`), { status: 400, code: 'invalid_parameter' })
    leaving.abort()
    expect(await whenEnded(id)).toMatchObject({ status: 'cancelled' })
  })

  test('deleteResponse 200: an ended and a running response are gone', async () => {
    const ended = await client.responses(response('hello', { store: true }))
    const running = await client.responses(response('[pace 40] [words 400]', { background: true }))
    for (const { body } of [ended, running]) {
      expect(await ask('DELETE', String(body.id))).toMatchObject({
        status: 200,
        body: { id: body.id, deleted: true },
      })
      expect((await get(body.id)).status).toBe(404)
      expect((await ask('DELETE', String(body.id))).status).toBe(404)
      const more = response('more', { previous_response_id: body.id })
      expect((await client.responses(more)).status).toBe(400)
    }
    await api.expectSound()
  })

  test('createResponse 429: an organization has at most 32 background responses at the same time', async () => {
    const tenant = await api.openTenant({ creditMicros: 1_000_000_000 })
    const mine = textClientOf(api, tenant)
    const body = response('[never]', { background: true })
    const made = await Promise.all(Array.from({ length: 33 }, () => mine.responses(body)))
    expect(made.filter(({ status }) => status === 200)).toHaveLength(32)
    const refused = made.find(({ status }) => status !== 200)
    if (refused !== undefined) expectResponsesError(refused, { status: 429, code: 'rate_limit_exceeded' })
    expect((await client.responses(response('[words 2]', { background: true }))).status).toBe(200)
    for (const { body: one, status } of made) if (status === 200) await ask('DELETE', String(one.id), tenant)
    await expect
      .poll(async () => (await mine.responses(response('hello', { background: true }))).status)
      .toBe(200)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectPublished } from '../../admin/expect-published.ts'
import { type AdminApi, startAdminApi } from '../../admin/start-admin-api.ts'
import {
  CHAT_MODEL,
  completion,
  MESSAGES_MODEL,
  message,
  RESPONSES_MODEL,
  response,
  textClientOf,
} from '../call-text.ts'
import { openSocket } from '../socket-client.ts'

let api: AdminApi
beforeAll(async () => {
  api = await startAdminApi()
  await alias('fast', MESSAGES_MODEL)
  await alias('chat', CHAT_MODEL)
  await alias('deep', RESPONSES_MODEL)
  await alias('film', 'vendorA/gen-2.0')
})
afterAll(() => api.close())

const alias = (name: string, model: string, organization_id?: string) =>
  api.ask('POST /aliases', { body: { alias: name, model, organization_id } })

const MODELS_IN = /"model":\s*"([^"]+)"/g
const modelsIn = (text: string) => new Set(Array.from(text.matchAll(MODELS_IN), ([, name]) => name))

/** For each endpoint: a model, its alias, and a function that makes a body. */
const CALLS = {
  messages: [MESSAGES_MODEL, 'fast', message],
  responses: [RESPONSES_MODEL, 'deep', response],
  chat: [CHAT_MODEL, 'chat', completion],
} as const

describe('a request by an alias', () => {
  describe.each(['messages', 'responses', 'chat'] as const)('to %s', (endpoint) => {
    test.each([false, true])(
      'is answered with the alias and charged as its model, stream: %s',
      async (stream) => {
        const [model, name, body] = CALLS[endpoint]
        const tenant = await api.openTenant()
        const client = textClientOf(api, tenant)
        const post = endpoint === 'chat' ? client.chat : client[endpoint]
        const plain = await post(body('hello', { stream }))
        const byAlias = await post(body('hello', { stream, model: name }))
        expect(byAlias.status).toBe(200)
        expect(modelsIn(byAlias.text)).toEqual(new Set([name]))
        expect(byAlias.headers.get('x-sluice-served-by')).toBe(model)
        const [first, second] = await api.usageOf(tenant, 2)
        expect(second).toMatchObject({ model, cost_micros: first?.cost_micros })
        expect(first?.cost_micros).toBeGreaterThan(0)
        expect(plain.status).toBe(200)
      },
    )
  })

  test('counts tokens as its model does', async () => {
    const client = textClientOf(api, api.tenant)
    const [plain, byAlias] = [
      await client.count(message()),
      await client.count(message('hello', { model: 'fast' })),
    ]
    expect(byAlias.body).toEqual(plain.body)
  })

  test('is kept with the alias, and continued under it and under the name', async () => {
    const client = textClientOf(api, api.tenant)
    const first = await client.responses(response('hello', { model: 'deep', store: true }))
    const id = String(first.body.id)
    const read = await fetch(`${api.url}/v1/responses/${id}`, {
      headers: { authorization: `Bearer ${api.tenant.key}` },
    })
    expect(await read.json()).toMatchObject({ id, model: 'deep' })
    for (const model of ['deep', RESPONSES_MODEL]) {
      const next = await client.responses(
        response('and then', { model, store: true, previous_response_id: id }),
      )
      expect(next).toMatchObject({ status: 200, body: { model } })
    }
  })

  test('runs over a WebSocket', async () => {
    const socket = await openSocket(api, api.tenant)
    const events = await socket.turn({ type: 'response.create', ...response('hello', { model: 'deep' }) })
    socket.ws.close()
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { model: 'deep' } })
    expect(modelsIn(JSON.stringify(events))).toEqual(new Set(['deep']))
  })

  test('is checked against the model list of the key by its model', async () => {
    const { organizationId: organization_id, userId: user_id } = api.tenant
    const keyFor = async (models: string[]) => {
      const { body } = await api.ask('POST /keys', {
        body: { organization_id, user_id, name: 'listed', models },
      })
      return { key: String(body.key) }
    }
    const allowed = await keyFor([MESSAGES_MODEL])
    const other = await keyFor([CHAT_MODEL])
    expect((await textClientOf(api, allowed).messages(message('hello', { model: 'fast' }))).status).toBe(200)
    expect((await textClientOf(api, other).messages(message('hello', { model: 'fast' }))).status).toBe(403)
    const listed = async ({ key }: { key: string }) => {
      const answer = await fetch(`${api.url}/v1/models`, { headers: { 'x-api-key': key } })
      return Object(await answer.json()).data.map(({ id }: { id: string }) => id)
    }
    expect(await listed(allowed)).toEqual([MESSAGES_MODEL, 'fast'])
    expect(await listed(other)).toEqual([CHAT_MODEL, 'chat'])
  })

  test('reaches the alias of the organization before the alias of all organizations', async () => {
    const tenant = await api.openTenant()
    await alias('fast', CHAT_MODEL, tenant.organizationId)
    const served = async (one: typeof tenant) => {
      const answer = await textClientOf(api, one).messages(message('hello', { model: 'fast' }))
      return answer.headers.get('x-sluice-served-by')
    }
    expect(await served(tenant)).toBe(CHAT_MODEL)
    expect(await served(api.tenant)).toBe(MESSAGES_MODEL)
    const removed = await api.ask(`DELETE /aliases/fast?organization_id=${tenant.organizationId}`)
    expectPublished('adminRemoveAlias', removed.body)
    expect(await served(tenant)).toBe(MESSAGES_MODEL)
  })

  test('for a video shows the alias in the task, the list and the quote', async () => {
    const tenant = await api.openTenant()
    const headers = { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' }
    const call = async (path: string, body?: object) => {
      const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
      return Object(await (await fetch(`${api.url}/v1/video/${path}`, init)).json())
    }
    const order = { model: 'film', content: [{ type: 'text', text: 'a boat' }], task_type: 7 }
    const quote = await call('quotes', order)
    expect(quote).toMatchObject({ order: { model: 'film' }, price_micros: 762_300 })
    const task = await call('generations', { ...order, quote_id: quote.quote_id })
    expect(task).toMatchObject({ model: 'film', status: 'queued' })
    expect(await call(`generations/${task.id}`)).toMatchObject({ id: task.id, model: 'film' })
    expect(await call('generations')).toMatchObject({ data: [{ id: task.id, model: 'film' }] })
    const { body } = await api.ask(`GET /tasks/${task.id}`)
    expect(body).toMatchObject({ model: 'vendorA/gen-2.0' })

    await alias('film', 'vendorA/gen-2.0-fast')
    const cheap = await call('quotes', order)
    expect(cheap).toMatchObject({ price_micros: 609_840 })
    await alias('film', 'vendorA/gen-2.0')
    expect(await call('generations', { ...order, quote_id: cheap.quote_id })).toMatchObject({
      error: { code: 'quote_mismatch' },
    })
  })
})

test.each(['text-large', '/text-large', 'vendorD/'])(
  '400 for the model %s, which is no alias',
  async (model) => {
    const client = textClientOf(api, api.tenant)
    for (const [post, body] of [
      [client.messages, message],
      [client.count, message],
      [client.responses, response],
      [client.chat, completion],
    ] as const) {
      const answer = await post(body('hello', { model }))
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('model must have the shape <provider>/<model_name>')
    }
  },
)

test('GET /v1/models 200 lists aliases with their models, and GET /v1/models/{id} finds them', async () => {
  const headers = { 'x-api-key': api.tenant.key }
  const list = Object(await (await fetch(`${api.url}/v1/models`, { headers })).json())
  const fast = list.data.find(({ id }: { id: string }) => id === 'fast')
  const model = list.data.find(({ id }: { id: string }) => id === MESSAGES_MODEL)
  expect(fast).toEqual({ ...model, id: 'fast', alias_of: MESSAGES_MODEL, display_name: 'fast' })
  expect(model).not.toHaveProperty('alias_of')
  expect(await (await fetch(`${api.url}/v1/models/fast`, { headers })).json()).toEqual(fast)
  expect((await fetch(`${api.url}/v1/models/slow`, { headers })).status).toBe(404)
})

describe('the admin API', () => {
  test('POST /aliases 200 points an alias to another model, with an audit row for each change', async () => {
    const set = await alias('moving', MESSAGES_MODEL)
    expectPublished('adminSetAlias', set.body)
    expect(set.body).toEqual({ alias: 'moving', model: MESSAGES_MODEL, organization_id: null, was: null })
    expect((await alias('moving', CHAT_MODEL)).body).toMatchObject({ was: MESSAGES_MODEL })
    expect((await alias('moving', CHAT_MODEL)).body).toMatchObject({ was: CHAT_MODEL })
    await api.ask('DELETE /aliases/moving')
    const audit = await api.ask('GET /audit?subject=moving')
    expect(audit.body.data).toMatchObject([
      { action: 'alias.remove', detail: { model: CHAT_MODEL } },
      { action: 'alias.set', detail: { model: CHAT_MODEL, was: MESSAGES_MODEL } },
      { action: 'alias.set', detail: { model: MESSAGES_MODEL } },
    ])
  })

  test('GET /aliases 200 in pages, and of one organization', async () => {
    await alias('own/alias', CHAT_MODEL, api.tenant.organizationId)
    const all = await api.ask('GET /aliases?limit=100')
    expectPublished('adminListAliases', all.body)
    const paged: unknown[] = []
    for (let cursor = '', pages = 0; pages < 20; pages++) {
      const { body } = await api.ask(`GET /aliases?limit=2&cursor=${encodeURIComponent(cursor)}`)
      paged.push(...(body.data as unknown[]))
      cursor = String(body.next_cursor)
      if (cursor === '') break
    }
    expect(paged).toEqual(all.body.data)
    const own = await api.ask(`GET /aliases?organization_id=${api.tenant.organizationId}`)
    expect(own.body.data).toMatchObject([{ alias: 'own/alias', model: CHAT_MODEL }])
    const { body } = await api.ask('GET /models?limit=100')
    expect(body.data).toContainEqual(
      expect.objectContaining({
        name: CHAT_MODEL,
        aliases: [
          { alias: 'chat', organization_id: null },
          { alias: 'own/alias', organization_id: api.tenant.organizationId },
        ],
      }),
    )
    const removed = `DELETE /aliases/own%2Falias?organization_id=${api.tenant.organizationId}`
    expect((await api.ask(removed)).status).toBe(200)
  })

  test.each([
    ['the name of a model', MESSAGES_MODEL, CHAT_MODEL, 'is the name of a model'],
    ['an alias of an alias', 'next', 'fast', 'is an alias itself'],
    ['odd characters', 'a b', CHAT_MODEL, 'alias'],
  ])('POST /aliases 400 for %s', async (_what, name, model, words) => {
    const { status, body } = await alias(name, model)
    expect(status).toBe(400)
    expect(body.error).toContain(words)
  })

  test('POST /aliases 404 for an unknown model or organization', async () => {
    const unknown = await alias('next', 'vendorD/text-smal')
    expect(unknown).toMatchObject({ status: 404 })
    expect(unknown.body.error).toContain('Did you mean vendorD/text-small?')
    expect(await alias('next', CHAT_MODEL, 'org_none')).toMatchObject({ status: 404 })
  })

  test('DELETE /aliases/{alias} 404 for an alias that does not exist or belongs to an organization', async () => {
    expect(await api.ask('DELETE /aliases/none')).toMatchObject({ status: 404 })
    await alias('theirs', CHAT_MODEL, api.tenant.organizationId)
    expect(await api.ask('DELETE /aliases/theirs')).toMatchObject({ status: 404 })
  })
})

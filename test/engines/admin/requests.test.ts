import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AdminApi, ENGINES, startAdminApi } from '../../api/admin/start-admin-api.ts'
import { completion, message, response, textClientOf } from '../../api/text/call-text.ts'
import { openSocket } from '../../api/text/socket-client.ts'
import type { Tenant } from '../../api/video/tenants.ts'

type Logged = Record<string, unknown>

/** The longest name that a catalog allows. */
const LONG_NAME = `no/${'m'.repeat(197)}`

describe.each(ENGINES)('GET /admin/v1/requests on %s', (engine) => {
  let api: AdminApi
  beforeAll(async () => {
    api = await startAdminApi({ engine, sandboxSpeed: 1, environment: { HOLD_BACK_MS: '0' } })
  })
  afterAll(() => api.close())

  /** Waits until a tenant has `count` rows, and returns them, newest first. */
  async function logOf({ organizationId }: Tenant, count: number, more = ''): Promise<Logged[]> {
    const read = async () =>
      (await api.ask(`GET /requests?organization_id=${organizationId}${more}`)).body.data as Logged[]
    await expect.poll(async () => (await read()).length).toBeGreaterThanOrEqual(count)
    const rows = await read()
    expect(rows).toHaveLength(count)
    return rows
  }

  const idOf = ({ headers }: { headers: Headers }) => String(headers.get('x-request-id'))

  const post = (path: string, { key }: Tenant, body: object, more: Record<string, string> = {}) =>
    fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    })

  const order = (words: string) => ({
    ...{ model: 'vendorB/gen-v4-std', content: [{ type: 'text', text: words }], duration: 5 },
  })

  test('200: messages, responses and chat with their exact cost', async () => {
    const tenant = await api.openTenant()
    const client = textClientOf(api, tenant)
    const answers = [
      await client.messages(message()),
      await client.responses(response()),
      await client.chat(completion()),
    ]
    const rows = await logOf(tenant, 3)
    expect(rows.map(({ request_id }) => request_id)).toEqual(answers.map(idOf).toReversed())
    expect(rows.map(({ operation }) => operation)).toEqual(['chat', 'responses', 'messages'])
    for (const [at, row] of rows.entries()) {
      const answer = answers[2 - at]
      const cost = Number(answer?.headers.get('x-sluice-cost-usd')) * 1e6
      expect(row).toMatchObject({ status: 200, code: null, cost_micros: Math.round(cost), task_id: null })
      expect(row.first_token_ms).toEqual(expect.any(Number))
      const { body: charge } = await api.ask(`GET /usage/${row.request_id}`)
      for (const name of [
        'input_tokens',
        'output_tokens',
        'cost_micros',
        'duration_ms',
        'provider',
        'key_id',
      ])
        expect({ [name]: row[name] }).toEqual({ [name]: charge[name] })
      expect(row).toMatchObject({ model: charge.asked_model, served_by: charge.model, at: charge.charged_at })
    }
    expect(rows[2]).toMatchObject({
      ...{ organization_id: tenant.organizationId, model: 'vendorD/text-small', provider: 'vendorD' },
      ...{ input_tokens: 2, cost_micros: 22 },
    })
  })

  test('200: a broken stream has a code, and is charged for its output so far', async () => {
    const tenant = await api.openTenant()
    const client = textClientOf(api, tenant)
    const answer = await client.messages(message('[count 9] [cut 6] [pace 5]', { stream: true }))
    expect(answer.status).toBe(200)
    const [row] = await logOf(tenant, 1)
    expect(row).toMatchObject({ request_id: idOf(answer), status: 200, code: 'provider_unavailable' })
    const { body: charge } = await api.ask(`GET /usage/${idOf(answer)}`)
    expect(row?.cost_micros).toBe(charge.cost_micros)
    expect(row?.cost_micros).toBeGreaterThan(0)
  })

  test('a vendor error has one row, with the status and the code that the client got', async () => {
    const tenant = await api.openTenant()
    const client = textClientOf(api, tenant)
    const busy = await client.messages(message('[busy]'))
    const failed = await client.chat(completion('[fail]'))
    await client.messages(message())
    await logOf(tenant, 3, '&failed=false')
    const [second, first] = await logOf(tenant, 2, '&failed=true')
    expect(first).toMatchObject({ request_id: idOf(busy), status: busy.status, cost_micros: 0 })
    expect(second).toMatchObject({ request_id: idOf(failed), status: failed.status, cost_micros: 0 })
    expect(first).toMatchObject({ provider: 'vendorD', served_by: 'vendorD/text-small' })
    expect([first?.code, second?.code]).not.toContain(null)
  })

  test('400, 402 and 404: refused requests with a valid key, none without one', async () => {
    const tenant = await api.openTenant({ creditMicros: 0 })
    const client = textClientOf(api, tenant)
    const answers = [
      await client.messages({ model: 'vendorD/text-small' }),
      await client.messages(message()),
      await client.responses(response('hello', { model: 'no/model' })),
      await client.chat('{'),
      await post('/v1/embeddings', tenant, { model: LONG_NAME, input: 'a' }),
      await post('/v1/video/generations', tenant, order('a boat')),
      await post('/v1/videos', tenant, { model: 'vendorB/gen-v4-std', prompt: 'a boat' }),
      await post('/api/v3/contents/generations/tasks', tenant, { model: 'vendorA/gen-2.0' }),
    ]
    await textClientOf(api, { key: 'sk-sluice-wrong' }).messages(message())
    const rows = (await logOf(tenant, 8)).toReversed()
    expect(rows.map(({ request_id }) => request_id)).toEqual(answers.map(idOf))
    expect(rows.map(({ status }) => status)).toEqual(answers.map(({ status }) => status))
    expect(rows.map(({ operation, status, code, model }) => [operation, status, code, model])).toEqual([
      ['messages', 400, 'missing_parameter', 'vendorD/text-small'],
      ['messages', 402, 'insufficient_balance', 'vendorD/text-small'],
      ['responses', 404, 'model_not_found', 'no/model'],
      ['chat', 400, 'invalid_json', null],
      ['embeddings', 404, 'model_not_found', LONG_NAME],
      ['video.create', 402, 'insufficient_balance', 'vendorB/gen-v4-std'],
      ['video.create', 402, 'insufficient_balance', 'vendorB/gen-v4-std'],
      ['video.create', 400, 'missing_parameter', 'vendorA/gen-2.0'],
    ])
    expect(rows[0]).toMatchObject({ provider: null, served_by: null, input_tokens: null, cost_micros: 0 })
    expect(await logOf(tenant, 1, '&status=404&model=no/model&code=model_not_found')).toHaveLength(1)
  })

  test('200: a video is found by its create request and costs nothing until it is settled', async () => {
    const tenant = await api.openTenant()
    const answer = await post('/v1/video/generations', tenant, order('a boat [instant]'))
    const { id } = (await answer.json()) as { id: string }
    const [row] = await logOf(tenant, 1)
    expect(row).toMatchObject({
      ...{ request_id: idOf(answer), operation: 'video.create', status: 200, code: null, task_id: id },
      ...{ model: 'vendorB/gen-v4-std', served_by: 'vendorB/gen-v4-std', provider: 'vendorB' },
      ...{ input_tokens: null, output_tokens: null, first_token_ms: null, duration_ms: null },
    })
    const headers = { authorization: `Bearer ${tenant.key}` }
    const settled = async () => {
      await (await fetch(`${api.url}/v1/video/generations/${id}`, { headers })).text()
      return (await logOf(tenant, 1))[0]?.cost_micros
    }
    await expect.poll(settled, { timeout: 10_000 }).toBeGreaterThan(0)
    const { body: charge } = await api.ask(`GET /usage/${idOf(answer)}`)
    expect(charge).toMatchObject({ task_id: id, cost_micros: await settled() })
  })

  test('a repeated request with the first answer has no row', async () => {
    const tenant = await api.openTenant()
    const client = textClientOf(api, tenant)
    const once = { 'idempotency-key': 'once' }
    const first = await client.messages(message(), once)
    await logOf(tenant, 1)
    const again = await client.messages(message(), once)
    expect(again.text).toBe(first.text)
    const other = await client.messages(message('something else'), once)
    expect(other.status).toBe(422)
    const video = await post('/v1/video/generations', tenant, order('a boat [slow]'), once)
    const same = await post('/v1/video/generations', tenant, order('a boat [slow]'), once)
    expect([video.status, same.status]).toEqual([200, 200])
    const rows = (await logOf(tenant, 3)).toReversed()
    expect(rows.map(({ request_id, status, code }) => [request_id, status, code])).toEqual(
      expect.arrayContaining([
        [idOf(first), 200, null],
        [idOf(other), 422, 'idempotency_key_reused'],
        [idOf(video), 200, null],
      ]),
    )
  })

  test('kept replies and events of a WebSocket are separate requests', async () => {
    const tenant = await api.openTenant()
    await textClientOf(api, tenant).responses(response('hello', { store: true }))
    await textClientOf(api, tenant).responses(response('hello', { background: true }))
    const socket = await openSocket(api, tenant)
    await socket.turn({ type: 'response.create', ...response('one') })
    const refused = await socket.turn({ type: 'response.create', ...response('two', { model: 'no/model' }) })
    expect(refused).toMatchObject([{ type: 'error', status: 404 }])
    const rows = await logOf(tenant, 4)
    socket.ws.close()
    expect(rows.map(({ operation }) => operation)).toEqual(Array(4).fill('responses'))
    expect(rows.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 404])
    expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(4)
  })

  test('pages follow each other by an encrypted cursor, and filters narrow them', async () => {
    const tenant = await api.openTenant()
    const client = textClientOf(api, tenant)
    for (let turn = 0; turn < 5; turn += 1) await client.messages(message('[count 3]'))
    const rows = await logOf(tenant, 5)
    const ids: unknown[] = []
    let cursor = ''
    for (let pages = 1; ; pages += 1) {
      const { body } = await api.ask(`GET /requests?user_id=${tenant.userId}&limit=2&cursor=${cursor}`)
      ids.push(...(body.data as Logged[]).map(({ request_id }) => request_id))
      expect(body.has_more).toBe(body.next_cursor !== '')
      cursor = String(body.next_cursor)
      if (cursor === '') break
      expect(pages).toBeLessThan(4)
    }
    expect(ids).toEqual(rows.map(({ request_id }) => request_id))
    const cost = Number(rows[0]?.cost_micros)
    const counted = async (more: string) =>
      (await api.ask(`GET /requests?key_id=${tenant.keyId}&${more}`)).body.data as Logged[]
    expect(await counted(`min_cost_micros=${cost}`)).toHaveLength(5)
    expect(await counted(`min_cost_micros=${cost + 1}`)).toHaveLength(0)
    expect(await counted('provider=vendorD&model=vendorD/text-small&status=200')).toHaveLength(5)
    // Requests that were charged together have the same time.
    const moment = String(rows[1]?.at)
    const later = rows.filter(({ at }) => String(at) >= moment)
    expect(await counted(`from=${moment}`)).toEqual(later)
    expect(await counted(`to=${moment}`)).toEqual(rows.slice(later.length))
  })

  test('400: a cursor of another list, an invalid status and invalid times', async () => {
    for (const query of [
      'cursor=abc',
      'status=9',
      'from=2026-11-02&to=2026-11-01',
      'from=yesterday',
      'limit=0',
    ])
      expect((await api.ask(`GET /requests?${query}`)).status).toBe(400)
  })
})

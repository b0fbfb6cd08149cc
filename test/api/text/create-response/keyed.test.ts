import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AdminApi, startAdminApi } from '../../admin/start-admin-api.ts'
import type { Tenant } from '../../video/tenants.ts'
import {
  CHAT_MODEL,
  expectResponsesError,
  MESSAGES_MODEL,
  message,
  RESPONSES_MODEL,
  response,
  textClientOf,
} from '../call-text.ts'

const CREDIT = 1_000_000
const KEY = { 'idempotency-key': 'mine' }

describe('an Idempotency-Key of a response', () => {
  let api: AdminApi
  beforeAll(async () => {
    api = await startAdminApi()
  })
  afterAll(() => api.close())

  async function open() {
    const tenant = await api.openTenant({ creditMicros: CREDIT })
    const { responses, compact, count } = textClientOf(api, tenant)
    const ask = async (method: string, id: unknown) => {
      const headers = { authorization: `Bearer ${tenant.key}` }
      const answer = await fetch(`${api.url}/v1/responses/${id}`, { method, headers })
      return { status: answer.status, body: await answer.json() }
    }
    return { tenant, responses, compact, count, ask }
  }

  async function expectCharged(tenant: Tenant, costs: number[]): Promise<void> {
    const rows = await api.usageOf(tenant, costs.length)
    expect(rows.map((row) => row.cost_micros)).toEqual(costs)
    const sum = costs.reduce((one, other) => one + other, 0)
    await expect.poll(() => api.moneyOf(tenant)).toMatchObject({ balance: CREDIT - sum })
  }

  test.each([
    [CHAT_MODEL, [7, 11]],
    [RESPONSES_MODEL, [20, 30]],
  ])(
    '200: the first reply again after the response that it continued was deleted: %s',
    async (model, costs) => {
      const { tenant, responses, ask } = await open()
      const { id } = (await responses(response('hello', { model, store: true }))).body
      const body = response('and then', { model, store: true, previous_response_id: id })
      const first = await responses(body, KEY)
      expect(first).toMatchObject({ status: 200, body: { status: 'completed', previous_response_id: id } })
      expect(await ask('DELETE', id)).toMatchObject({ status: 200 })
      expect(await responses(body, KEY)).toMatchObject({ status: 200, text: first.text })
      await expectCharged(tenant, costs)
    },
  )

  test('200: the first compacted conversation again after the response that it continued was deleted', async () => {
    const { tenant, responses, compact, ask } = await open()
    const { id } = (await responses(response('hello', { store: true }))).body
    const body = { model: RESPONSES_MODEL, input: 'and then', previous_response_id: id }
    const first = await compact(body, KEY)
    expect(first).toMatchObject({ status: 200, body: { object: 'response.compaction' } })
    expect(await ask('DELETE', id)).toMatchObject({ status: 200 })
    expect(await compact(body, KEY)).toMatchObject({ status: 200, text: first.text })
    await expectCharged(tenant, [20, 30])
  })

  test('200: the first background response again after the response that it continued was deleted', async () => {
    const { tenant, responses, ask } = await open()
    const { id } = (await responses(response('hello', { store: true }))).body
    const body = response('and then', { background: true, previous_response_id: id })
    const first = await responses(body, KEY)
    expect(first).toMatchObject({ status: 200, body: { status: 'queued', previous_response_id: id } })
    expect(await ask('DELETE', id)).toMatchObject({ status: 200 })
    await expect.poll(() => ask('GET', first.body.id)).toMatchObject({ body: { status: 'completed' } })
    const { id: firstId } = first.body
    expect(await responses(body, KEY)).toMatchObject({
      status: 200,
      body: { id: firstId, status: 'completed' },
    })
    await expectCharged(tenant, [20, 30])
  })

  test.each([false, true])(
    '400: a response that cannot be continued leaves the key free, in the background: %s',
    async (background) => {
      const { tenant, responses } = await open()
      const body = response('hello', { background, previous_response_id: 'resp_none' })
      for (let turn = 0; turn < 2; turn += 1)
        expectResponsesError(await responses(body, KEY), { status: 400, code: 'previous_response_not_found' })
      expect(await responses(response('hello', { background }), KEY)).toMatchObject({ status: 200 })
      await expectCharged(tenant, [20])
    },
  )

  test('200: the first reply again after its alias has moved to another provider', async () => {
    const { tenant, responses, count } = await open()
    const { organizationId: organization_id } = tenant
    const name = async (body: object) => {
      await api.ask('POST /aliases', { body: { alias: 'moving', ...body } })
      // The gateway reads its catalog.
      expect(await count(message('hello', { model: 'moving' }))).toMatchObject({ status: 200 })
    }
    await name({ model: RESPONSES_MODEL })
    const more = { model: 'moving', store: true }
    const { id } = (await responses(response('[reason] hello', more))).body
    const body = response('and then', { ...more, previous_response_id: id })
    const first = await responses(body, KEY)
    expect(first).toMatchObject({ status: 200, body: { status: 'completed' } })
    await name({ model: MESSAGES_MODEL, organization_id })
    expect(await responses(body, KEY)).toMatchObject({ status: 200, text: first.text })
    await expectCharged(tenant, [79, 33])
  })

  test('404: a deleted response stays deleted when its request is repeated', async () => {
    const { tenant, responses, ask } = await open()
    const body = response('hello', { store: true })
    const first = await responses(body, KEY)
    const { id } = first.body
    expect(await ask('DELETE', id)).toMatchObject({ status: 200 })
    expect(await responses(body, KEY)).toMatchObject({ status: 200, text: first.text })
    expect(await ask('GET', id)).toMatchObject({ status: 404 })
    await expectCharged(tenant, [20])
  })
})

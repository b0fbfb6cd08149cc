import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { openReceipt, readKeySet } from '../../../src/compose/receipts.ts'
import { checkChain } from '../../../src/domain/receipts/check-chain.ts'
import type { StoredReceipt } from '../../../src/ports/receipts.ts'
import { readAnswer } from '../http-edge/answer.ts'
import { MESSAGES_MODEL, message, textClientOf } from '../text/call-text.ts'
import { startTextApi, type TextApi } from '../text/start-text-api.ts'
import type { Tenant } from '../video/tenants.ts'

const OLD = '{"payload":"old","protected":"old","signature":"old"}'

describe('GET /v1/usage/{request_id}/receipt', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi()
  })
  afterAll(() => api.close())

  const ask = async (path: string, { key }: Tenant = api.tenant) =>
    readAnswer(await fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${key}` } }))
  const receipt = (id: string, tenant?: Tenant) => ask(`/v1/usage/${id}/receipt`, tenant)

  async function charged(tenant: Tenant, rows: number): Promise<string> {
    const answer = await textClientOf(api, tenant).messages(message())
    expect(answer.status).toBe(200)
    await api.usageOf(tenant, rows)
    return answer.headers.get('x-request-id') ?? ''
  }

  function idAt(ms: number, prefix: 'req' | 'use' | 'group' | 'task' = 'req'): string {
    return createIds({ nowMs: () => ms, monotonicMs: () => 0 })(prefix)
  }

  /** The first of its chain, without a request id, as earlier versions wrote it. */
  function madeOf({ organizationId }: Tenant, of: { id: string; keyId: string | null }): StoredReceipt {
    return {
      ...of,
      organizationId,
      requestId: null,
      number: 1,
      hash: 'x',
      jws: OLD,
      madeAtMs: 1,
    }
  }

  /** Drops the rows of all requests so far, of which the tenant has one. */
  async function dropRows(tenant: Tenant): Promise<void> {
    const rowsBeforeMs = Date.now() + 1
    await api.store.usageReports.dropOld({ rowsBeforeMs, hoursBeforeMs: 0, limit: 1_000 })
    await api.usageOf(tenant, 0)
  }

  async function open(id: string, tenant: Tenant) {
    const answer = await receipt(id, tenant)
    expect(answer.status).toBe(200)
    const keys = readKeySet((await ask('/.well-known/sluice-receipts.json')).body) ?? new Map()
    const opened = openReceipt(answer.body, keys)
    if (opened.fault !== undefined) throw new Error(opened.fault)
    return opened
  }

  test('404 for a malformed, an unknown and a foreign id', async () => {
    const id = await charged(api.tenant, 1)
    const stranger = await api.openTenant()
    for (const [unknown, tenant] of [
      ['req_0', api.tenant],
      ['%20', api.tenant],
      ['a'.repeat(65), api.tenant],
      [id, stranger],
    ] as const) {
      const { status, body } = await receipt(unknown, tenant)
      expect({ status, code: JSON.parse(body).error.code }).toEqual({ status: 404, code: 'not_found' })
    }
  })

  test('200: the charge in micros, for every key of the organization, and the same receipt each time', async () => {
    const tenant = await api.openTenant()
    const id = await charged(tenant, 1)
    const [row] = await api.usageOf(tenant, 1)
    const { receipt: said } = await open(id, tenant)
    expect(said).toMatchObject({
      object: 'receipt',
      kind: 'text',
      number: 1,
      previous: null,
      organization_id: tenant.organizationId,
      user_id: tenant.userId,
      key_id: tenant.keyId,
      request_id: id,
      model: MESSAGES_MODEL,
      status: 'completed',
      made_by: { provider: 'vendorD', model: MESSAGES_MODEL },
      ai_generated: true,
      input_tokens: row?.input_tokens,
      output_tokens: row?.output_tokens,
      amount_micros: row?.cost_micros,
      currency: 'USD',
    })
    expect(row?.cost_micros).toBeGreaterThan(0)
    const second = await api.openKey(tenant)
    expect((await receipt(id, second)).body).toBe((await receipt(id, tenant)).body)
  })

  test('200: a receipt gets its number when a client first asks for it', async () => {
    const tenant = await api.openTenant()
    const ids: string[] = []
    for (let count = 1; count <= 3; count += 1) ids.push(await charged(tenant, count))
    const [first = '', second = '', third = ''] = ids
    const links = []
    for (const id of [first, third, second]) links.push((await open(id, tenant)).link)
    expect(links).toMatchObject([
      { number: 1, previous: null },
      { number: 2, previous: links[0]?.hash },
      { number: 3, previous: links[1]?.hash },
    ])
    expect(checkChain(links)).toEqual([])
  })

  test('200 for an existing receipt and 410 for a new one, after the usage rows of that time are dropped', async () => {
    const tenant = await api.openTenant()
    const [made, notMade] = [await charged(tenant, 1), await charged(tenant, 2)]
    const { body } = await receipt(made, tenant)
    const { receipt: said } = await open(made, tenant)
    expect(said.amount_micros).toBe((await api.usageOf(tenant, 2))[0]?.cost_micros)
    const rowsBeforeMs = Date.now()
    await api.store.usageReports.dropOld({ rowsBeforeMs, hoursBeforeMs: 0, limit: 1_000 })
    expect(await api.store.usageReports.findText(made)).toBeUndefined()
    for (const id of [made, String(said.usage_id)])
      expect(await receipt(id, tenant)).toMatchObject({ status: 200, body })
    for (const [id, asker] of [
      [notMade, tenant],
      [made, api.tenant],
      [idAt(rowsBeforeMs - 1), tenant],
      [idAt(rowsBeforeMs - 1, 'use'), tenant],
    ] as const) {
      const answer = await receipt(id, asker)
      expect({ status: answer.status, code: JSON.parse(answer.body).error.code }).toEqual({
        ...{ status: 410, code: 'receipt_gone' },
      })
    }
    for (const id of [idAt(rowsBeforeMs), 'req_0', 'task_0'])
      expect((await receipt(id, tenant)).status).toBe(404)
  })

  test('404 for a group from before usage rows were dropped, and 200 once its person has taken the consent back', async () => {
    const tenant = await api.openTenant()
    await charged(tenant, 1)
    const before = Date.now() - 1
    await dropRows(tenant)
    const [groupId, taskId] = [idAt(before, 'group'), idAt(before, 'task')]
    for (const id of [groupId, taskId]) {
      const { status, body } = await receipt(id, tenant)
      expect({ status, code: JSON.parse(body).error.code }).toEqual({ status: 404, code: 'not_found' })
    }
    await api.store.receipts.add(madeOf(tenant, { id: groupId, keyId: null }))
    expect(await receipt(groupId, tenant)).toMatchObject({ status: 200, body: OLD })
    expect((await receipt(groupId)).status).toBe(404)
  })

  test('200 by its usage id for a receipt that an earlier version made, and 410 by its request id, which asks for the usage id', async () => {
    const tenant = await api.openTenant()
    const requestId = await charged(tenant, 1)
    const { id = '' } = (await api.store.usageReports.findText(requestId)) ?? {}
    expect(await api.store.receipts.add(madeOf(tenant, { id, keyId: tenant.keyId }))).toBe(true)
    const old = { status: 200, body: OLD }
    for (const asked of [requestId, id]) expect(await receipt(asked, tenant)).toMatchObject(old)
    await dropRows(tenant)
    expect(await receipt(id, tenant)).toMatchObject(old)
    const { status, body } = await receipt(requestId, tenant)
    expect({ status, error: JSON.parse(body).error }).toMatchObject({
      ...{ status: 410, error: { code: 'receipt_gone', message: expect.stringContaining('usage_id') } },
    })
    expect((await receipt(id)).status).toBe(410)
  })

  test('200: 10 simultaneous requests make one chain', async () => {
    const tenant = await api.openTenant()
    const ids: string[] = []
    for (let count = 1; count <= 5; count += 1) ids.push(await charged(tenant, count))
    const opened = await Promise.all([...ids, ...ids].map((id) => open(id, tenant)))
    expect(new Set(opened.map(({ link }) => link.number))).toEqual(new Set([1, 2, 3, 4, 5]))
    const byNumber = new Map(opened.map(({ link }) => [link.number, link]))
    for (const { link } of opened) expect(link.previous).toBe(byNumber.get(link.number - 1)?.hash ?? null)
  })
})

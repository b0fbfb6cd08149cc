import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSecrets } from '../../../../src/adapters/system/secrets.ts'
import { appendReceipt } from '../../../../src/app/receipts/append-receipt.ts'
import { makeOwedReceipts } from '../../../../src/app/receipts/get-receipts.ts'
import { openReceipt, readKeySet } from '../../../../src/compose/receipts.ts'
import { checkChain } from '../../../../src/domain/receipts/check-chain.ts'
import { SILENT_LOG } from '../../../engines/store/silent-log.ts'
import { assetClientOf } from '../../assets/call-assets.ts'
import { type ApiAnswer, clientOf, expectApiError, TASKS_PATH, textBody, textBodyB } from '../call-api.ts'
import { START_MS, startVideoApi, type VideoApi } from '../start-video-api.ts'
import type { Tenant } from '../tenants.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

describe('GET /v1/video/generations/{task_id}/receipt', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi()
  })
  afterAll(() => api.close())

  const client = (tenant: Tenant = api.tenant) => {
    const calls = clientOf(api, tenant)
    const receipt = (id: string) => calls.call('GET', `${TASKS_PATH}/${id}/receipt`)
    return {
      ...calls,
      receipt,
      /** The id of a task that has ended. */
      async end(body: object): Promise<string> {
        const id = await calls.make(body)
        api.passSeconds(600)
        await calls.get(id)
        return id
      },
    }
  }

  async function keys(): Promise<Map<string, string>> {
    const answer = await fetch(`${api.url}/.well-known/sluice-receipts.json`)
    return readKeySet(await answer.text()) ?? new Map()
  }

  async function open({ status, body }: ApiAnswer) {
    expect(status).toBe(200)
    const opened = openReceipt(JSON.stringify(body), await keys())
    if (opened.fault !== undefined) throw new Error(opened.fault)
    return opened
  }

  /** Runs the worker of another replica. */
  async function makeOwed(): Promise<void> {
    const { receipts } = api.store
    const clock = { nowMs: () => START_MS, monotonicMs: () => 0 }
    const tools = { clock, log: SILENT_LOG, secrets: createSecrets('a secret of the tests, long enough') }
    await makeOwedReceipts({ receipts, ...tools, append: appendReceipt({ receipts, ...tools }) })()
  }

  test('404 for a malformed, an unknown and a foreign id', async () => {
    const id = await client().end(textBody())
    const notFound = { status: 404, code: 'task_not_found' }
    for (const unknown of ['x', 'task_0', '%00', `${id}0`, 'a'.repeat(65)])
      expectApiError(await client().receipt(unknown), notFound)
    for (const stranger of [await api.openKey(api.tenant), await api.openTenant()]) {
      expectApiError(await client(stranger).receipt(id), notFound)
      await client().receipt(id)
      expectApiError(await client(stranger).receipt(id), notFound)
    }
  })

  test('by the request id of the create call, for the key that made the task', async () => {
    const { call, receipt, get } = client()
    const created = await call('POST', TASKS_PATH, { body: textBody() })
    const path = `/v1/usage/${created.headers.get('x-request-id')}/receipt`
    expectApiError(await call('GET', path), { status: 409, code: 'receipt_not_ready' })
    const id = String(created.body.id)
    api.passSeconds(600)
    await get(id)
    const { body } = await receipt(id)
    expect(await call('GET', path)).toMatchObject({ status: 200, body })
    for (const stranger of [await api.openKey(api.tenant), await api.openTenant()])
      expectApiError(await client(stranger).call('GET', path), { status: 404, code: 'not_found' })
  })

  test('405 for another method', async () => {
    expectApiError(await client().call('POST', `${TASKS_PATH}/task_1/receipt`, { body: {} }), { status: 405 })
  })

  test('409 while the task has not ended, and 200 after its end', async () => {
    const { make, get, receipt } = client()
    const id = await make(textBody())
    expectApiError(await receipt(id), { status: 409, code: 'receipt_not_ready' })
    api.passSeconds(600)
    await get(id)
    expect(await receipt(id)).toMatchObject({ status: 200 })
  })

  test('200: caller, order, vendor and cost: 762,300 micros', async () => {
    const tenant = await api.openTenant()
    const { end, receipt } = client(tenant)
    const id = await end(textBody('by the sea', { metadata: { secret: 1 }, seed: 7 }))
    const answer = await receipt(id)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const { receipt: said } = await open(answer)
    expect(said).toEqual({
      object: 'receipt',
      version: 1,
      kind: 'video',
      number: 1,
      previous: null,
      issued_at: new Date(api.time.nowMs).toISOString(),
      organization_id: tenant.organizationId,
      user_id: tenant.userId,
      key_id: tenant.keyId,
      task_id: id,
      model: 'vendorA/gen-2.0',
      status: 'succeeded',
      created_at: expect.stringMatching(/^2030-01-02T/),
      completed_at: expect.stringMatching(/^2030-01-02T/),
      order: {
        model: 'vendorA/gen-2.0',
        content: [{ type: 'text', sha256: sha256('a cat by the sea') }],
        duration: 5,
        ratio: '16:9',
        resolution: '720p',
        generate_audio: false,
        seed: 7,
        execution_expires_after: 172_800,
      },
      persons: [],
      made_by: { provider: 'vendorA', model: 'vendorA/gen-2.0' },
      ai_generated: true,
      amount_micros: 762_300,
      not_charged_micros: 0,
      currency: 'USD',
      parts: [{ unit: 'video_token', quantity: 108_900, price_micros: 7_000_000, micros: 762_300 }],
    })
  })

  test('200: a failed and a cancelled task cost 0 micros', async () => {
    const { end, make, delete: cancel, receipt } = client()
    const failed = await open(await receipt(await end(textBody('[fail]'))))
    const free = { made_by: null, ai_generated: false, amount_micros: 0, not_charged_micros: 0, parts: [] }
    expect(failed.receipt).toMatchObject({ ...free, status: 'failed', error_code: expect.any(String) })
    const id = await make(textBody())
    expect(await cancel(id)).toMatchObject({ status: 200 })
    expect((await open(await receipt(id))).receipt).toMatchObject({ ...free, status: 'cancelled' })
  })

  test('200: with a quote, 550,000 micros are charged and 50,000 are not', async () => {
    const { call, end, receipt } = client(await api.openTenant())
    const body = textBodyB('[credits]', { model: 'vendorB/gen-v4-fast' })
    const { body: quote } = await call('POST', '/v1/video/quotes', { body })
    const { receipt: said } = await open(await receipt(await end({ ...body, quote_id: quote.quote_id })))
    expect(said).toMatchObject({ amount_micros: 550_000, not_charged_micros: 50_000 })
    expect(said.parts).toMatchObject([{ unit: 'credit', micros: 600_000 }])
  })

  test('200: a receipt never changes, and stays when the task is deleted', async () => {
    const { end, receipt, delete: remove, get } = client()
    const id = await end(textBody())
    const first = await receipt(id)
    expect(await remove(id)).toMatchObject({ status: 200 })
    expect(await get(id)).toMatchObject({ status: 404 })
    expect((await receipt(id)).body).toEqual(first.body)
  })

  test('200: verified people are in it by the id of their group', async () => {
    const tenant = await api.openTenant()
    const assets = assetClientOf(api, tenant)
    const groupId = await assets.verify()
    const portrait = await assets.makeActive({ group_id: groupId })
    const image = { type: 'image_url', image_url: { url: `asset://${portrait}` }, role: 'reference_image' }
    const { end, receipt } = client(tenant)
    const id = await end({
      model: 'vendorA/gen-2.0',
      content: [{ type: 'text', text: 'image 1 waves' }, image],
    })
    const { receipt: said } = await open(await receipt(id))
    expect(said.persons).toEqual([groupId])
    expect(said.order).toMatchObject({
      content: [{ sha256: sha256('image 1 waves') }, { asset_id: portrait, role: 'reference_image' }],
    })
  })

  test('200: a revocation is a separate entry, by the group of the person', async () => {
    const tenant = await api.openTenant()
    const assets = assetClientOf(api, tenant)
    const groupId = await assets.verify(3)
    const audit = { id: 'aud_revoked', atMs: START_MS, actor: 'person', action: 'person.revoke' } as const
    await api.store.erasures.revokeConsent({
      groupId,
      audit: { ...audit, organizationId: null, subject: groupId, detail: {} },
      deletableProviders: [],
    })
    const { call } = client(tenant)
    const path = `/v1/usage/${groupId}/receipt`
    expect(await call('GET', path)).toMatchObject({ status: 404 })
    await makeOwed()
    const { receipt: said } = await open(await call('GET', path))
    expect(said).toMatchObject({
      ...{ kind: 'person_revoked', number: 1, previous: null, organization_id: tenant.organizationId },
      ...{ group_id: groupId, revoked_at: new Date(START_MS).toISOString() },
    })
    expect(await client(await api.openTenant()).call('GET', path)).toMatchObject({ status: 404 })
  })

  test('the worker makes receipts without a request, in one chain per organization', async () => {
    const [one, other] = [await api.openTenant(), await api.openTenant()]
    const ids = [await client(one).end(textBody()), await client(one).end(textBodyB())]
    const foreign = await client(other).end(textBody())
    await makeOwed()
    expect(await api.store.receipts.listOwing({ afterId: '', limit: 10 })).toEqual([])
    const chain = await Promise.all(ids.map(async (id) => open(await client(one).receipt(id))))
    expect(chain.map(({ link }) => link.number)).toEqual([1, 2])
    expect(chain[1]?.link.previous).toBe(chain[0]?.link.hash)
    const { link } = await open(await client(other).receipt(foreign))
    expect(link).toMatchObject({ number: 1, previous: null })
  })

  test('20 simultaneous requests in two processes make one chain without gaps', async () => {
    const tenant = await api.openTenant()
    const { end, receipt } = client(tenant)
    const ids: string[] = []
    for (let count = 0; count < 20; count += 1) ids.push(await end(textBodyB()))
    const [answers] = await Promise.all([Promise.all(ids.map(receipt)), makeOwed()])
    const opened = await Promise.all(answers.map(open))
    const links = opened.map(({ link }) => link).toSorted((a, b) => a.number - b.number)
    expect(links.map(({ number }) => number)).toEqual(ids.map((_id, index) => index + 1))
    expect(checkChain(links)).toEqual([])
  })
})

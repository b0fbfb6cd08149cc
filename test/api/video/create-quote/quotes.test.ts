import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { micros } from '../../../../src/domain/billing/micros.ts'
import { clientOf, expectApiError, textBody, textBodyB } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'
import type { Tenant } from '../tenants.ts'

const QUOTES_PATH = '/v1/video/quotes'

describe('POST /v1/video/quotes', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi()
  })
  afterAll(() => api.close())

  const client = (tenant: Tenant = api.tenant) => {
    const calls = clientOf(api, tenant)
    const quote = (body: object | string) => calls.call('POST', QUOTES_PATH, { body })
    return { ...calls, quote }
  }

  test('400 for orders that a create call refuses', async () => {
    const { quote } = client()
    expectApiError(await quote({ content: [] }), { status: 400, code: 'missing_parameter', param: 'model' })
    expectApiError(await quote(textBody('', { ratio: '4:3' })), { status: 400, param: 'ratio' })
    expectApiError(await quote(textBodyB('', { task_type: 'extension' })), { status: 400 })
    expectApiError(
      await quote(textBody('', { content: [{ type: 'image_url', image_url: { url: 'asset://gone' } }] })),
      { status: 400 },
    )
    expectApiError(await quote('{'), { status: 400 })
  })

  test('401 without a key, 404 for an unknown model', async () => {
    expectApiError(await client({ ...api.tenant, key: 'no' }).quote(textBody()), { status: 401 })
    expectApiError(await client().quote({ ...textBody(), model: 'vendorA/gen-9' }), { status: 404 })
  })

  test('402 when one micro of the price is missing, 200 with it', async () => {
    const tenant = await api.openTenant({ creditMicros: 762_299 })
    const { quote } = client(tenant)
    expectApiError(await quote(textBody()), {
      ...{ status: 402, code: 'insufficient_balance' },
      message: /needs 0.7623 USD, and 0.762299 USD is available: 0.000001 USD is missing/,
    })
    await api.addCredit(tenant, 1)
    expect(await quote(textBody())).toMatchObject({ status: 200, body: { max_micros: 762_300 } })
    expect(await api.moneyOf(tenant)).toEqual({ balance: 762_300, held: 0 })
  })

  test('429 beyond the daily limit and beyond the budget; a quote uses up neither', async () => {
    const tenant = await api.openTenant({ dailyUsd: '0.7623' })
    const { quote, create } = client(tenant)
    for (let time = 0; time < 3; time += 1) expect(await quote(textBody())).toMatchObject({ status: 200 })
    expect(await create(textBody())).toMatchObject({ status: 200 })
    expectApiError(await quote(textBody()), { status: 429, code: 'daily_limit_exceeded' })
    const other = await api.openTenant()
    await api.setBudget(other, 762_299)
    const refused = await client(other).quote(textBody())
    expectApiError(refused, { status: 429, code: 'budget_exceeded' })
    expect(refused.headers.get('retry-after')).toBe('3600')
  })

  test('200 with the order, its defaults and the parts of the price; the vendor is not asked', async () => {
    const before = await api.vendors.requests()
    const { body } = await client().quote(textBody('', { metadata: { a: 1 } }))
    expect(body).toEqual({
      object: 'video.quote',
      quote_id: expect.stringMatching(/^quote_/),
      expires_at: Math.floor((api.time.nowMs + 15 * 60_000) / 1_000),
      order: {
        model: 'vendorA/gen-2.0',
        content: [{ type: 'text', text: 'a cat ' }],
        duration: 5,
        ratio: '16:9',
        resolution: '720p',
        generate_audio: false,
        execution_expires_after: 172_800,
      },
      price_micros: 762_300,
      max_micros: 762_300,
      parts: [{ unit: 'video_token', quantity: 108_900, usd: 7, micros: 762_300 }],
    })
    const { body: b } = await client().quote(textBodyB('', { seed: 4, duration: 8 }))
    expect(b).toMatchObject({
      order: { task_type: 'text-to-video', duration: 8 },
      parts: [{ unit: 'second', quantity: 8 }],
    })
    expect(b.order).not.toHaveProperty('seed')
    expect(await api.vendors.requests()).toEqual(before)
  })
})

describe('POST /v1/video/generations with quote_id', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi()
  })
  afterAll(() => api.close())

  const client = (tenant: Tenant = api.tenant) => {
    const calls = clientOf(api, tenant)
    return {
      ...calls,
      async quoted(body: object): Promise<{ quote_id: string; max: number }> {
        const answer = await calls.call('POST', QUOTES_PATH, { body })
        expect(answer).toMatchObject({ status: 200 })
        return { quote_id: String(answer.body.quote_id), max: Number(answer.body.max_micros) }
      },
    }
  }

  test('400 quote_not_found: unknown, of another organization, changed, used before', async () => {
    const { create, quoted } = client()
    const { quote_id } = await quoted(textBody())
    const notFound = { status: 400, code: 'quote_not_found', param: 'quote_id' }
    for (const wrong of ['', 'quote_', 'quote_x', `${quote_id}A`, quote_id.slice(6), quote_id.toLowerCase()])
      expectApiError(await create(textBody('', { quote_id: wrong })), notFound)
    const other = client(await api.openTenant())
    expectApiError(await other.create(textBody('', { quote_id })), notFound)
    expect(await create(textBody('', { quote_id }))).toMatchObject({ status: 200 })
    expectApiError(await create(textBody('', { quote_id })), { ...notFound, message: /used/ })
  })

  test('400 invalid_parameter for a quote_id that is no text or too long', async () => {
    const invalid = { status: 400, code: 'invalid_parameter', param: 'quote_id' }
    for (const wrong of [1, {}, [], true, 'q'.repeat(1_001)])
      expectApiError(await client().create(textBody('', { quote_id: wrong })), invalid)
    expect(await client().create(textBody('', { quote_id: null }))).toMatchObject({ status: 200 })
  })

  test('400 quote_mismatch for another order; metadata, callback_url and spellings may differ', async () => {
    const { create, quoted } = client()
    const { quote_id } = await quoted(textBody('', { duration: 5 }))
    for (const other of [
      textBody('x', { duration: 5 }),
      textBody('', { duration: 6 }),
      textBody(),
      textBodyB(),
    ])
      expectApiError(await create({ ...other, quote_id }), { status: 400, code: 'quote_mismatch' })
    const same = {
      duration: 5,
      ratio: null,
      metadata: { a: 1 },
      callback_url: 'https://example.com/x',
      quote_id,
    }
    expect(await create(textBody('', same))).toMatchObject({ status: 200 })
  })

  test('400 quote_expired after 15 minutes', async () => {
    const { create, quoted } = client()
    const { quote_id } = await quoted(textBody())
    api.time.nowMs += 15 * 60_000
    expectApiError(await create(textBody('', { quote_id })), { status: 400, code: 'quote_expired' })
  })

  test('402 stays possible, and leaves the quote unused', async () => {
    const tenant = await api.openTenant({ creditMicros: 762_300 })
    const { create, quoted } = client(tenant)
    const { quote_id } = await quoted(textBody())
    expect(await create(textBody())).toMatchObject({ status: 200 })
    expectApiError(await create(textBody('', { quote_id })), { status: 402 })
    await api.addCredit(tenant, 762_300)
    expect(await create(textBody('', { quote_id }))).toMatchObject({ status: 200 })
  })

  test('a vendor error leaves the quote unused', async () => {
    const { create, quoted } = client()
    const { quote_id } = await quoted(textBody('[busy]'))
    expectApiError(await create(textBody('[busy]', { quote_id })), { status: 429 })
    expectApiError(await create(textBody('[busy]', { quote_id })), { status: 429 })
  })

  test('an Idempotency-Key finds the first task, even after its quote is used', async () => {
    const { create, quoted } = client()
    const body = textBody('', await quoted(textBody()).then(({ quote_id }) => ({ quote_id })))
    const first = await create(body, 'quoted')
    expect(first).toMatchObject({ status: 200 })
    expect((await create(body, 'quoted')).body).toEqual(first.body)
  })

  test('of 20 simultaneous calls with one quote exactly one is accepted', async () => {
    const tenant = await api.openTenant()
    const { create, quoted } = client(tenant)
    const { quote_id, max } = await quoted(textBody())
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(textBody('', { quote_id }))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: max })
  })

  const ACT = {
    atMs: 0,
    actor: 'cli',
    action: 'test',
    organizationId: null,
    subject: '',
    detail: {},
  } as const
  const FAST = { model: 'vendorB/gen-v4-fast' }

  test('charges 550,000 micros as quoted where the vendor bills 600,000, and keeps the difference as our loss', async () => {
    const tenant = await api.openTenant()
    const { create, get, quoted } = client(tenant)
    const { quote_id, max } = await quoted(textBodyB('[credits]', FAST))
    expect(max).toBe(550_000)
    const { body } = await create(textBodyB('[credits]', { ...FAST, quote_id }))
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 550_000 })
    api.passSeconds(600)
    expect((await get(String(body.id))).body).toMatchObject({ status: 'succeeded' })
    expect(await api.moneyOf(tenant)).toEqual({ balance: 99_450_000, held: 0 })
    const entries = await api.store.operatorPages.entriesOfTask(String(body.id))
    expect(entries).toMatchObject([{ amountMicros: -550_000, lossMicros: 0, quoteLossMicros: 50_000 }])
    expect(api.lines.filter(({ event }) => event === 'task.loss')).toMatchObject([
      { fields: { taskId: body.id, count: 50_000 } },
    ])
    expect(api.lines.filter(({ event }) => event === 'task.above_hold')).toEqual([])
    await api.expectSound()
  })

  test('charges 600,000 micros for the same without a quote', async () => {
    const tenant = await api.openTenant()
    const { make, get } = client(tenant)
    const id = await make(textBodyB('[credits]', FAST))
    api.passSeconds(600)
    await get(id)
    expect(await api.moneyOf(tenant)).toEqual({ balance: 99_400_000, held: 0 })
  })

  test('charges the quoted 550,000 micros after the catalog has doubled its price, and after it has none', async () => {
    const tenant = await api.openTenant()
    const { create, get, quoted } = client(tenant)
    const quotes = [await quoted(textBodyB('', FAST)), await quoted(textBodyB('', FAST))]
    const model = (await api.store.models.list()).find(({ name }) => name === FAST.model)
    if (model === undefined) throw new Error('the model is in the catalog')
    const doubled = model.prices.map((row) => ({ ...row, priceMicros: micros(row.priceMicros * 2) }))
    for (const [index, prices] of [doubled, []].entries()) {
      const audit = { ...ACT, id: `aud_${index}` }
      await api.store.models.apply([{ model, prices }], audit)
      api.forgetPrices()
      const { body } = await create(textBodyB('', { ...FAST, quote_id: quotes[index]?.quote_id }))
      api.passSeconds(600)
      expect((await get(String(body.id))).body).toMatchObject({ status: 'succeeded' })
      expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000 - 550_000 * (index + 1), held: 0 })
    }
    expectApiError(await create(textBodyB('', FAST)), { status: 503, code: 'model_not_priced' })
    await api.expectSound()
  })
})

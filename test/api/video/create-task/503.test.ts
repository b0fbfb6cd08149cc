import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../../../../src/domain/api-error.ts'
import type { TaskStore } from '../../../../src/ports/tasks.ts'
import { clientOf, expectApiError, textBody, textBodyB } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

const V3 = { model: 'vendorB/gen-v3', content: [{ type: 'text', text: 'a cat' }] }

describe('POST /v1/video/generations', () => {
  let api: VideoApi
  /** Methods of the store that fail. */
  const away = new Set<keyof TaskStore>()
  let failsAfterBegin = false
  const unless = <Args extends unknown[], T>(
    name: keyof TaskStore,
    method: (...args: Args) => Promise<T>,
  ) => {
    return (...args: Args) =>
      away.has(name) ? Promise.reject(new ApiError('store_unavailable')) : method(...args)
  }
  beforeAll(async () => {
    api = await startVideoApi({
      without: ['vendorB'],
      around: ({ tasks, ...store }) => ({
        ...store,
        tasks: {
          ...tasks,
          begin: unless('begin', async (work) => {
            const begun = await tasks.begin(work)
            if (failsAfterBegin) throw new ApiError('store_unavailable')
            return begun
          }),
          accept: unless('accept', tasks.accept),
          forget: unless('forget', tasks.forget),
        },
      }),
    })
  })
  afterAll(() => api.close())

  test('the provider is not configured', async () => {
    const tenant = await api.openTenant()
    const refused = await clientOf(api, tenant).create(textBodyB(), 'key')
    expectApiError(refused, { status: 503, code: 'provider_not_configured' })
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 0 })
  })

  test('the model has no price', async () => {
    const fresh = await startVideoApi()
    onTestFinished(() => fresh.close())
    const model = (await fresh.store.models.list()).find(({ name }) => name === V3.model)
    if (model === undefined) throw new Error('gen-v3 is not in the catalog')
    const act = {
      id: 'aud_1',
      atMs: 0,
      actor: 'cli',
      action: 'test',
      organizationId: null,
      subject: '',
    } as const
    await fresh.store.models.apply([{ model, prices: [] }], { ...act, detail: {} })
    const { create } = clientOf(fresh, fresh.tenant)
    const image = { type: 'image_url', image_url: { url: 'https://media.example/a.png' } }
    const refused = await create({ ...V3, content: [...V3.content, image] })
    expectApiError(refused, { status: 503, code: 'model_not_priced' })
  })

  test.each(['[overdue]', '[closed]', '[broken]'])('%s: the provider is not available', async (word) => {
    const tenant = await api.openTenant()
    const refused = await clientOf(api, tenant).create(textBody(word))
    expectApiError(refused, { status: 503, code: 'provider_unavailable' })
    expect(JSON.stringify(refused.body)).not.toMatch(/overdue|account|key/i)
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 0 })
  })

  test.each(['lose-answer', 'garbage'] as const)(
    '%s: the provider may have accepted the request',
    async (kind) => {
      const tenant = await api.openTenant()
      const { create, list } = clientOf(api, tenant)
      await api.vendors.breakDown({ operation: 'create', times: 2, fault: { kind } })
      const withKey = await create(textBody(), 'key')
      expectApiError(withKey, { status: 503, code: 'provider_unavailable', message: /same Idempotency-Key/ })
      const withoutKey = await create(textBody())
      expectApiError(withoutKey, {
        status: 503,
        code: 'provider_unavailable',
        message: /may or may not have taken/,
      })
      // The tasks are unresolved: their money stays held, and no client sees them yet.
      expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 2 * 762_300 })
      expect(await list()).toMatchObject({ body: { data: [] } })
      await api.expectSound()
    },
  )

  test('the store is unreachable before the call', async () => {
    const tenant = await api.openTenant({ dailyUsd: '1' })
    const { create } = clientOf(api, tenant)
    const sent = (await api.vendors.requests()).length
    away.add('begin')
    for (let time = 0; time < 3; time += 1) {
      expectApiError(await create(textBody(), 'key'), { status: 503, code: 'store_unavailable' })
    }
    away.delete('begin')
    expect((await api.vendors.requests()).length).toBe(sent)
    // The day has room again, and the key is free.
    expect(await create(textBody(), 'key')).toMatchObject({ status: 200 })
  })

  test('the store began the task, but its answer was lost: key and money are free again', async () => {
    const tenant = await api.openTenant({ dailyUsd: '1' })
    const { create } = clientOf(api, tenant)
    failsAfterBegin = true
    expectApiError(await create(textBody(), 'key'), { status: 503, code: 'store_unavailable' })
    failsAfterBegin = false
    await expect.poll(() => api.moneyOf(tenant)).toMatchObject({ held: 0 })
    expect(await create(textBody(), 'key')).toMatchObject({ status: 200 })
    await api.expectSound()
  })

  test('the store is unreachable after the vendor accepted the task: the ticket is stored later', async () => {
    const tenant = await api.openTenant()
    const { create, list, get } = clientOf(api, tenant)
    away.add('accept')
    expectApiError(await create(textBody(), 'key'), { status: 503, code: 'store_unavailable' })
    expectApiError(await create(textBody(), 'key'), { status: 409, code: 'idempotency_key_in_use' })
    away.delete('accept')
    await expect.poll(() => create(textBody(), 'key')).toMatchObject({ status: 200 })
    const { body } = await create(textBody(), 'key')
    expect(await get(String(body.id))).toMatchObject({ status: 200, body: { status: 'queued' } })
    expect(await list()).toMatchObject({ body: { data: [{ id: body.id }] } })
  })

  test('the store is unreachable after the vendor refused the task: the money is released later', async () => {
    const tenant = await api.openTenant({ dailyUsd: '1' })
    const { create } = clientOf(api, tenant)
    away.add('forget')
    expectApiError(await create(textBody('[moderate]')), { status: 400, code: 'content_policy_violation' })
    expect(await api.moneyOf(tenant)).toMatchObject({ held: 762_300 })
    away.delete('forget')
    await expect.poll(() => api.moneyOf(tenant)).toMatchObject({ held: 0 })
    expect(await create(textBody())).toMatchObject({ status: 200 })
    await api.expectSound()
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, expectApiError, TASKS_PATH } from '../video/call-api.ts'
import { startVideoApi, type VideoApi } from '../video/start-video-api.ts'
import type { Tenant } from '../video/tenants.ts'
import { type AssetClient, assetClientOf } from './call-assets.ts'
import { watchOrders } from './watch-orders.ts'

const A = 'vendorA/gen-2.0'
const B = 'vendorB/gen-v4-std'
const HOUR_MS = 3_600_000
const TEXT = { type: 'text', text: 'a cat [instant]' }
const image = (id: string, role?: string) => ({
  type: 'image_url',
  image_url: { url: `asset://${id}` },
  role,
})
const video = (id: string) => ({ type: 'video_url', video_url: { url: `asset://${id}` } })

describe('assets in a create request', () => {
  let api: VideoApi
  let tenant: Tenant
  let client: AssetClient
  const orders = watchOrders()
  beforeAll(async () => {
    api = await startVideoApi({ assetPatienceMs: 3_000, vendorAround: orders.around })
    tenant = await api.openTenant()
    client = assetClientOf(api, tenant)
  })
  afterEach(() => api.vendors.clearFaults())
  afterAll(() => api.close())

  const create = (model: string, ...content: object[]) =>
    client.call('POST', TASKS_PATH, { body: { model, content: [TEXT, ...content] } })

  test('family A gets the address at the vendor, and the clip is made', async () => {
    const id = await client.makeActive()
    const { status, body } = await create(A, image(id, 'reference_image'))
    expect(status).toBe(200)
    const [asset] = await api.store.assets.findAll({ ids: [id], ...tenant })
    expect(orders.lastUrls()).toEqual([`asset://${asset?.ticket}`])
    expect(asset?.ticket).not.toBe(id)
    const done = await clientOf(api, tenant).get(String(body.id))
    expect(done.body).toMatchObject({ status: 'succeeded' })
  })

  test('family B gets a signed link that works', async () => {
    const id = await client.makeActive()
    const { body: asset } = await client.getAsset(id)
    expect(await create(B, image(id, 'first_frame'))).toMatchObject({ status: 200 })
    expect(orders.lastUrls()).toEqual([asset.url])
  })

  test('family B gets a fresh link in place of an old one', async () => {
    const id = await client.makeActive()
    const { body: asset } = await client.getAsset(id)
    api.time.nowMs += 7 * HOUR_MS
    expect(await create(B, image(id, 'first_frame'))).toMatchObject({ status: 200 })
    const [url = ''] = orders.lastUrls()
    expect(url).not.toBe(asset.url)
    expect((await fetch(url)).status).toBe(200)
  })

  test('family B: while the asset service is unreachable only a link that still works is used', async () => {
    const id = await client.makeActive()
    await api.vendors.breakDown({
      part: 'vendor-a-assets',
      operation: 'get-asset',
      times: 2,
      fault: { kind: 'status', status: 500 },
    })
    api.time.nowMs += 7 * HOUR_MS
    expect(await create(B, image(id, 'first_frame'))).toMatchObject({ status: 200 })
    api.time.nowMs += 5 * HOUR_MS
    const money = await api.moneyOf(tenant)
    const refused = await create(B, image(id, 'first_frame'))
    expectApiError(refused, { status: 503, code: 'provider_unavailable' })
    expect(await api.moneyOf(tenant)).toEqual(money)
  })

  test('one asset twice, with a link of the client', async () => {
    const id = await client.makeActive()
    const own = { type: 'image_url', image_url: { url: 'https://media.example/own.png' } }
    expect(await create(A, image(id), own, image(id))).toMatchObject({ status: 200 })
    const [first, second, third] = orders.lastUrls()
    expect([second, third]).toEqual(['https://media.example/own.png', first])
  })

  test('an asset that became active after its last poll can be used immediately', async () => {
    const id = await client.make()
    expect(await create(A, image(id))).toMatchObject({ status: 200 })
  })

  describe('400 before any money is held', () => {
    const expectUnusable = async (answer: ReturnType<typeof create>, param: string, message: RegExp) => {
      const money = await api.moneyOf(tenant)
      const made = orders.count()
      expectApiError(await answer, { status: 400, code: 'asset_not_usable', param, message })
      expect(await api.moneyOf(tenant)).toEqual(money)
      expect(orders.count()).toBe(made)
    }

    test.each([A, B])('%s: unknown', async (model) => {
      await expectUnusable(create(model, image('asset_1')), 'content[1].image_url.url', /no such asset/)
    })

    test.each([A, B])('%s: of another type', async (model) => {
      const id = await client.makeActive()
      const item = { ...video(id), tag: 'street' }
      await expectUnusable(create(model, item), 'content[1].video_url.url', /type Image, not Video/)
    })

    test('still processing', async () => {
      const id = await client.make({ url: 'https://media.example/stuck.png' })
      await expectUnusable(create(A, image(id)), 'content[1].image_url.url', /is processing/)
    })

    test('failed', async () => {
      const id = await client.make({ url: 'https://media.example/moderated-instant.png' })
      await expectUnusable(create(A, image(id)), 'content[1].image_url.url', /is failed/)
    })

    test('the second of two', async () => {
      const id = await client.makeActive()
      await expectUnusable(create(A, image(id), image('asset_1')), 'content[2].image_url.url', /no such/)
    })
  })

  describe('a verified person', () => {
    let portrait: string
    beforeAll(async () => {
      portrait = await client.makeActive({ group_id: await client.verify() })
    })

    test.each(['vendorA/gen-2.0', 'vendorA/gen-2.0-fast'])('is shown by %s', async (model) => {
      expect(await create(model, image(portrait, 'reference_image'))).toMatchObject({ status: 200 })
      expect(orders.lastUrls()).toEqual([expect.stringMatching(/^asset:\/\//)])
    })

    test.each(['vendorB/gen-v4-std', 'vendorB/gen-v3'])('is not shown by %s', async (model) => {
      const money = await api.moneyOf(tenant)
      expectApiError(await create(model, image(portrait)), {
        status: 400,
        code: 'asset_not_usable',
        param: 'content[1].image_url.url',
        message: /vendorA/,
      })
      expect(await api.moneyOf(tenant)).toEqual(money)
    })

    test('is not shown beside a video', async () => {
      const street = await client.makeActive({
        url: 'https://media.example/street-instant.mp4',
        asset_type: 'Video',
      })
      expectApiError(await create(A, image(portrait, 'reference_image'), video(street)), {
        status: 400,
        code: 'asset_not_usable',
        param: 'content[2].type',
      })
    })
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { type AssetClient, assetClientOf, itemsOf } from '../call-assets.ts'

const HOUR_MS = 3_600_000

describe('GET /v1/video/assets', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi({ assetPatienceMs: 3_000 })
  })
  afterEach(() => api.vendors.clearFaults())
  afterAll(() => api.close())

  const open = async () => assetClientOf(api, await api.openTenant())

  test('is an empty page for an organization without assets', async () => {
    const { status, headers, body } = await (await open()).listAssets()
    expect(headers.get('cache-control')).toBe('no-store')
    expect({ status, body }).toEqual({
      status: 200,
      body: { object: 'list', items: [], total_count: 0, page_number: 1, page_size: 10 },
    })
  })

  test('shows assets as they were last seen, without `object`, newest first', async () => {
    const client = await open()
    const first = await client.makeActive({ name: 'Cat' })
    api.time.nowMs += 1_000
    const second = await client.make({ url: 'https://media.example/street-instant.mp4', asset_type: 'Video' })
    const asked = (await api.vendors.requests()).length
    expect((await client.listAssets()).body).toEqual({
      object: 'list',
      items: [
        {
          id: second,
          asset_type: 'Video',
          status: 'processing',
          created_at: expect.any(String),
          updated_at: expect.any(String),
        },
        {
          id: first,
          name: 'Cat',
          asset_type: 'Image',
          status: 'active',
          url: expect.stringMatching(/^http/),
          created_at: expect.stringMatching(/Z$/),
          updated_at: expect.stringMatching(/Z$/),
        },
      ],
      total_count: 2,
      page_number: 1,
      page_size: 10,
    })
    expect((await api.vendors.requests()).length).toBe(asked)
  })

  describe('of twelve assets', () => {
    let client: AssetClient
    const ids: string[] = []
    beforeAll(async () => {
      client = await open()
      for (let at = 0; at < 12; at += 1) {
        api.time.nowMs += 1_000
        const file = at % 3 === 0 ? 'moderated-instant.png' : 'cat-instant.png'
        ids.push(await client.make({ url: `https://media.example/${file}`, name: `Cat ${at} 100%` }))
        if (at < 9) await client.getAsset(ids[at] ?? '')
      }
    })

    const shown = async (query: string) => {
      const { body } = await client.listAssets(query)
      const places = itemsOf({ body }).map((item) => ids.indexOf(String(Object(item).id)))
      return { places, total: body.total_count, page: body.page_number, size: body.page_size }
    }

    test.each([
      ['', [11, 10, 9, 8, 7, 6, 5, 4, 3, 2], 12, 1, 10],
      ['?page=2', [1, 0], 12, 2, 10],
      ['?page=3', [], 12, 3, 10],
      ['?limit=5&page=2', [6, 5, 4, 3, 2], 12, 2, 5],
      ['?limit=500', [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], 12, 1, 100],
      ['?sort_by=create_time&sort_order=asc&limit=3', [0, 1, 2], 12, 1, 3],
      ['?sort_by=update_time&sort_order=desc&limit=2', [11, 10], 12, 1, 2],
      ['?status=failed', [6, 3, 0], 3, 1, 10],
      ['?status=processing', [11, 10, 9], 3, 1, 10],
      ['?status=failed,processing&limit=4', [11, 10, 9, 6], 6, 1, 4],
      ['?name=cat%201', [11, 10, 1], 3, 1, 10],
      ['?name=%25&limit=1', [11], 12, 1, 1],
      ['?name=_', [], 0, 1, 10],
      ['?name=dog', [], 0, 1, 10],
    ])('%s', async (query, places, total, page, size) => {
      expect(await shown(query)).toEqual({ places, total, page, size })
    })
  })

  test('keeps the default group and the group of a person apart', async () => {
    const client = await open()
    const group = await client.verify()
    const portrait = await client.make({ group_id: group })
    const other = await client.make()
    expect(itemsOf(await client.listAssets())).toMatchObject([{ id: other }])
    expect(itemsOf(await client.listAssets(`?group_id=${group}`))).toMatchObject([
      { id: portrait, group_id: group },
    ])
  })

  test('renews old links with one call for the page', async () => {
    const client = await open()
    for (let at = 0; at < 5; at += 1) await client.makeActive({ name: `Cat ${at}` })
    const before = itemsOf(await client.listAssets())
    api.time.nowMs += 6 * HOUR_MS
    const asked = (await api.vendors.requests()).length
    const after = itemsOf(await client.listAssets())
    expect((await api.vendors.requests()).slice(asked)).toEqual(['vendor-a-assets list-assets'])
    expect(after).toEqual(
      before.map((item) => ({ ...Object(item), url: expect.not.stringMatching(Object(item).url) })),
    )
    expect(itemsOf(await client.listAssets())).toEqual(after)
    expect((await api.vendors.requests()).length).toBe(asked + 1)
  })

  test.each<[string, Parameters<VideoApi['vendors']['breakDown']>[0]['fault']]>([
    ['is broken', { kind: 'status', status: 500 }],
    ['says nothing', { kind: 'hang' }],
  ])('keeps the links it has when the vendor %s', async (_name, fault) => {
    const client = await open()
    await client.makeActive()
    const before = itemsOf(await client.listAssets())
    api.time.nowMs += 6 * HOUR_MS
    await api.vendors.breakDown({ part: 'vendor-a-assets', operation: 'list-assets', times: 1, fault })
    expect(itemsOf(await client.listAssets())).toEqual(before)
  })
})

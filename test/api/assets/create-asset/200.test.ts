import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { type AssetClient, assetClientOf, IMAGE, itemsOf } from '../call-assets.ts'

describe('POST /v1/video/assets', () => {
  let api: VideoApi
  let client: AssetClient
  beforeAll(async () => {
    api = await startVideoApi()
    client = assetClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each([
    ['an image', IMAGE],
    ['a video', { url: 'https://media.example/street.mp4', asset_type: 'Video', name: 'A street' }],
    ['audio', { url: 'https://media.example/song.mp3', asset_type: 'Audio', name: '歌'.repeat(64) }],
    ['texts that are null', { ...IMAGE, group_id: null, name: null }],
    ['unknown fields', { ...IMAGE, colour: 'red' }],
  ])('takes %s', async (_name, body) => {
    const { status, body: created } = await client.upload(body)
    expect({ status, created }).toEqual({
      status: 200,
      created: {
        id: expect.stringMatching(/^asset_[0-9a-f]{32}$/),
        object: 'video.asset',
        status: 'processing',
      },
    })
  })

  test('everything without a group goes into one default group', async () => {
    const fresh = assetClientOf(api, await api.openTenant())
    const ids = [await fresh.make(), await fresh.make({ name: 'second' })]
    expect(itemsOf(await fresh.listAssets()).map((item) => Object(item).id)).toEqual(ids.reverse())
  })

  test('a portrait goes into the group of its person', async () => {
    const group = await client.verify(2)
    const id = await client.make({ group_id: group })
    expect(await client.getAsset(id)).toMatchObject({ body: { group_id: group } })
    expect(itemsOf(await client.listAssets(`?group_id=${group}`))).toMatchObject([{ id, group_id: group }])
  })

  test('costs nothing, not even for an organization without money', async () => {
    const poor = await api.openTenant({ creditMicros: 0 })
    expect(await assetClientOf(api, poor).upload()).toMatchObject({ status: 200 })
    expect(await api.moneyOf(poor)).toEqual({ balance: 0, held: 0 })
  })
})

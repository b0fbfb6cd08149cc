import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { type AssetClient, assetClientOf, CALLBACK_URL, visit } from '../call-assets.ts'

describe('POST /v1/video/assets/sessions', () => {
  let api: VideoApi
  let client: AssetClient
  beforeAll(async () => {
    api = await startVideoApi()
    client = assetClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each([
    [undefined, 'zh', 'zh-Hans'],
    [null, 'zh', 'zh-Hans'],
    ['zh', 'zh', 'zh-Hans'],
    ['en', 'en', 'en'],
    ['zh-Hant', 'zh-Hant', 'zh-Hant'],
  ])('with lang %j returns a link to a page in %s', async (lang, chosen, tag) => {
    const { status, headers, body } = await client.startSession({ callback_url: CALLBACK_URL, lang })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        object: 'video.asset_session',
        status: 'pending',
        h5_link: expect.stringContaining(`lng=${chosen}`),
      },
    })
    expect(headers.get('cache-control')).toBe('no-store')
    const page = await visit(String(body.h5_link))
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining(`lang="${tag}"`) })
  })

  test.each(['https://192.168.0.7/here', 'https://localhost:3000/', 'https://例.example/路?名=值#片'])(
    'accepts any address that a browser can reach: %s',
    async (callback_url) => {
      expect(await client.startSession({ callback_url })).toMatchObject({ status: 200 })
    },
  )

  test('neither the link nor the redirect of the vendor has the address of the client', async () => {
    const { body } = await client.startSession()
    const { location } = await visit(`${body.h5_link}&ending=cancelled&person=1`)
    const pattern = /\/v1\/video\/assets\/sessions\/return\/[\w-]{43}\?/
    expect(location).toMatch(new RegExp(`^${api.url}${pattern.source}`))
    expect(`${body.h5_link} ${location}`).not.toContain('client.example')
  })
})

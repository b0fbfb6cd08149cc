import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectApiError } from '../../video/call-api.ts'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { type AssetClient, assetClientOf, CALLBACK_URL } from '../call-assets.ts'

describe('POST /v1/video/assets/sessions', () => {
  let api: VideoApi
  let client: AssetClient
  beforeAll(async () => {
    api = await startVideoApi()
    client = assetClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test('the body must be valid JSON', async () => {
    const refused = await client.startSession('{')
    expectApiError(refused, { status: 400, code: 'invalid_json', message: /^body must be valid JSON$/ })
  })

  test.each([{}, { callback_url: null }, { callback_url: ' ' }])('%j: no callback_url', async (body) => {
    expectApiError(await client.startSession(body), {
      status: 400,
      code: 'missing_parameter',
      param: 'callback_url',
      message: /^callback_url is required$/,
    })
  })

  test.each([
    'http://client.example/',
    'javascript:alert(1)',
    '//client.example/',
    'https:client.example',
    'https://user@client.example/',
    'https://client.example\\@evil.example/',
    'client.example',
    7,
  ])('%j is not a valid https URL', async (callback_url) => {
    const asked = (await api.vendors.requests()).length
    expectApiError(await client.startSession({ callback_url }), {
      status: 400,
      code: 'invalid_parameter',
      param: 'callback_url',
      message: /^callback_url must be a valid https URL$/,
    })
    expect((await api.vendors.requests()).length).toBe(asked)
  })

  test.each(['EN', 'de', 'zh-hant', 7])('lang %j is not offered', async (lang) => {
    expectApiError(await client.startSession({ callback_url: CALLBACK_URL, lang }), {
      status: 400,
      code: 'invalid_parameter',
      param: 'lang',
      message: /^lang must be zh, en, or zh-Hant$/,
    })
  })
})

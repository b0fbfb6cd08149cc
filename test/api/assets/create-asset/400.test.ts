import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectApiError } from '../../video/call-api.ts'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { type AssetClient, assetClientOf, IMAGE } from '../call-assets.ts'

describe('POST /v1/video/assets', () => {
  let api: VideoApi
  let client: AssetClient
  beforeAll(async () => {
    api = await startVideoApi()
    client = assetClientOf(api, api.tenant)
  })
  afterEach(() => api.vendors.clearFaults())
  afterAll(() => api.close())

  test('the body must be valid JSON', async () => {
    const refused = await client.upload('{"url":')
    expectApiError(refused, { status: 400, code: 'invalid_json', message: /^body must be valid JSON$/ })
  })

  test.each([
    ['no url', { asset_type: 'Image' }, 'missing_parameter', 'url'],
    ['an empty url', { ...IMAGE, url: '' }, 'missing_parameter', 'url'],
    ['HTTP', { ...IMAGE, url: 'http://media.example/a.png' }, 'invalid_parameter', 'url'],
    ['another asset', { ...IMAGE, url: 'asset://asset_1' }, 'invalid_parameter', 'url'],
    ['a private address', { ...IMAGE, url: 'https://10.0.0.1/a.png' }, 'invalid_parameter', 'url'],
    ['no asset_type', { url: IMAGE.url }, 'missing_parameter', 'asset_type'],
    ['another spelling', { ...IMAGE, asset_type: 'image' }, 'invalid_parameter', 'asset_type'],
    ['an unknown type', { ...IMAGE, asset_type: 'Text' }, 'invalid_parameter', 'asset_type'],
    ['a long name', { ...IMAGE, name: 'x'.repeat(65) }, 'invalid_parameter', 'name'],
    ['a name that is a number', { ...IMAGE, name: 7 }, 'invalid_parameter', 'name'],
  ])('%s is refused before the vendor is asked', async (_name, body, code, param) => {
    const asked = (await api.vendors.requests()).length
    expectApiError(await client.upload(body), { status: 400, code, param })
    expect((await api.vendors.requests()).length).toBe(asked)
  })

  test.each([['group_1'], [`group_${'0'.repeat(32)}`], [''.padEnd(5_000, 'g')], ["'; --"], [7], [{}]])(
    'an invalid group: %j',
    async (group) => {
      const refused = await client.upload({ ...IMAGE, group_id: group })
      expectApiError(refused, {
        status: 400,
        code: 'group_id_error',
        param: 'group_id',
        message: /^group id error$/,
      })
    },
  )

  test('the vendor refuses the content', async () => {
    await api.vendors.breakDown({
      part: 'vendor-a-assets',
      operation: 'create-asset',
      times: 1,
      fault: { kind: 'status', status: 400, body: vendorError('InputImageSensitiveContentDetected') },
    })
    expectApiError(await client.upload(), { status: 400, code: 'content_policy_violation' })
  })

  test('the vendor refuses a parameter of the client', async () => {
    await api.vendors.breakDown({
      part: 'vendor-a-assets',
      operation: 'create-asset',
      times: 1,
      fault: { kind: 'status', status: 400, body: vendorError('InvalidParameter.Name') },
    })
    expectApiError(await client.upload(), { status: 400, code: 'invalid_parameter', param: 'name' })
  })
})

function vendorError(Code: string): object {
  return { ResponseMetadata: { RequestId: '1', Error: { Code, Message: 'no' } } }
}

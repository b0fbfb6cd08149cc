import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectApiError } from '../../video/call-api.ts'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { type AssetClient, assetClientOf } from '../call-assets.ts'

/** A vendor that is busy has not failed: the client is told when to come back, in this flow as in any other. */
describe('POST /v1/video/assets/sessions', () => {
  let api: VideoApi
  let client: AssetClient
  beforeAll(async () => {
    api = await startVideoApi()
    client = assetClientOf(api, api.tenant)
  })
  afterEach(() => api.vendors.clearFaults())
  afterAll(() => api.close())

  const breakDown = (fault: Parameters<VideoApi['vendors']['breakDown']>[0]['fault']) =>
    api.vendors.breakDown({ part: 'vendor-a-assets', operation: 'create-session', times: 1, fault })
  const error = (Code: string) => ({ ResponseMetadata: { Error: { Code, Message: 'no' } } })

  test.each([
    ['7', '7'],
    [undefined, '1'],
  ])('the vendor is busy; its Retry-After is %s, ours %s', async (theirs, ours) => {
    const headers: Record<string, string> = theirs === undefined ? {} : { 'retry-after': theirs }
    await breakDown({ kind: 'status', status: 429, headers })
    const refused = await client.startSession()
    expectApiError(refused, { status: 429, code: 'upstream_busy' })
    expect(refused.headers.get('retry-after')).toBe(ours)
  })

  test('the busy vendor may use any status', async () => {
    await breakDown({ kind: 'status', status: 200, body: error('FlowLimitExceeded') })
    expectApiError(await client.startSession(), { status: 429, code: 'upstream_busy' })
  })

  test('a limit of our account is our fault, whatever its status: 502', async () => {
    await breakDown({ kind: 'status', status: 429, body: error('SetLimitExceeded') })
    expectApiError(await client.startSession(), { status: 502, code: 'upstream_error' })
  })

  test('the gateway does not block the next session after a busy vendor', async () => {
    await breakDown({ kind: 'status', status: 429 })
    await client.startSession()
    expect(await client.startSession()).toMatchObject({ status: 200 })
  })
})

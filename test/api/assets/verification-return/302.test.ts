import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { type AssetClient, assetClientOf, CALLBACK_URL, visit } from '../call-assets.ts'

const MINUTE_MS = 60_000

describe('GET /v1/video/assets/sessions/return/{state}', () => {
  let api: VideoApi
  let client: AssetClient
  let exchanges: string[]
  /** Time of the vendor's clock; undefined: our time. */
  let vendorNowMs: number | undefined
  beforeAll(async () => {
    exchanges = []
    api = await startVideoApi({
      assetDriver: (driver) => ({
        ...driver,
        async exchange(token) {
          exchanges.push(token)
          const { nowMs } = api.time
          api.time.nowMs = vendorNowMs ?? nowMs
          const outcome = await driver.exchange(token, 'org_1')
          api.time.nowMs = nowMs
          return outcome
        },
      }),
    })
    client = assetClientOf(api, api.tenant)
  })
  afterEach(() => api.vendors.clearFaults())
  afterAll(() => api.close())

  test('after a success the browser goes on with the group of the person', async () => {
    const { status, headers, location, text } = await visit(await client.scan())
    expect({ status, text }).toEqual({ status: 302, text: '' })
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(location?.startsWith(`${CALLBACK_URL}&resultCode=10000&group_id=group_`)).toBe(true)
    const { order, group_id, consent_url, ...reported } = Object.fromEntries(
      new URL(String(location)).searchParams,
    )
    expect({ order, reported }).toEqual({
      order: '7',
      reported: {
        resultCode: '10000',
        verify_type: 'real_time',
        algorithmBaseRespCode: '0',
        reqMeasureInfoValue: '1',
      },
    })
    expect(consent_url).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/v1\/video\/assets\/sessions\/consent\/[\w-]{43}$/,
    )
    expect(
      await client.upload({ url: 'https://a.example/b.png', asset_type: 'Image', group_id }),
    ).toMatchObject({
      status: 200,
    })
  })

  test('the redirect does not have the token of the vendor', async () => {
    const back = await client.scan()
    const token = new URL(back).searchParams.get('VerifyToken')
    const { location } = await visit(back)
    expect(token).toMatch(/./)
    expect(location).not.toContain(token)
    expect(location).not.toMatch(/token/i)
  })

  test.each([
    ['mismatch', '10002', '50411', '1', 'real_time'],
    ['cancelled', '10003', '0', '0', 'real_time'],
    ['pre-recorded', 'exchange_failed', '0', '1', 'pre_record'],
  ])('%s: no group, and the vendor is not called', async (ending, resultCode, sub, billed, verifyType) => {
    const asked = exchanges.length
    const { status, location } = await visit(await client.scan({ ending }))
    expect(status).toBe(302)
    expect(location).toBe(
      `${CALLBACK_URL}&resultCode=${resultCode}&verify_type=${verifyType}&algorithmBaseRespCode=${sub}&reqMeasureInfoValue=${billed}`,
    )
    expect(exchanges.length).toBe(asked)
  })

  test('one group per person: a second verification returns it, and another person gets another', async () => {
    const fresh = assetClientOf(api, await api.openTenant())
    const [first, again, other] = [await fresh.verify(1), await fresh.verify(1), await fresh.verify(2)]
    expect(again).toBe(first)
    expect(other).not.toBe(first)
  })

  test('two organizations that verified one person get one group each', async () => {
    const [one, two] = [
      assetClientOf(api, await api.openTenant()),
      assetClientOf(api, await api.openTenant()),
    ]
    const groups = [await one.verify(3), await two.verify(3)]
    expect(new Set(groups).size).toBe(2)
    expect(
      await one.upload({ url: 'https://a.example/b.png', asset_type: 'Image', group_id: groups[1] }),
    ).toMatchObject({
      status: 400,
    })
  })

  test('a reload repeats the answer for half an hour after the end, with any query', async () => {
    const back = await client.scan()
    api.time.nowMs += 29 * MINUTE_MS
    const { location } = await visit(back)
    expect(location).toContain('group_id=group_')
    const asked = exchanges.length
    const bare = back.replace(/\?.*/, '')
    api.time.nowMs += 30 * MINUTE_MS - 1
    for (const url of [back, bare, `${bare}?resultCode=10003`]) {
      expect(await visit(url)).toMatchObject({ status: 302, location })
    }
    expect(exchanges.length).toBe(asked)
  })

  test('a scan that began in time may end a little later', async () => {
    const back = await client.scan()
    const scannedAtMs = api.time.nowMs
    api.time.nowMs += 35 * MINUTE_MS - 1
    // A token of the sandbox expires with its link; the token of a real vendor may live longer.
    vendorNowMs = scannedAtMs
    const { status, location } = await visit(back)
    vendorNowMs = undefined
    expect({ status, location }).toEqual({
      status: 302,
      location: expect.stringContaining('group_id=group_'),
    })
    api.time.nowMs += 30 * MINUTE_MS - 1
    expect(await visit(back)).toMatchObject({ status: 302, location })
  })

  test('a success without a live face is a failure, and the vendor is not called', async () => {
    const back = new URL(await client.scan())
    const asked = exchanges.length
    back.searchParams.set('verify_type', 'something_new')
    const { location } = await visit(back.href)
    expect(location).toContain(`${CALLBACK_URL}&resultCode=exchange_failed`)
    expect(location).not.toContain('group_id')
    expect(exchanges.length).toBe(asked)
  })

  test('a denial is final', async () => {
    const back = await client.scan()
    const bare = back.replace(/\?.*/, '')
    const denied = await visit(`${bare}?resultCode=10003`)
    expect(denied.location).toBe(`${CALLBACK_URL}&resultCode=10003`)
    expect(await visit(back)).toMatchObject({ status: 302, location: denied.location })
  })

  test('one of twenty simultaneous visits calls the vendor, and all get the same redirect', async () => {
    const back = await client.scan()
    const asked = exchanges.length
    const visits = await Promise.all(Array.from({ length: 20 }, () => visit(back)))
    expect(new Set(visits.map(({ location }) => location)).size).toBe(1)
    expect(visits[0]?.location).toContain('group_id=group_')
    expect(exchanges.length).toBe(asked + 1)
  })

  test.each<[string, Parameters<VideoApi['vendors']['breakDown']>[0]['fault']]>([
    ['refuses our key', { kind: 'status', status: 401 }],
    ['talks nonsense', { kind: 'garbage' }],
    ['hangs up', { kind: 'lose-answer' }],
  ])('a success that the vendor does not confirm, because it %s, is a failure', async (_name, fault) => {
    const back = await client.scan()
    const asked = exchanges.length
    await api.vendors.breakDown({ part: 'vendor-a-assets', operation: 'get-session-result', times: 1, fault })
    const { location } = await visit(back)
    expect(location).toContain(`${CALLBACK_URL}&resultCode=exchange_failed`)
    expect(location).not.toContain('group_id')
    // The token is exchanged once: a second visit does not call the vendor, although it would now answer.
    expect(await visit(back)).toMatchObject({ status: 302, location })
    expect(exchanges.length).toBe(asked + 1)
  })

  test.each([429, 500, 503])(
    'a vendor that answers %i has not used the token, and is called again',
    async (status) => {
      const back = await client.scan()
      const asked = exchanges.length
      const fault = { kind: 'status', status } as const
      await api.vendors.breakDown({
        part: 'vendor-a-assets',
        operation: 'get-session-result',
        times: 2,
        fault,
      })
      expect((await visit(back)).location).toContain('group_id=group_')
      expect(exchanges.length).toBe(asked + 3)
    },
  )

  test('HEAD uses nothing up', async () => {
    const back = await client.scan()
    const head = await fetch(back, { method: 'HEAD', redirect: 'manual' })
    expect({ status: head.status, location: head.headers.get('location') }).toEqual({
      status: 204,
      location: null,
    })
    expect((await visit(back)).location).toContain('group_id=group_')
  })
})

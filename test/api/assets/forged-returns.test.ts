import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startVideoApi, type VideoApi } from '../video/start-video-api.ts'
import { type AssetClient, assetClientOf, CALLBACK_URL, visit } from './call-assets.ts'

const EVIL = 'https://evil.example/'

/** Forms of an address to which a forged redirect could lead. */
const PLACES = [
  EVIL,
  '//evil.example',
  '/\\evil.example',
  'javascript:alert(1)',
  'https://client.example@evil.example/',
  '%0d%0alocation:%20https://evil.example',
  'https://client.example.evil.example/',
]

const NAMES = ['callback_url', 'redirect', 'redirect_uri', 'next', 'url', 'return', 'location', 'CallbackURL']

const OPEN_REDIRECTS = NAMES.flatMap((name) => PLACES.map((place) => `${name}=${place}`))

/** Forms of a success code that the vendor did not send. */
const CODES = [
  'resultCode=10000',
  'resultCode=10000&resultCode=10000',
  'resultCode=10002&resultCode=10000',
  'resultCode=10000&resultCode=10002',
  'resultCode[]=10000',
  'resultcode=10000',
  'result_code=10000',
  'ResultCode=10000',
  'resultCode=%31%30%30%30%30',
  'resultCode=10000%00',
  'resultCode=%2B10000',
  'resultCode=1e4',
  'resultCode=10000.0',
  'resultCode=0',
  '__proto__[resultCode]=10000',
]
const CLAIMS = [
  '',
  '&group_id=group_1',
  '&GroupId=group-1',
  '&verify_type=real_time&group_id=group_1&group_id=group_2',
  '&VerifyToken=another',
]

const FORGERIES = CODES.flatMap((code) => CLAIMS.map((claim) => code + claim))

describe('values from a browser are not trusted', () => {
  let api: VideoApi
  let client: AssetClient
  beforeAll(async () => {
    api = await startVideoApi()
    client = assetClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  /** Expects the stored address with the parameters of the contract, and nothing that the visitor sent. */
  const expectAtHome = (location: string | null) => {
    expect(location?.startsWith(`${CALLBACK_URL}&resultCode=`)).toBe(true)
    const { origin, searchParams } = new URL(String(location))
    expect(origin).toBe('https://client.example')
    expect(String(location)).not.toMatch(/evil|javascript|another/)
    return searchParams
  }
  const addressOf = async (ending: string) => (await client.scan({ ending })).replace(/\?.*/, '')

  test('there are at least 130 cases', () =>
    expect(OPEN_REDIRECTS.length + FORGERIES.length).toBeGreaterThanOrEqual(130))

  test.each(FORGERIES)('after a failed scan: %s', async (query) => {
    const reported = expectAtHome((await visit(`${await addressOf('mismatch')}?${query}`)).location)
    expect(reported.getAll('group_id')).toEqual([])
    expect(reported.getAll('resultCode')).toHaveLength(1)
    expect(reported.get('resultCode')).not.toBe('10000')
  })

  test.each(OPEN_REDIRECTS)('another redirect address: %s', async (query) => {
    const reported = expectAtHome(
      (await visit(`${await addressOf('cancelled')}?resultCode=10000&${query}`)).location,
    )
    expect(reported.getAll('group_id')).toEqual([])
  })

  test('a recording is refused with any query', async () => {
    for (const type of ['pre_record', 'PRE_RECORD', 'real_time&verify_type=pre_record', 'pre-record']) {
      const reported = expectAtHome(
        (await visit(`${await addressOf('pre-recorded')}?resultCode=10000&verify_type=${type}`)).location,
      )
      expect(reported.getAll('group_id')).toEqual([])
      expect(reported.get('resultCode')).toBe('exchange_failed')
    }
  })

  test('after a real success the group comes from our own exchange, not from the query', async () => {
    const stranger = assetClientOf(api, await api.openTenant())
    const foreign = await stranger.verify(2)
    const back = await client.scan({ person: 1 })
    const reported = expectAtHome((await visit(`${back}&group_id=${foreign}&GroupId=${foreign}`)).location)
    expect(reported.getAll('group_id')).toEqual([await client.verify(1)])
    expect(reported.get('group_id')).not.toBe(foreign)
  })

  test('a forged success binds no person to the organization', async () => {
    const { organizationId } = await api.openTenant()
    expect(await api.store.assets.findGroup({ id: 'group_1', organizationId })).toBeUndefined()
    const lonely = assetClientOf(api, await api.openTenant())
    for (const query of FORGERIES.slice(0, 10)) {
      const back = (await lonely.scan({ ending: 'mismatch' })).replace(/\?.*/, '')
      expect((await visit(`${back}?${query}`)).location).not.toContain('group_id')
    }
  })
})

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../../../../src/domain/api-error.ts'
import { WORDS } from '../../../../src/http/operations/verification-return/words.ts'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { assetClientOf, visit } from '../call-assets.ts'

describe('GET /v1/video/assets/sessions/return/{state}', () => {
  let api: VideoApi
  let isAway = false
  const unless = <Args extends unknown[], T>(method: (...args: Args) => Promise<T>) => {
    return (...args: Args) => (isAway ? Promise.reject(new ApiError('store_unavailable')) : method(...args))
  }
  let awayAt: 'find' | 'bindPerson' = 'find'
  beforeAll(async () => {
    api = await startVideoApi({
      around: (store) => ({
        ...store,
        assets: {
          ...store.assets,
          bindPerson: (...args) =>
            awayAt === 'bindPerson'
              ? unless(store.assets.bindPerson)(...args)
              : store.assets.bindPerson(...args),
        },
        verifications: {
          ...store.verifications,
          find: (digest) =>
            awayAt === 'find' ? unless(store.verifications.find)(digest) : store.verifications.find(digest),
        },
      }),
    })
  })
  afterAll(() => api.close())

  test('the store is unreachable: a page asks to try again, and nothing is used up', async () => {
    awayAt = 'find'
    const back = await assetClientOf(api, api.tenant).scan()
    isAway = true
    const { status, headers, text } = await visit(back)
    isAway = false
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
    expect(text).toContain(WORDS.en.problems.unavailable.title)
    expect((await visit(back)).location).toContain('group_id=group_')
  })

  test.each([429, 500])('the vendor keeps answering %i: a page, and a reload tries again', async (code) => {
    const hasty = await startVideoApi({ assetPatienceMs: 250 })
    onTestFinished(() => hasty.close())
    const { vendors, lines } = hasty
    const back = await assetClientOf(hasty, hasty.tenant).scan({ lang: 'en' })
    const fault = { kind: 'status', status: code } as const
    await vendors.breakDown({ part: 'vendor-a-assets', operation: 'get-session-result', fault })
    const { status, headers, location, text } = await visit(back)
    expect({ status, location }).toEqual({ status: 503, location: null })
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain(WORDS.en.problems.unavailable.text)
    expect(text).toContain(`<a class="button" href="">${WORDS.en.again}</a>`)
    expect(text).not.toContain('client.example')
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        event: 'verification.exchange_delayed',
      }),
    )
    await vendors.clearFaults()
    expect((await visit(back)).location).toContain('group_id=group_')
  })

  test('repeated vendor calls of one visit count as one failure, so other visitors are not refused', async () => {
    const hasty = await startVideoApi({ assetPatienceMs: 2_000 })
    onTestFinished(() => hasty.close())
    const { vendors, lines, tenant } = hasty
    const client = assetClientOf(hasty, tenant)
    const [back, other] = [await client.scan(), await client.scan({ person: 2 })]
    const fault = { kind: 'status', status: 500 } as const
    await vendors.breakDown({ part: 'vendor-a-assets', operation: 'get-session-result', fault })
    expect((await visit(back)).status).toBe(503)
    const asked = (await vendors.requests()).filter((line) => line.endsWith('get-session-result'))
    expect(asked.length).toBeGreaterThan(1)
    await vendors.clearFaults()
    expect((await visit(other)).location).toContain('group_id=group_')
    expect(lines.filter(({ event }) => String(event).startsWith('breaker.'))).toEqual([])
  })

  test('the page retries by itself, as the same visit, a limited number of times', async () => {
    const repeats: unknown[] = []
    const hasty = await startVideoApi({
      assetPatienceMs: 1,
      assetDriver: (driver) => ({
        ...driver,
        exchange(token, organizationId, options) {
          repeats.push(options?.isRepeat)
          return driver.exchange(token, organizationId, options)
        },
      }),
    })
    onTestFinished(() => hasty.close())
    const { vendors, tenant } = hasty
    let address = await assetClientOf(hasty, tenant).scan({ lang: 'en' })
    const fault = { kind: 'status', status: 500 } as const
    await vendors.breakDown({ part: 'vendor-a-assets', operation: 'get-session-result', fault })
    const waits: (string | null)[] = []
    for (;;) {
      const { text, headers } = await visit(address)
      const [, seconds, next] = /<meta http-equiv="refresh" content="(\d+);url=([^"]+)">/.exec(text) ?? []
      if (next === undefined) break
      expect(text).toContain(WORDS.en.triesAgain(Number(seconds)))
      expect(headers.get('retry-after')).toBe(seconds)
      waits.push(String(seconds))
      address = new URL(next.replaceAll('&amp;', '&'), address).href
    }
    expect(waits).toEqual(['5', '5', '10', '20', '30', '60'])
    expect(repeats).toEqual([false, ...Array(6).fill(true)])
    await vendors.clearFaults()
    expect((await visit(address)).location).toContain('resultCode=10000&group_id=group_')
  })

  test('a visit ends when the vendor asks for a longer pause, and the next visit calls the vendor', async () => {
    const { vendors } = api
    const back = await assetClientOf(api, api.tenant).scan()
    const asked = (await vendors.requests()).length
    const fault = { kind: 'status', status: 429, headers: { 'retry-after': '60' } } as const
    await vendors.breakDown({ part: 'vendor-a-assets', operation: 'get-session-result', times: 1, fault })
    const { status } = await visit(back)
    expect(status).toBe(503)
    expect((await vendors.requests()).slice(asked)).toEqual(['vendor-a-assets get-session-result'])
    const visits = await Promise.all([visit(back), visit(back), visit(back)])
    expect(new Set(visits.map(({ location }) => location)).size).toBe(1)
    expect(visits[0]?.location).toContain('group_id=group_')
  })

  test('a visit that waits for another visit gives up with it', async () => {
    const { vendors } = api
    const back = await assetClientOf(api, api.tenant).scan()
    const fault = { kind: 'status', status: 429, headers: { 'retry-after': '60' } } as const
    await vendors.breakDown({ part: 'vendor-a-assets', operation: 'get-session-result', fault })
    const visits = await Promise.all([visit(back), visit(back), visit(back)])
    await vendors.clearFaults()
    expect(visits.map(({ status }) => status)).toEqual([503, 503, 503])
    expect((await visit(back)).location).toContain('group_id=group_')
  })

  test('the store goes away after the exchange: the result is not lost', async () => {
    awayAt = 'bindPerson'
    const back = await assetClientOf(api, api.tenant).scan({ person: 2, lang: 'zh-Hant' })
    isAway = true
    const { status, location, text } = await visit(back)
    isAway = false
    expect({ status, location }).toEqual({ status: 503, location: null })
    expect(text).toContain(WORDS['zh-Hant'].problems.unavailable.title)
    await expect.poll(async () => (await visit(back)).location).toContain('group_id=group_')
  })
})

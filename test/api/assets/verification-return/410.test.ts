import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WORDS } from '../../../../src/http/operations/verification-return/words.ts'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { assetClientOf, visit } from '../call-assets.ts'

const HALF_AN_HOUR_MS = 30 * 60_000
const GRACE_MS = 5 * 60_000

describe('GET /v1/video/assets/sessions/return/{state}', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi()
  })
  afterAll(() => api.close())

  test('a link expires if its browser does not return in time, and the vendor is not called', async () => {
    const back = await assetClientOf(api, api.tenant).scan({ lang: 'en' })
    const asked = (await api.vendors.requests()).length
    api.time.nowMs += HALF_AN_HOUR_MS + GRACE_MS
    const { status, location, text } = await visit(back)
    expect({ status, location }).toEqual({ status: 410, location: null })
    expect(text).toContain(WORDS.en.problems.expired.title)
    expect(text).not.toContain('client.example')
    expect((await api.vendors.requests()).length).toBe(asked)
  })

  test('a used link repeats its answer for half an hour, and no longer', async () => {
    const back = await assetClientOf(api, api.tenant).scan({ lang: 'en' })
    api.time.nowMs += HALF_AN_HOUR_MS - 1
    expect(await visit(back)).toMatchObject({ status: 302 })
    api.time.nowMs += HALF_AN_HOUR_MS - 1
    expect(await visit(back)).toMatchObject({ status: 302 })
    api.time.nowMs += 1
    const { status, location, text } = await visit(back)
    expect({ status, location }).toEqual({ status: 410, location: null })
    expect(text).toContain(WORDS.en.problems.used.title)
    expect(text).not.toMatch(/client\.example|group_/)
  })

  test.each(['zh', 'en', 'zh-Hant'] as const)(
    'the page is in %s, the language of the session, not of the browser',
    async (lang) => {
      const client = assetClientOf(api, api.tenant)
      const [late, used] = [await client.scan({ lang }), await client.scan({ lang })]
      await visit(used)
      api.time.nowMs += 2 * HALF_AN_HOUR_MS
      for (const [url, problem] of [
        [late, 'expired'],
        [used, 'used'],
      ] as const) {
        const { text } = await visit(url, { 'accept-language': lang === 'en' ? 'zh' : 'en' })
        expect(text).toContain(`<html lang="${WORDS[lang].tag}">`)
        expect(text).toContain(WORDS[lang].problems[problem].text)
      }
    },
  )
})

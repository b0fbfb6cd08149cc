import { describe, expect, it } from 'vitest'
import { PAGE_TEXTS } from '../../../../../sandbox/assets/verify/words.ts'
import { exchange, type OpenedSession, openAssetVendor, openSession, scan } from '../../asset-client.ts'

const inLanguage = ({ link }: OpenedSession, language: string) => link.replace('lng=zh', `lng=${language}`)

describe('the page', () => {
  it.each([
    ['zh', 'zh-Hans', PAGE_TEXTS.zh],
    ['en', 'en', PAGE_TEXTS.en],
    ['zh-Hant', 'zh-Hant', PAGE_TEXTS['zh-Hant']],
    ['fr', 'zh-Hans', PAGE_TEXTS.zh],
  ])('200: %s', async (language, tag, words) => {
    const response = await fetch(inLanguage(await openSession(await openAssetVendor()), language))
    const page = await response.text()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page).toContain(`<html lang="${tag}">`)
    for (const text of [words.title, words.pretence, words.start, ...Object.values(words.endings)]) {
      expect(page).toContain(text)
    }
  })

  it('is in Chinese without a language', async () => {
    const { link } = await openSession(await openAssetVendor())
    expect(await (await fetch(link.replace('&lng=zh', ''))).text()).toContain(PAGE_TEXTS.zh.start)
  })

  it('keeps the link to itself and loads nothing from outside', async () => {
    const response = await fetch((await openSession(await openAssetVendor())).link)
    const page = await response.text()
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; img-src data:; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(page).not.toMatch(/https?:|src=|@import|url\(/)
  })

  it('opening the page does not use the link up', async () => {
    const vendor = await openAssetVendor()
    const session = await openSession(vendor)
    await fetch(session.link)
    await fetch(session.link)
    expect((await scan(session, 'success')).status).toBe(302)
  })

  it('works after a restart', async () => {
    const vendor = await openAssetVendor()
    const session = await openSession(vendor)
    const again = await vendor.reopen()
    const link = session.link.replace(vendor.url, again.url)
    expect((await fetch(link)).status).toBe(200)
    await scan({ ...session, link }, 'success')
    expect((await exchange(again, session)).status).toBe(200)
  })
})

describe('302: the way back', () => {
  const end = async (CallbackURL: string, ending: string) => {
    const session = await openSession(await openAssetVendor(), { CallbackURL })
    const response = await scan(session, ending)
    expect(response.status).toBe(302)
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    return { session, location: response.headers.get('location') ?? '' }
  }

  it.each([
    ['success', '10000', '0', '1', 'real_time'],
    ['mismatch', '10002', '50411', '1', 'real_time'],
    ['cancelled', '10003', '0', '0', 'real_time'],
    ['pre-recorded', '10000', '0', '1', 'pre_record'],
  ])('%s', async (ending, resultCode, algorithmBaseRespCode, reqMeasureInfoValue, verify_type) => {
    const { session, location } = await end('https://gateway.example/return', ending)
    expect(location.split('?')[0]).toBe('https://gateway.example/return')
    expect(Object.fromEntries(new URL(location).searchParams)).toEqual({
      VerifyToken: session.token,
      resultCode,
      algorithmBaseRespCode,
      reqMeasureInfoValue,
      verify_type,
    })
  })

  it('leaves the query of the address as it was, and its fragment at the end', async () => {
    const { session, location } = await end('https://gateway.example/r?a=1%202&a=b+c#top', 'success')
    expect(location).toMatch(/^https:\/\/gateway\.example\/r\?a=1%202&a=b\+c&VerifyToken=/)
    expect(location).toMatch(/&verify_type=real_time#top$/)
    expect(location).toContain(session.token)
  })

  it('the form of the page redirects there too', async () => {
    const vendor = await openAssetVendor()
    const session = await openSession(vendor)
    const response = await fetch(`${vendor.url}/verify`, {
      method: 'POST',
      body: new URLSearchParams({ token: session.token, ending: 'success', person: '2', lng: 'en' }),
      redirect: 'manual',
    })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toContain('resultCode=10000')
  })

  it('an unknown ending shows the page again', async () => {
    const session = await openSession(await openAssetVendor())
    const response = await scan(session, 'unheard-of')
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(PAGE_TEXTS.zh.start)
  })
})

describe('a link that leads nowhere', () => {
  const expectClosed = async (response: Response, status: number, title: string) => {
    expect(response.status).toBe(status)
    expect(response.headers.get('location')).toBeNull()
    const page = await response.text()
    expect(page).toContain(`<h1>${title}</h1>`)
    expect(page).not.toContain('<form')
  }

  it('410: used, whatever came out', async () => {
    const vendor = await openAssetVendor()
    for (const ending of ['success', 'mismatch', 'cancelled', 'pre-recorded']) {
      const session = await openSession(vendor)
      await scan(session, ending)
      await expectClosed(await scan(session, 'success'), 410, PAGE_TEXTS.zh.closed.used.title)
      await expectClosed(await fetch(inLanguage(session, 'en')), 410, PAGE_TEXTS.en.closed.used.title)
    }
  })

  it('a second answer does not change the first', async () => {
    const vendor = await openAssetVendor()
    const session = await openSession(vendor)
    await scan(session, 'cancelled')
    await scan(session, 'success')
    expect((await exchange(vendor, session)).status).toBe(404)
  })

  it('410: half an hour old', async () => {
    const vendor = await openAssetVendor()
    const session = await openSession(vendor)
    vendor.vendors.passRealMs(30 * 60_000 - 1)
    expect((await fetch(session.link)).status).toBe(200)
    vendor.vendors.passRealMs(1)
    await expectClosed(await scan(session, 'success'), 410, PAGE_TEXTS.zh.closed.expired.title)
  })

  it('410: told to expire', async () => {
    const vendor = await openAssetVendor()
    const session = await openSession(vendor)
    await expectClosed(await scan(session, 'expired'), 410, PAGE_TEXTS.zh.closed.expired.title)
    await expectClosed(await scan(session, 'success'), 410, PAGE_TEXTS.zh.closed.expired.title)
  })

  it.each(['', 'verify-1', '"><script>alert(1)</script>'])('404: the token %j', async (token) => {
    const { url } = await openAssetVendor()
    const link = `${url}/verify?${new URLSearchParams({ token, lng: 'en', ending: 'success' })}`
    const response = await fetch(link, { redirect: 'manual' })
    await expectClosed(response, 404, PAGE_TEXTS.en.closed.unknown.title)
  })
})

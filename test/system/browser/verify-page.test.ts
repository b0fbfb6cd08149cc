import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAGE_TEXTS } from '../../../sandbox/assets/verify/words.ts'
import { exchange, openAssetVendor, openSession, personGroup } from '../../api/sandbox/asset-client.ts'
import { lowestContrast } from './contrast.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium, openPhone } from './open-phone.ts'
import { openReturn } from './open-return.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
}, LAUNCH_TIMEOUT_MS)
afterAll(() => browser.close())

const EN = PAGE_TEXTS.en

/** A session whose return address sends the browser on to another origin, as the gateway does. */
async function openWalk() {
  const vendor = await openAssetVendor()
  const clientUrl = await openReturn()
  const session = await openSession(vendor, { CallbackURL: await openReturn(clientUrl) })
  return { vendor, session, clientUrl, link: session.link.replace('lng=zh', 'lng=en') }
}

/** Opens the page with a clock that only the test moves. */
async function visit(page: Page, link: string) {
  await page.clock.install({ time: 0 })
  await page.goto(link)
  await page.clock.pauseAt(60_000)
}

/** Begins the scan. A tap returns before its click has reached the page, which then hides the form. */
async function begin(page: Page) {
  await page.getByRole('button', { name: EN.start }).tap()
  await page.locator('form').waitFor({ state: 'hidden' })
}

const STEP_MS = 250
const status = (page: Page) => page.getByRole('status').textContent()
const arrive = (page: Page, clientUrl: string) => page.waitForURL((url) => url.href.startsWith(clientUrl))
const resultOf = (page: Page) => new URL(page.url()).searchParams.get('resultCode')

describe('on a small phone', () => {
  it.each([
    ['zh', 'zh-Hans', 'light'],
    ['en', 'en', 'light'],
    ['zh-Hant', 'zh-Hant', 'light'],
    ['en', 'en', 'dark'],
  ] as const)(
    '%s (%s, %s) fits, is readable and loads nothing from other servers',
    async (language, tag, colorScheme) => {
      const { session } = await openWalk()
      const { page, complaints, requests } = await openPhone(browser, { colorScheme })
      const link = session.link.replace('lng=zh', `lng=${language}`)
      await page.goto(link)
      expect(await page.locator('html').getAttribute('lang')).toBe(tag)
      await page.getByRole('heading', { name: PAGE_TEXTS[language].title }).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
      expect(await lowestContrast(page)).toMatchObject({ ratio: expect.toSatisfy((ratio) => ratio >= 4.5) })
      expect(complaints).toEqual([])
      expect(requests).toEqual([link])
    },
  )

  it('one touch changes the language', async () => {
    const { link } = await openWalk()
    const { page } = await openPhone(browser)
    await page.goto(link)
    await page.getByRole('link', { name: '繁體中文' }).tap()
    await page.getByRole('button', { name: PAGE_TEXTS['zh-Hant'].start }).waitFor()
  })

  it('controls are large enough to touch', async () => {
    const { link } = await openWalk()
    const { page } = await openPhone(browser)
    await page.goto(link)
    for (const place of await page.locator('.choice, button:visible').all()) {
      expect((await place.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    }
  })
})

describe('the scan', () => {
  it('success: every step, back to the client, and the person has a group', async () => {
    const { vendor, session, clientUrl, link } = await openWalk()
    const { page, complaints } = await openPhone(browser)
    await visit(page, link)
    await page.getByRole('radio', { name: `${EN.person} 2` }).check()
    await begin(page)
    await page.clock.runFor(50)
    for (const [at, step] of EN.steps.entries()) {
      expect(await status(page)).toBe(step)
      const progress = page.getByRole('progressbar', { name: EN.progress })
      expect(await progress.getAttribute('aria-valuenow')).toBe(String((at + 1) * 25))
      await page.clock.runFor(STEP_MS)
    }
    expect(await status(page)).toBe(EN.results.success)
    expect(await page.locator('.yes').isVisible()).toBe(true)
    await page.clock.runFor(STEP_MS)
    await arrive(page, clientUrl)
    expect(resultOf(page)).toBe('10000')
    expect(complaints).toEqual([])
    const { body } = await exchange(vendor, session)
    expect(body).toMatchObject({ Result: { GroupId: await personGroup(vendor, 2) } })
  })

  it('the face does not match: a message, and no group', async () => {
    const { vendor, session, clientUrl, link } = await openWalk()
    const { page } = await openPhone(browser, { colorScheme: 'dark' })
    await visit(page, link)
    await page.getByRole('radio', { name: EN.endings.mismatch }).check()
    await begin(page)
    await page.clock.runFor(50 + EN.steps.length * STEP_MS)
    expect(await status(page)).toBe(EN.results.mismatch)
    expect(await page.locator('.no').isVisible()).toBe(true)
    await page.clock.runFor(STEP_MS)
    await arrive(page, clientUrl)
    expect(resultOf(page)).toBe('10002')
    expect((await exchange(vendor, session)).status).toBe(404)
  })

  it('cancelled in the middle', async () => {
    const { vendor, session, clientUrl, link } = await openWalk()
    const { page } = await openPhone(browser)
    await visit(page, link)
    await begin(page)
    await page.clock.runFor(50 + STEP_MS)
    await page.getByRole('button', { name: EN.cancel }).tap()
    await expect.poll(() => status(page)).toBe(EN.results.cancelled)
    await page.clock.runFor(STEP_MS)
    await arrive(page, clientUrl)
    expect(resultOf(page)).toBe('10003')
    expect((await exchange(vendor, session)).status).toBe(404)
  })

  it('with a keyboard only, and with reduced motion', async () => {
    const { clientUrl, link } = await openWalk()
    const { page } = await openPhone(browser, { reducedMotion: 'reduce' })
    await visit(page, link)
    await page.getByRole('radio', { name: `${EN.person} 1` }).focus()
    await page.keyboard.press('Tab')
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('radio', { name: EN.endings['pre-recorded'] }).isChecked()).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('form').waitFor({ state: 'hidden' })
    await page.clock.runFor(50)
    expect(await page.locator('#scan:focus').count()).toBe(1)
    const transition = 'getComputedStyle(document.getElementById("bar")).transitionProperty'
    expect(await page.evaluate(transition)).toBe('none')
    await page.clock.runFor((EN.steps.length + 1) * STEP_MS)
    await arrive(page, clientUrl)
    expect(new URL(page.url()).searchParams.get('verify_type')).toBe('pre_record')
  })

  it('works without scripts', async () => {
    const { clientUrl, link } = await openWalk()
    const { page } = await openPhone(browser, { javaScriptEnabled: false })
    await page.goto(link)
    await page.getByRole('button', { name: EN.start }).tap()
    await arrive(page, clientUrl)
    expect(resultOf(page)).toBe('10000')
  })

  it('the return shows a page that explains the end', async () => {
    const { clientUrl, link } = await openWalk()
    const { page } = await openPhone(browser)
    await visit(page, link)
    await begin(page)
    await page.clock.runFor(50 + (EN.steps.length + 1) * STEP_MS)
    await arrive(page, clientUrl)
    await page.goBack()
    await page.getByRole('heading', { name: EN.closed.used.title }).waitFor()
  })
})

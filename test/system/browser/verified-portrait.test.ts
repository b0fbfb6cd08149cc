import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { PAGE_TEXTS } from '../../../sandbox/assets/verify/words.ts'
import { WORDS as OUR_WORDS } from '../../../src/http/operations/verification-return/words.ts'
import { findBox, readBoxes } from '../../api/sandbox/read-mp4.ts'
import { type Client, clientOf, TASKS_PATH } from '../../api/video/call-api.ts'
import { type GatewayProcess, startGateway } from '../faults/harness/gateway-process.ts'
import { startTlsTarget } from '../faults/harness/tls-target.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { lowestContrast } from './contrast.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium, openPhone } from './open-phone.ts'

const PATIENCE = { timeout: 60_000, interval: 250 }
const ASSETS_PATH = '/v1/video/assets'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
}, LAUNCH_TIMEOUT_MS)
afterAll(() => browser.close())

/** The embedded default as a newcomer starts it, and the page of an app over HTTPS. */
async function openWalk(): Promise<{ gateway: GatewayProcess; client: Client; appUrl: string }> {
  const env = { DATA_DIR: dataFolder() }
  const gateway = await startGateway({ env })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output(), PATIENCE).toMatch(/Reference: http/)
  const key = /sk-sluice-[\w-]{48}/.exec(gateway.output())?.[0] ?? ''
  const app = await startTlsTarget((_request, response) => response.end('Welcome back'), '127.0.0.1')
  onTestFinished(() => app.close())
  const appUrl = `https://127.0.0.1:${app.port}/verified`
  return { gateway, client: clientOf({ url: gateway.baseUrl }, { key }), appUrl }
}

async function askForLink({ call }: Client, appUrl: string): Promise<string> {
  const body = { callback_url: `${appUrl}?order=7`, lang: 'en' }
  const session = await call('POST', `${ASSETS_PATH}/sessions`, { body })
  expect(session).toMatchObject({ status: 200, body: { status: 'pending' } })
  return String(session.body.h5_link)
}

test('a person goes from the link to the scan, the portrait and a clip', { timeout: 180_000 }, async () => {
  const { gateway, client, appUrl } = await openWalk()
  const { page } = await openPhone(browser, { ignoreHTTPSErrors: true })
  await page.goto(await askForLink(client, appUrl))
  await page.getByRole('button', { name: PAGE_TEXTS.en.start }).tap()
  await page.waitForURL((url) => url.href.startsWith(appUrl), { timeout: 60_000 })
  expect(await page.textContent('body')).toBe('Welcome back')
  const { group_id, consent_url, ...reported } = Object.fromEntries(new URL(page.url()).searchParams)
  expect(reported).toEqual({
    order: '7',
    resultCode: '10000',
    verify_type: 'real_time',
    algorithmBaseRespCode: '0',
    reqMeasureInfoValue: '1',
  })

  expect(await (await fetch(String(consent_url))).text()).toContain('<form method="post"')

  const portrait = { url: 'https://media.example/portrait.png', asset_type: 'Image', group_id }
  const uploaded = await client.call('POST', ASSETS_PATH, { body: portrait })
  expect(uploaded).toMatchObject({ status: 200, body: { status: 'processing' } })
  const asset = String(uploaded.body.id)
  const show = async () => (await client.call('GET', `${ASSETS_PATH}/${asset}`)).body
  await expect.poll(show, PATIENCE).toMatchObject({ status: 'active', group_id })

  const image = { type: 'image_url', role: 'reference_image', image_url: { url: `asset://${asset}` } }
  const content = [{ type: 'text', text: 'The person in image 1 smiles' }, image]
  const task = await client.call('POST', TASKS_PATH, { body: { model: 'vendorA/gen-2.0', content } })
  expect(task).toMatchObject({ status: 200 })
  const look = async () => (await client.get(String(task.body.id))).body
  await expect.poll(look, PATIENCE).toMatchObject({ status: 'succeeded' })
  const { video_url } = Object((await look()).content)
  const clip = Buffer.from(await (await fetch(video_url)).arrayBuffer())
  expect(findBox(readBoxes(clip), 'moov/trak/mdia/minf/stbl').content.length).toBeGreaterThan(0)
  expect(gateway.output()).not.toMatch(/VerifyToken|h5_link|sessions\/return\//)
})

test('a scan that failed ends in the app without a group', { timeout: 120_000 }, async () => {
  const { client, appUrl } = await openWalk()
  const { page } = await openPhone(browser, { ignoreHTTPSErrors: true })
  await page.goto(await askForLink(client, appUrl))
  await page.getByRole('radio', { name: PAGE_TEXTS.en.endings.mismatch }).check()
  await page.getByRole('button', { name: PAGE_TEXTS.en.start }).tap()
  await page.waitForURL((url) => url.href.startsWith(appUrl), { timeout: 60_000 })
  const reported = new URL(page.url()).searchParams
  expect([reported.get('resultCode'), reported.get('group_id')]).toEqual(['10002', null])
})

test('an unknown link shows a readable page, in three languages', {
  timeout: 120_000,
}, async () => {
  const { gateway } = await openWalk()
  for (const [locale, language] of [
    ['en-GB', 'en'],
    ['zh-CN', 'zh'],
    ['zh-TW', 'zh-Hant'],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, complaints, requests } = await openPhone(browser, { locale, colorScheme })
      const url = `${gateway.baseUrl}${ASSETS_PATH}/sessions/return/${'x'.repeat(43)}`
      expect((await page.goto(url))?.status()).toBe(404)
      const { title, text } = OUR_WORDS[language].problems.unknown
      await page.getByRole('heading', { name: title }).waitFor()
      expect(await page.getByText(text).isVisible()).toBe(true)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
      expect(await lowestContrast(page)).toMatchObject({ ratio: expect.toSatisfy((ratio) => ratio >= 4.5) })
      expect(complaints.filter((line) => !line.includes('404'))).toEqual([])
      expect(requests).toEqual([url])
    }
  }
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { VERIFY_WORDS } from '../../../src/http/operations/verify/words.ts'
import { clientOf } from '../../api/video/call-api.ts'
import { seriousFaults } from '../console/open-console.ts'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium, openPhone } from './open-phone.ts'

const PATIENCE = { timeout: 60_000, interval: 250 }

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
}, LAUNCH_TIMEOUT_MS)
afterAll(() => browser.close())

/** A gateway with one kept video of the sandbox, which has marks. */
async function openKept() {
  const folder = dataFolder()
  const env = { DATA_DIR: folder, MEDIA_STORE: 'folder', VERIFY_PAGE: 'on', SANDBOX_SPEED: '600' }
  const gateway = await startGateway({ env })
  onTestFinished(async () => void (await gateway.stop()))
  const org = await runSluice<{ id: string }>(['org', 'create', '--name', 'Acme', '--postpaid'], env)
  const user = await runSluice<{ id: string }>(['user', 'create', '--org', org.id], env)
  const { key } = await runSluice<{ key: string }>(['key', 'create', '--org', org.id, '--user', user.id], env)
  const client = clientOf({ url: gateway.baseUrl }, { key })
  const id = await client.make({
    model: 'vendorA/gen-2.0',
    content: [{ type: 'text', text: 'Hills at dawn [instant] [marked]' }],
  })
  const authorization = `Bearer ${key}`
  const path = `${gateway.baseUrl}/v1/video/generations/${id}`
  const provenance = async () => (await fetch(`${path}/provenance`, { headers: { authorization } })).status
  await expect.poll(provenance, PATIENCE).toBe(200)
  const reply = await fetch(`${path}/content`, { headers: { authorization } })
  const clip = Buffer.from(await reply.arrayBuffer())
  const changed = Buffer.from(clip)
  changed[clip.length - 1] = (changed.at(-1) ?? 0) ^ 1
  const files = { made: join(folder, 'made.mp4'), changed: join(folder, 'changed.mp4') }
  writeFileSync(files.made, clip)
  writeFileSync(files.changed, changed)
  return { gateway, files }
}

const LOOKS: [string, BrowserContextOptions][] = [
  [
    'light',
    { locale: 'en-US', colorScheme: 'light', viewport: { width: 1200, height: 800 }, isMobile: false },
  ],
  ['dark', { locale: 'zh-CN', colorScheme: 'dark', viewport: { width: 1200, height: 800 }, isMobile: false }],
  ['phone', { locale: 'zh-TW', colorScheme: 'light' }],
  ['phone-dark', { locale: 'en-US', colorScheme: 'dark' }],
]
const LANGUAGES = { light: 'en', dark: 'zh', phone: 'zh-Hant', 'phone-dark': 'en' } as const

test('the page distinguishes a file of this gateway from one with a changed byte, and sends only the hash', async () => {
  const { gateway, files } = await openKept()
  for (const [look, options] of LOOKS) {
    const { results } = VERIFY_WORDS[LANGUAGES[look as keyof typeof LANGUAGES]]
    const { page, complaints, requests } = await openPhone(browser, options)
    await page.goto(`${gateway.baseUrl}/verify`)
    await page.setInputFiles('#file', files.made)
    await page.locator('h2', { hasText: results.made }).waitFor()
    const rows = await page.locator('dd').allTextContents()
    expect(rows.slice(1)).toEqual([
      'vendorA/gen-2.0',
      `${results['c2pa-valid']} (Sluice sandbox)`,
      results['aigc-yes'],
      results['consent-none'],
      expect.stringMatching(/^[\da-f]{64}$/),
    ])
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    const narrowest = `Math.min(...[...document.querySelectorAll('dd')].map((cell) => cell.offsetWidth))`
    expect(await page.evaluate(narrowest)).toBeGreaterThan(150)
    if (process.env.VERIFY_SHOTS)
      await page.screenshot({ path: `${process.env.VERIFY_SHOTS}/${look}.png`, fullPage: true })

    await page.setInputFiles('#file', files.changed)
    await page.locator('h2', { hasText: results.unknown }).waitFor()
    expect(requests).toEqual([
      `${gateway.baseUrl}/verify`,
      ...[files.made, files.changed].map(() => expect.stringMatching(/\/v1\/provenance\/[\da-f]{64}$/)),
    ])
    expect(complaints).toEqual([])
  }
}, 240_000)

test('GET /verify 404 unless it is enabled', async () => {
  const gateway = await startGateway({ env: { DATA_DIR: dataFolder() } })
  onTestFinished(async () => void (await gateway.stop()))
  expect((await fetch(`${gateway.baseUrl}/verify`)).status).toBe(404)
})

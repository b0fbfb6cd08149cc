import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium, openPhone } from './open-phone.ts'

/** Runs in the page. */
const WIDTH = 'document.documentElement.scrollWidth'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
}, LAUNCH_TIMEOUT_MS)
afterAll(() => browser.close())

test('the reference fits a phone, switches all examples by one click and finds operations of other pages', async () => {
  const gateway = await startGateway({ env: { DATA_DIR: dataFolder() } })
  onTestFinished(async () => void (await gateway.stop()))
  const { page, complaints, requests } = await openPhone(browser)
  for (const path of ['/docs', '/docs/video', '/docs/text', '/docs/errors', '/docs/callbacks']) {
    await page.goto(`${gateway.baseUrl}${path}`)
    expect([path, await page.evaluate(WIDTH)]).toEqual([path, 360])
  }

  await page.goto(`${gateway.baseUrl}/docs/video`)
  const visible = (language: string) => page.locator(`.in-${language}:visible`).count()
  const examples = await page.locator('.example').count()
  expect([await visible('curl'), await visible('python')]).toEqual([examples, 0])
  await page.locator('#getTask label', { hasText: 'Python' }).click()
  expect([await visible('curl'), await visible('python')]).toEqual([0, examples])
  await page.goto(`${gateway.baseUrl}/docs/text`)
  expect(await page.locator('#createMessage .in-python').isVisible()).toBe(true)

  await page.fill('#search', 'balance /v1')
  await page.locator('.contents > summary').click()
  await page.locator('nav li a:visible', { hasText: 'Show the balance' }).click()
  await page.waitForURL('**/docs/account#getBalance')
  expect(complaints).toEqual([])
  expect(requests.filter((url) => !url.startsWith(`${gateway.baseUrl}/docs`))).toEqual([])
}, 120_000)

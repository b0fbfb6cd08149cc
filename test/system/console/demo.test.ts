import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../browser/open-phone.ts'
import { openVisit, seriousFaults, signIn, startConsoleGateway } from './open-console.ts'

/** Only ends a test that hangs: the demo takes seconds, and minutes beside other work. */
const HANGS_MS = 900_000

const FILLED = { organization_ids: { length: 3 }, filling: false }

test('an empty console is filled with a demo with a sound ledger, and emptied again', {
  timeout: HANGS_MS,
}, async () => {
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const gateway = await startConsoleGateway()
  onTestFinished(() => gateway.close())
  const { page, complaints } = await openVisit(browser, gateway.url)
  page.setDefaultTimeout(HANGS_MS)
  await signIn(page, gateway.url)
  await page.getByRole('button', { name: 'Fill it with a demo' }).click()
  await page.getByText('being made up').first().waitFor()
  await expect.poll(() => gateway.ask('GET', '/demo'), { timeout: HANGS_MS }).toMatchObject(FILLED)
  await page.getByRole('button', { name: 'Remove the demo' }).waitFor()
  await page.goto(`${gateway.url}/console/?range=30d`)
  await page.getByRole('link', { name: 'Kestrel Film (demo)' }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 900 })
  expect(await brokenNumbers(page)).toEqual([])
  expect(await gateway.ask('POST', '/ledger/check')).toMatchObject({ ok: true, violations: [] })
  const { organization_ids: ids } = await gateway.ask('GET', '/demo')
  expect(ids).toHaveLength(3)
  await page.getByRole('button', { name: 'Remove the demo' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the demo' }).click()
  await page.getByRole('button', { name: 'Fill it with a demo' }).waitFor()
  expect(await gateway.ask('GET', '/demo')).toMatchObject({ organization_ids: [] })
  expect((await gateway.ask('GET', '/usage?by=org')).data).toEqual([])
  expect(await gateway.ask('POST', '/ledger/check')).toMatchObject({ ok: true, violations: [] })
  await gateway.ask('POST', '/organizations', { name: 'Made by hand', billing: 'prepaid' })
  await page.reload()
  await page.getByText('Try a model in the playground').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Fill it with a demo' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

/** Finds numbers of the overview's cards that are cut or stand on two lines. */
function brokenNumbers(page: Page): Promise<string[]> {
  return page.evaluate(`
    [...document.querySelectorAll('.figure dd, .figure small')].flatMap((box) => {
      const text = box.firstChild
      const range = document.createRange()
      return [...text.data.matchAll(/[$\\d][\\d.,]+/g)].flatMap(([number]) => {
        range.setStart(text, text.data.indexOf(number))
        range.setEnd(text, text.data.indexOf(number) + number.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => top))
        return lines.size > 1 || box.scrollWidth > box.clientWidth ? [number] : []
      })
    })`)
}

import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_KEY, type AdminApi, startAdminApi } from '../../api/admin/start-admin-api.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium } from '../browser/open-phone.ts'
import { openVisit, seriousFaults } from './open-console.ts'

let browser: Browser
let api: AdminApi

beforeAll(async () => {
  browser = await launchChromium()
  api = await startAdminApi({ engine: 'sqlite', environment: { OUTBOUND_ALLOW: '127.0.0.1/32' } })
}, LAUNCH_TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await api?.close()
})

const dialogOf = (page: Page) => page.getByRole('dialog')

async function openPage(path: string) {
  const visit = await openVisit(browser, api.url)
  await visit.page.request.post(`${api.url}/admin/v1/session`, { data: { key: ADMIN_KEY } })
  await visit.page.goto(`${api.url}/console${path}`)
  return visit
}

test('a table is sorted and narrowed to a range of time by its link, and saved as CSV', async () => {
  await api.ask('POST /organizations', { body: { name: '=SUM(1)', billing: 'prepaid' } })
  const { page, complaints } = await openPage('/customers')
  const names = page.locator('tbody td.lead')
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await page.waitForURL(/customers_sort=name/)
  await expect.poll(() => names.first().textContent()).toBe('=SUM(1)')
  expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as CSV' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toMatch(/^sluice-customers-[\d-]+\.csv$/)
  const [titles = '', first = ''] = readFileSync(await saved.path(), 'utf8').split('\r\n')
  expect(titles).toBe('\uFEFFName,State,Billing,Balance,Held,Requests a minute,Created')
  // A spreadsheet would run the name as a formula.
  expect(first).toMatch(/^'=SUM\(1\),enabled,prepaid,0,0,,2/)
  await page.goto(`${api.url}/console/customers?customers_sort=-name&to=2020-01-01T00:00:00Z`)
  await page.getByText('Nothing found').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('a customer as an account: figures, a budget of a key, a statement, and the erasure by name', async () => {
  const { organizationId: id } = await api.openTenant({ creditMicros: 5_000_000 })
  const { page, complaints } = await openPage(`/customers/${id}`)
  await page.getByText('Can be spent').waitFor()
  await page.getByText('Month to date').waitFor()
  await page.getByRole('button', { name: 'Budget', exact: true }).click()
  await dialogOf(page).getByLabel('Monthly budget in US dollars').fill('7.25')
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: '$7.25' }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Statement' }).click()
  await page.getByRole('heading', { name: /^Statement:/ }).waitFor()
  await page.getByRole('cell', { name: 'Credit' }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.goBack()
  await page.getByRole('button', { name: 'Erase', exact: true }).click()
  const { name } = (await api.ask(`GET /organizations/${id}`)).body
  await dialogOf(page).getByLabel(/^Type/).fill(String(name))
  await dialogOf(page).getByRole('button', { name: 'Erase', exact: true }).click()
  await dialogOf(page).getByRole('heading', { name: 'This customer was erased' }).waitFor()
  await dialogOf(page).getByRole('button', { name: 'Done' }).click()
  await page.getByText('Erased by').waitFor()
  expect(complaints).toEqual([])
})

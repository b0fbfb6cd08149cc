import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_KEY, type AdminApi, startAdminApi } from '../../api/admin/start-admin-api.ts'
import { completion, textClientOf } from '../../api/text/call-text.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium } from '../browser/open-phone.ts'
import { openSignedIn } from './open-console.ts'

let browser: Browser
let api: AdminApi

beforeAll(async () => {
  browser = await launchChromium()
  api = await startAdminApi({ engine: 'sqlite' })
}, LAUNCH_TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await api?.close()
})

const openPage = (path: string) => openSignedIn(browser, { url: api.url, path, key: ADMIN_KEY })

test('a statement adds up every page of payments and refunds, and shows no sum until all are there', async () => {
  const tenant = await api.openTenant({ creditMicros: 5_000_000 })
  for (let number = 0; number < 120; number++) await api.addCredit(tenant, 1_000_001)
  const refund = { kind: 'refund', amount_micros: 10, note: null, created_at: new Date().toISOString() }
  const refundsFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...refund, id: `ent_${first + index}` }))
  const { page } = await openPage('/')
  let isFailing = true
  await page.route(/\/ledger\?.*kind=refund/, (route) => {
    if (isFailing) return route.fulfill({ status: 400, json: { error: { message: 'A planted failure' } } })
    return route.request().url().includes('cursor=ent_99')
      ? route.fulfill({ json: { data: refundsFrom(100, 30), next_cursor: '' } })
      : route.fulfill({ json: { data: refundsFrom(0, 100), next_cursor: 'ent_99' } })
  })
  await page.goto(`${api.url}/console/customers/${tenant.organizationId}?view=statement`)
  await page.getByRole('alert').getByText('A planted failure').waitFor()
  const paid = page.locator('.facts').getByText('Paid in and given back').locator('+ dd')
  expect(await paid.textContent()).toBe('–')
  expect(await page.getByRole('button', { name: 'Print' }).isDisabled()).toBe(true)
  isFailing = false
  await page.getByRole('button', { name: 'Try again' }).click()
  // 5 + 120 × 1.000001 + 130 × 0.00001
  await expect.poll(() => paid.textContent()).toBe('$125.00142')
  expect(
    await page
      .getByRole('row')
      .filter({ hasText: /Refund/ })
      .count(),
  ).toBe(130)
  expect(await page.getByRole('button', { name: 'Print' }).isDisabled()).toBe(false)
})

test('usage by key has the name of a key that 100 newer keys follow', async () => {
  const tenant = await api.openTenant()
  await textClientOf(api, tenant).chat(completion('hello'))
  await api.usageOf(tenant, 1)
  for (let number = 0; number < 100; number++) await api.openKey(tenant)
  const { page, complaints } = await openPage(`/?by=key&organization_id=${tenant.organizationId}`)
  await page.getByRole('link', { name: 'test', exact: true }).waitFor({ timeout: 20_000 })
  expect(complaints).toEqual([])
})

test('the figures of the checks are those of the newest 100, also when more rows are loaded', async () => {
  const { page, complaints } = await openPage('/')
  const moment = new Date().toISOString()
  const check = { organization_id: null, language: 'en', created_at: moment, expires_at: moment }
  await page.route(/v1\/verifications\?/, (route) => {
    const page = new URL(route.request().url()).searchParams.get('cursor') ?? '1'
    const data = Array.from({ length: 100 }, (_, index) => ({
      ...{ ...check, id: `verification_${page}_${index}` },
      ended_at: index < 30 ? moment : null,
    }))
    return route.fulfill({ json: { data, next_cursor: page === '1' ? '2' : '' } })
  })
  await page.goto(`${api.url}/console/people`)
  await page.getByRole('heading', { name: 'The last 100 checks' }).waitFor()
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByText('Rows: 200').waitFor()
  expect(await page.locator('.figure').allTextContents()).toEqual([
    'Started100',
    'Waiting0',
    'Ended30',
    'Expired70',
  ])
  expect(complaints).toEqual([])
})

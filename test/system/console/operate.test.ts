import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_KEY, type AdminApi, startAdminApi } from '../../api/admin/start-admin-api.ts'
import { completion, textClientOf } from '../../api/text/call-text.ts'
import { sampleGroup } from '../../engines/store/sample-asset.ts'
import { begin } from '../../engines/store/sample-task.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium } from '../browser/open-phone.ts'
import { openSignedIn, seriousFaults } from './open-console.ts'

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

const openPage = (path: string) => openSignedIn(browser, { url: api.url, path, key: ADMIN_KEY })

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

test('keys, users, operators and the videos of a person are narrowed to a range of time by the link', async () => {
  const { organizationId: id, userId, keyId } = await api.openTenant({ creditMicros: 5_000_000 })
  await api.ask('POST /operators', { body: { name: 'night watch', role: 'viewer' } })
  const { page, complaints } = await openPage(`/customers/${id}?from=2020-01-01T00:00:00Z`)
  await expect.poll(() => page.getByText('Rows: 1').count()).toBe(2)
  await page.getByLabel('Before').fill('2020-01-02T00:00')
  await page.waitForURL(/from=2020-01-01.*to=2020-01-0/)
  await expect.poll(() => page.getByText('Nothing found').count()).toBe(2)
  expect(await seriousFaults(page)).toEqual([])
  await page.goto(`${api.url}/console/system?view=operators`)
  await page.getByRole('cell', { name: 'night watch' }).waitFor()
  await page.getByLabel('Before').fill('2020-01-02T00:00')
  await page.getByText('Nothing found').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  const person = sampleGroup({ organizationId: id, id: 'group_person', kind: 'person', ticket: 'person-1' })
  await api.store.assets.bindPerson(person, undefined)
  // The id of a task begins with its time.
  const createdAtMs = Date.UTC(2020, 0, 1)
  const taskId = `task_${createdAtMs.toString(16).padStart(12, '0')}${'0'.repeat(20)}`
  const task = { id: taskId, organizationId: id, userId, keyId, createdAtMs }
  await begin(api.store, task, { groupIds: [person.id] })
  await page.goto(`${api.url}/console/people?to=2020-02-01T00:00:00Z`)
  await expect.poll(() => page.getByText('Nothing found').count()).toBe(2)
  await page.goto(`${api.url}/console/people/${person.id}?to=2020-02-01T00:00:00Z`)
  await page.getByText('Rows: 1').waitFor()
  await page.getByLabel('Before').fill('2019-01-02T00:00')
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

test('a refund is in a statement once: charged in full, and given back', async () => {
  const tenant = await api.openTenant({ creditMicros: 5_000_000 })
  const { organizationId } = tenant
  expect(await textClientOf(api, tenant).chat(completion('hello'))).toMatchObject({ status: 200 })
  const [row] = await api.usageOf(tenant, 1)
  const cost = Number(row?.cost_micros)
  expect(cost).toBeGreaterThan(0)
  const { data } = (await api.ask(`GET /requests?organization_id=${organizationId}`)).body
  const refund = { task_id: Object(data)[0].request_id, note: 'given back' }
  expect(await api.ask('POST /ledger/refunds', { body: refund })).toMatchObject({ status: 200 })
  const { page } = await openPage(`/customers/${organizationId}?view=statement`)
  const fact = (name: string) => page.locator('.facts').getByText(name, { exact: true }).locator('+ dd')
  const usd = (micros: number) => `$${(micros / 1_000_000).toFixed(6).replace(/0{1,4}$/, '')}`
  await expect.poll(() => fact('Charged').textContent()).toBe(usd(cost))
  expect(await fact('Paid in and given back').textContent()).toBe(usd(5_000_000 + cost))
})

test('a budget and a limit that is off stay as they are when their dialogs are saved unchanged', async () => {
  const { organizationId: id, userId } = await api.openTenant()
  const budget = { monthly_budget_micros: 7_250_000, warn_at_percent: 60 }
  await api.ask(`POST /organizations/${id}/budget`, { body: budget })
  const limit = { max_daily_user_limit: '5.5', enable_limit: false }
  await api.ask(`POST /users/${userId}/limit`, { body: limit })
  const { page, complaints } = await openPage(`/customers/${id}`)
  for (const name of ['Monthly budget', 'Set limit']) {
    await page.getByRole('button', { name, exact: true }).first().click()
    await dialogOf(page).getByRole('button', { name: 'Save' }).click()
    await dialogOf(page).waitFor({ state: 'hidden' })
  }
  expect((await api.ask(`GET /organizations/${id}/budget`)).body).toMatchObject(budget)
  const user = { max_daily_user_limit: 5.5, enable_limit: false }
  expect((await api.ask(`GET /users/${userId}`)).body).toMatchObject(user)
  expect(complaints).toEqual([])
})

test('five days of years ago are shown, although their hours are no longer kept', async () => {
  const { page, complaints } = await openPage('/?from=2020-01-01T06:00:00Z&to=2020-01-06T06:00:00Z')
  await page.getByText('Nothing was asked in this time').waitFor()
  expect(complaints).toEqual([])
})

test('the log links a request to its charge, and a chart links to its requests', async () => {
  const tenant = await api.openTenant({ creditMicros: 5_000_000 })
  const client = textClientOf(api, tenant)
  await api.ask(`POST /organizations/${tenant.organizationId}`, { body: { record_bodies: 'all' } })
  expect(await client.chat(completion('[count 5]'))).toMatchObject({ status: 200 })
  expect(await client.chat(completion('hi', { model: 'vendorC/none' }))).toMatchObject({ status: 404 })
  const { organizationId } = tenant
  const logged = async () =>
    ((await api.ask(`GET /requests?organization_id=${organizationId}`)).body.data as object[]).length
  await expect.poll(logged).toBe(2)
  const { page, complaints } = await openPage(`/requests?organization_id=${organizationId}`)
  const row = page.getByRole('row').filter({ hasText: '200' })
  await row.getByText('$0.0').waitFor()
  await page
    .getByRole('row')
    .filter({ hasText: '404' })
    .getByRole('link', { name: 'model_not_found' })
    .waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await row.getByRole('button').click()
  await page.waitForURL(/id=req_/)
  await dialogOf(page).getByText('output token').first().waitFor()
  await dialogOf(page).getByRole('link', { name: 'Entries of the ledger' }).waitFor()
  await dialogOf(page).getByRole('button', { name: 'Show what was said' }).click()
  await dialogOf(page).getByText('"content": "1 2 3 4 5"').waitFor()
  await dialogOf(page).getByText('admin key').first().waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.goto(`${api.url}/console/requests?organization_id=${organizationId}&status=404`)
  await page.getByText('Rows: 1').waitFor()
  // The newest step of the chart has both requests; the chart leads to them.
  const usage = async () =>
    ((await api.ask(`GET /usage?by=hour&organization_id=${organizationId}`)).body.data as object[]).length
  await expect.poll(usage).toBe(1)
  await page.goto(`${api.url}/console/?organization_id=${organizationId}&stack=model`)
  const chart = page.getByRole('img', { name: 'Spend' })
  await chart.waitFor()
  const { x, y, width, height } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(x + width - 30, y + height / 2)
  await page.locator('.tooltip').first().getByText('vendor').first().waitFor()
  // A chart with one line has no legend. Dragging selects a part of the time.
  expect(await page.locator('.legend').count()).toBe(0)
  await page.mouse.move(x + width * 0.6, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width - 20, y + height / 2, { steps: 5 })
  await page.mouse.up()
  await page.waitForURL(/\/console\/\?.*from=.*to=/)
  await page.goto(`${api.url}/console/?organization_id=${organizationId}&stack=model`)
  await chart.waitFor()
  await page.mouse.click(x + width - 30, y + height / 2)
  await page.waitForURL(/\/requests\?.*from=/)
  await page.getByRole('row').filter({ hasText: '200' }).waitFor()
  await page.goto(`${api.url}/console/?organization_id=${organizationId}&metric=errors`)
  const errors = page.getByRole('img', { name: 'Errors' })
  await errors.waitFor()
  await errors.click()
  await page.waitForURL(/\/requests\?.*failed=true/)
  await page.getByLabel('Outcome').selectOption('')
  await page.getByLabel('Outcome').selectOption('Errors only')
  await page.waitForURL(/\/requests\?.*failed=true/)
  expect(complaints).toEqual([])
})

test('a model is unpublished and published again, its price is changed, and it gets an alias', async () => {
  const { page, complaints } = await openPage('/models?model=text-small')
  const row = page.getByRole('row').filter({ hasText: 'vendorD/text-small' })
  await row.getByRole('button', { name: 'Unpublish' }).click()
  await row.getByText('Not published').waitFor()
  await row.getByRole('button', { name: 'Publish' }).click()
  await row.getByText('Published', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Prices' }).click()
  await dialogOf(page).getByLabel('output token').fill('6.5')
  expect(await seriousFaults(page)).toEqual([])
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await row.getByText('$6.50 / 1M').waitFor()
  await row.getByRole('button', { name: 'Prices' }).click()
  await dialogOf(page).getByLabel('output token').fill('7.5')
  await dialogOf(page).getByLabel('In force from').fill('2999-12-01T00:00')
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await row.getByText('$7.50 / 1M').waitFor()
  await row.getByText('$6.50 / 1M').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Aliases' }).first().click()
  await page.getByRole('button', { name: 'New alias' }).click()
  await dialogOf(page).getByLabel('Alias').fill('quick')
  await dialogOf(page).getByLabel('Model').selectOption('vendorD/text-small')
  await dialogOf(page).getByRole('button', { name: 'New alias' }).click()
  await page.getByRole('cell', { name: 'quick' }).waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No model has another name').waitFor()
  expect(complaints).toEqual([])
})

test('a change that is refused says why', async () => {
  const { organizationId, userId, keyId } = api.tenant
  await begin(api.store, { id: 'task_refused', organizationId, userId, keyId })
  const { page } = await openPage('/')
  await page.route('**/admin/v1/**', async (route) => {
    if (route.request().method() !== 'GET')
      return route.fulfill({ status: 409, json: { error: { message: 'Not now' } } })
    const response = await route.fetch()
    const body = (await response.text())
      .replaceAll(/"(set_aside_at|disabled_at)":null/g, '"$1":"2020-01-01T00:00:00Z"')
      .replaceAll('"source":"sandbox"', '"source":"store"')
    return route.fulfill({ response, body })
  })
  for (const [path, button] of [
    [`/customers/${organizationId}`, 'Enable'],
    ['/models?model=text-small', 'Unpublish'],
    ['/system?view=providers', 'Disable'],
    ['/video/task_refused', 'Make due again'],
    ['/money', 'Sign out'],
  ]) {
    await page.goto(`${api.url}/console${path}`)
    await page.getByRole('button', { name: button, exact: true }).first().click()
    await expect
      .poll(() => page.getByRole('alert').allTextContents(), { timeout: 10_000 })
      .toEqual(['This did not work. Not now'])
  }
  expect(await seriousFaults(page)).toEqual([])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('events are listed with their state, sent again, and tested for a customer', async () => {
  const { organizationId } = await api.openTenant({ creditMicros: 5_000_000 })
  await api.ask(`POST /organizations/${organizationId}`, { body: { events_url: 'https://127.0.0.1:1/hook' } })
  const { page, complaints } = await openPage('/callbacks')
  await page.getByRole('button', { name: 'Events', exact: true }).click()
  await page.waitForURL(/view=events/)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await dialogOf(page).getByRole('combobox').fill(organizationId)
  await dialogOf(page).getByRole('option').first().click()
  await dialogOf(page).getByRole('button', { name: 'Send a test' }).click()
  const rows = page.getByRole('row').filter({ hasText: 'event.test' })
  await expect.poll(() => rows.count()).toBe(2)
  expect(await seriousFaults(page)).toEqual([])
  await rows.first().getByRole('button', { name: 'Resend' }).click()
  await page.getByText(/The event evt_\w+ is due again/).waitFor()
  await rows.filter({ hasText: 'EVENTS_URL is not set' }).first().waitFor()
  await rows.filter({ hasText: 'Only listed' }).first().waitFor()
  await page.getByRole('heading', { name: 'Events' }).waitFor()
  await page.goto(`${api.url}/console/callbacks?view=events&type=event.test&from=2020-01-01T00:00:00Z`)
  await expect.poll(() => rows.count()).toBe(2)
  await page.goto(`${api.url}/console/callbacks?view=events&to=2020-01-01T00:00:00Z`)
  await page.getByText('No events match').waitFor()
  expect(complaints).toEqual([])
})

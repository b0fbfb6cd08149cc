import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ADMIN_KEY, type AdminApi, startAdminApi } from '../../api/admin/start-admin-api.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium } from '../browser/open-phone.ts'
import { startLoopbackVendor } from './loopback-vendor.ts'
import { openVisit, seriousFaults, signIn } from './open-console.ts'

const KEY = 'sk-a-long-key-of-the-vendor-wxyz'

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

/**
 * The vendor answers 1,000 tokens of input and 500 of output. The first model costs the preset's 0.28 and 0.42 dollars per
 * million and 25 %: 350 + 262.5 micro-USD, rounded up to 613.
 */
test('from an empty sandbox to the first charge: a vendor, two models with a markup, a customer, a request', {
  timeout: 120_000,
}, async () => {
  const vendor = await startLoopbackVendor(['deepseek-chat', 'deepseek-lab', 'deepseek-old'], KEY)
  onTestFinished(async () => void (await vendor.close()))
  const { page, complaints, foreign } = await openVisit(browser, api.url)
  await signIn(page, api.url, ADMIN_KEY)
  const dialog = page.getByRole('dialog')
  const shows = async () => expect(await seriousFaults(page)).toEqual([])

  await page.getByText('made up').waitFor()
  await page.getByRole('link', { name: 'Add a provider' }).click()
  await page.getByRole('button', { name: /^DeepSeek/ }).waitFor()
  await shows()
  await page.getByRole('button', { name: /^DeepSeek/ }).click()
  await page.getByLabel('Address').fill(`${vendor.url}/v1`)
  await page.getByLabel('API key').fill('sk-a-mistyped-key')
  await shows()
  await page.getByRole('button', { name: 'Save and test' }).click()
  await page.getByText(/HTTP 401/).waitFor()
  expect(complaints.every((text) => text.includes('502'))).toBe(true)
  complaints.length = 0
  await page.getByLabel('API key').fill(KEY)
  await page.getByRole('button', { name: 'Save and test' }).click()

  await page.getByLabel('deepseek-chat').check()
  await page.getByLabel('deepseek-lab').check()
  expect(await page.getByLabel('deepseek-reasoner').count()).toBe(0)
  await page.getByRole('button', { name: 'Test these models' }).click()
  await page.getByRole('button', { name: 'Set prices' }).waitFor()
  await shows()
  await page.getByRole('button', { name: 'Set prices' }).click()
  await page.getByRole('button', { name: 'Back' }).click()
  expect(await page.getByLabel('deepseek-lab').isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Test these models' }).click()
  await page.getByRole('button', { name: 'Set prices' }).click()
  await page.getByLabel('Markup in percent').fill('25')
  const lab = page.getByRole('group', { name: 'deepseek/deepseek-lab' })
  await lab.getByLabel("input token: Vendor's price").fill('2')
  await lab.getByLabel("output token: Vendor's price").fill('4')
  expect(await lab.getByLabel('output token: Your price').inputValue()).toBe('5')
  await lab.getByLabel('output token: Your price').fill('3')
  await lab.getByText('-33.3%').waitFor()
  await lab.getByLabel('output token: Your price').fill('6')
  await shows()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Published: deepseek/deepseek-chat, deepseek/deepseek-lab.').waitFor()
  await shows()

  await page.getByRole('main').getByRole('link', { name: 'Customers' }).click()
  await page.getByRole('button', { name: 'New customer' }).click()
  // The dialog begins in its first field.
  await dialog.waitFor()
  await page.keyboard.type('Quayside')
  await dialog.getByRole('button', { name: 'New customer' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { name: 'Quayside' }).waitFor()
  await page.getByRole('button', { name: 'New key' }).click()
  await dialog.getByLabel('User').fill('Ana')
  await dialog.getByLabel('Models').fill('deepseek/unknown')
  await dialog.getByRole('button', { name: 'New key' }).click()
  await dialog.getByRole('alert').waitFor()
  complaints.length = 0
  await dialog.getByLabel('Models').fill('')
  await dialog.getByRole('button', { name: 'New key' }).click()
  const key = await dialog.getByText(/^sk-sluice-/).innerText()
  await dialog.getByText(`${api.url}/v1`).waitFor()
  // A second press of Enter copies the key, and does not close it.
  expect(await page.evaluate("document.activeElement.closest('.secret') !== null")).toBe(true)
  await dialog.getByRole('button', { name: 'Done' }).click()
  expect(await page.getByRole('row').filter({ hasText: 'Ana' }).count()).toBe(1)
  await page.getByRole('button', { name: 'Top up' }).click()
  await dialog.getByLabel('Amount in US dollars').fill('5')
  await dialog.getByRole('button', { name: 'Top up' }).click()
  await page.getByText('$5.00').first().waitFor()

  // The sandbox is gone: only the two models can be asked. The newest customer pays.
  await page.goto(`${api.url}/console/playground`)
  await expect.poll(() => page.getByRole('combobox', { name: 'Customer' }).inputValue()).toBe('Quayside')
  const model = page.getByRole('combobox', { name: 'Model' }).first()
  await model.selectOption('deepseek/deepseek-chat')
  expect(await model.locator('option').allTextContents()).toEqual([
    'deepseek/deepseek-chat',
    'deepseek/deepseek-lab',
  ])
  expect(await page.getByText('made up').count()).toBe(0)
  await page.getByRole('textbox', { name: /^Prompt/ }).fill('Is the lock open?')
  await page.getByRole('button', { name: 'Send' }).click()
  const answer = page.getByRole('region', { name: /^Answer/ })
  await answer.getByText('The lock is open.').waitFor()
  await answer.getByText(/Cost \$0\.000613/).waitFor()

  const asked = await fetch(`${api.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'deepseek/deepseek-lab',
      messages: [{ role: 'user', content: 'And the gate?' }],
    }),
  })
  expect(asked.status).toBe(200)
  await page.getByRole('link', { name: 'Requests' }).first().click()
  const first = page.getByRole('row').filter({ hasText: 'deepseek/deepseek-lab' })
  await first.getByText('$0.0055').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'deepseek/deepseek-chat' })
  await row.getByText('$0.000613').waitFor()
  await row.getByRole('button').click()
  await dialog.getByText('output token').first().waitFor()
  await dialog.getByText('$0.525 / 1M').waitFor()
  await shows()

  await page.goto(`${api.url}/console/system`)
  const provider = page.getByRole('row').filter({ hasText: vendor.url })
  await provider.getByRole('button', { name: 'Disable' }).click()
  await provider.getByText('Disabled').waitFor()
  await shows()
  await provider.getByRole('button', { name: 'Enable' }).click()
  await provider.getByText('Up').waitFor()
  await provider.getByRole('link', { name: 'Add models' }).click()
  await page.getByLabel('deepseek-old').check()
  await page.getByRole('button', { name: 'Test these models' }).click()
  await page.getByRole('button', { name: 'Set prices' }).click()
  await page.getByLabel("input token: Vendor's price").fill('1')
  await page.getByLabel("output token: Vendor's price").fill('1')
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Published: deepseek/deepseek-old.').waitFor()
  const { body } = await api.ask('GET /providers/deepseek')
  expect(body).toMatchObject({
    ...{ key_hints: ['wxyz'], base_url: vendor.url },
    models: ['deepseek-chat', 'deepseek-lab', 'deepseek-old'],
  })
  const { data } = (await api.ask('GET /models?limit=100')).body as { data: { name: string }[] }
  expect(data.find(({ name }) => name === 'deepseek/deepseek-chat')).toMatchObject({
    ...{ published: true, prices_taken: '2026-09-23', servable: true },
    prices: [{ usd_per_million: 0.35 }, { usd_per_million: 0.035 }, { usd_per_million: 0.525 }],
    vendor_prices: [{ usd_per_million: 0.28 }, { usd_per_million: 0.028 }, { usd_per_million: 0.42 }],
  })
  expect(complaints).toEqual([])
  expect(foreign).toEqual([])
})

test('a server without a preset: a local address is refused with the setting, and the named model is chosen', async () => {
  const vendor = await startLoopbackVendor(['harbor-large', 'harbor-small'], KEY)
  onTestFinished(async () => void (await vendor.close()))
  const { page } = await openVisit(browser, api.url)
  await signIn(page, api.url, ADMIN_KEY)
  await page.goto(`${api.url}/console/models?view=add`)
  await page.getByRole('button', { name: /^Another server/ }).click()
  await page.getByRole('textbox', { name: /^Name/ }).fill('harbor')
  await page.getByLabel('API key').fill(KEY)
  await page.getByLabel('One of its models').fill('harbor-large')
  await page.getByLabel('Address').fill('http://10.0.0.7:8000')
  await page.getByRole('button', { name: 'Save and test' }).click()
  await page
    .getByText(
      'base_url: it leads to a local or private address. Add its range to OUTBOUND_ALLOW (such as 127.0.0.1/32) and restart the gateway, or write the provider into sluice.yaml.',
    )
    .waitFor()
  await page.getByLabel('Address').fill(vendor.url)
  await page.getByRole('button', { name: 'Save and test' }).click()
  await page.getByLabel('harbor-small').waitFor()
  expect(await page.getByLabel('harbor-large').isChecked()).toBe(true)
  expect(await page.getByLabel('harbor-small').isChecked()).toBe(false)
})

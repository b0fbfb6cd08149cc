import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LAUNCH_TIMEOUT_MS, launchChromium } from '../browser/open-phone.ts'
import { openVisit, seriousFaults, signIn, startConsoleGateway } from './open-console.ts'

let browser: Browser
let gateway: Awaited<ReturnType<typeof startConsoleGateway>>

beforeAll(async () => {
  browser = await launchChromium()
  gateway = await startConsoleGateway()
}, LAUNCH_TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  await gateway?.close()
})

const XSS = '<img src=x onerror=alert(1)>'
const PAGES = [
  'Overview',
  'Requests',
  'Video',
  'People',
  'Assets',
  'Playground',
  'Money',
  'Customers',
  'Callbacks',
  'Live',
  'Models',
  'System',
]

const dialogOf = (page: Page) => page.getByRole('dialog')

describe('signing in', () => {
  test('a wrong key is refused with a message, the admin key opens the overview, and signing out leads back', async () => {
    const { page, complaints, foreign } = await openVisit(browser, gateway.url)
    await page.goto(`${gateway.url}/console/`)
    await page.getByLabel(/Admin key/).fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('This key is not known').waitFor()
    // The browser itself reports the refused sign-in.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')])
    expect(await seriousFaults(page)).toEqual([])
    await signIn(page, gateway.url)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    expect(complaints).toEqual([])
    expect(foreign).toEqual([])
  })

  test('the printed link signs in once', async () => {
    const first = await openVisit(browser, gateway.url)
    await first.page.goto(gateway.link())
    await first.page.getByRole('heading', { name: 'Overview' }).waitFor()
    const second = await openVisit(browser, gateway.url)
    await second.page.goto(gateway.link())
    await second.page.getByText('This link was used already').waitFor()
  })

  test("a viewer's token shows the customers and offers no new one", async () => {
    const { token } = await gateway.ask('POST', '/operators', { name: `viewer ${XSS}`, role: 'viewer' })
    const { page } = await openVisit(browser, gateway.url)
    await signIn(page, gateway.url, token)
    await page.getByText(`viewer ${XSS}`).waitFor()
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('link', { name: 'demo' }).waitFor()
    expect(await page.getByRole('button', { name: 'New customer' }).count()).toBe(0)
  })
})

test('a customer, its key, a stream, a video, a limit that refuses, a refund', {
  timeout: 180_000,
}, async () => {
  const { page, complaints, foreign } = await openVisit(browser, gateway.url)
  await signIn(page, gateway.url)

  await page.getByRole('link', { name: 'Customers' }).click()
  await page.getByRole('button', { name: 'New customer' }).click()
  await dialogOf(page).getByLabel('Name').fill(XSS)
  await dialogOf(page).getByRole('button', { name: 'New customer' }).click()
  await dialogOf(page).getByText('Webhook secret, shown only now').waitFor()
  await dialogOf(page).getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Top up' }).click()
  await dialogOf(page).getByLabel('Amount in US dollars').fill('12.50')
  await dialogOf(page).getByRole('button', { name: 'Top up' }).click()
  await page.getByText('$12.50').first().waitFor()

  await page.getByRole('button', { name: 'New user' }).click()
  await dialogOf(page).getByLabel('Name').fill(XSS)
  await dialogOf(page).getByRole('button', { name: 'New user' }).click()
  await dialogOf(page).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'New key' }).click()
  await dialogOf(page).getByLabel('Name of the key').fill('ci')
  await dialogOf(page).getByRole('button', { name: 'New key' }).click()
  await dialogOf(page)
    .getByText(/^sk-sluice-/)
    .waitFor()
  await dialogOf(page).getByRole('button', { name: 'Done' }).click()
  const organizationId = page.url().split('/').at(-1) ?? ''

  // The text streams, and its cost links to its entry.
  await page.goto(`${gateway.url}/console/playground?organization_id=${organizationId}`)
  await page.getByRole('textbox', { name: /^Prompt/ }).fill('[count 5]')
  await page.getByRole('button', { name: 'Send' }).click()
  const answer = page.getByRole('region', { name: /^Answer/ })
  await answer.getByText('1 2 3 4 5').waitFor()
  await answer.getByText(/Cost \$0\.\d+/).waitFor()
  await page.getByRole('link', { name: 'Trace the charge' }).click()
  await page.getByText('output_token').first().waitFor()

  // The video is settled, which the page of its task shows too.
  await page.goto(`${gateway.url}/console/playground?kind=video&organization_id=${organizationId}`)
  await page.getByText('Estimated price').waitFor()
  await page.getByRole('button', { name: 'Make the video' }).click()
  await page.getByText('Settled').first().waitFor({ timeout: 60_000 })
  await page.getByRole('link', { name: 'Open the task' }).click()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  await page.getByText('Settled').first().waitFor()

  await page.getByRole('button', { name: 'Refund' }).click()
  await dialogOf(page).getByLabel('Amount in US dollars').fill('0.25')
  await dialogOf(page).getByLabel('Reason').fill(`late ${XSS}`)
  await dialogOf(page).getByRole('button', { name: 'Refund' }).click()
  await page.getByText('Refunded $0.25').waitFor()

  // A limit of the user refuses the next request.
  await page.goto(`${gateway.url}/console/customers/${organizationId}`)
  await page.getByRole('button', { name: 'Set limit' }).click()
  await dialogOf(page).getByLabel('Amount in US dollars').fill('0.01')
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: '$0.01' }).waitFor()
  expect(complaints).toEqual([])
  await page.goto(`${gateway.url}/console/playground?organization_id=${organizationId}`)
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Send' }).click()
      return page.getByText('429', { exact: true }).isVisible()
    })
    .toBe(true)
  expect(complaints.every((text) => text.includes('429'))).toBe(true)
  expect(foreign).toEqual([])
})

test('Live shows a request as it ends, pauses, and keeps only the rows of a chosen customer', async () => {
  const { page, complaints } = await openVisit(browser, gateway.url)
  await signIn(page, gateway.url)
  await page.getByRole('link', { name: 'Live' }).click()
  await page.getByText('Watching').waitFor()
  await gateway.ask('GET', '/models')
  await page.getByRole('cell', { name: 'adminListModels' }).first().waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await gateway.ask('GET', '/groups')
  await page.getByText(/more while paused/).waitFor()
  expect(await page.getByRole('cell', { name: 'adminListGroups' }).count()).toBe(0)
  // No row of another customer, or of none, stays when a customer is chosen.
  await page.getByRole('combobox', { name: 'Customer' }).fill('demo')
  await page.getByRole('option', { name: /^demo/ }).click()
  await page.waitForURL(/organization_id=org_/)
  await page.getByRole('cell').first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('Watching').waitFor()
  expect(complaints).toEqual([])
})

test('the keys g and m open Money, the palette finds an object by its id, and the language changes', async () => {
  const { page, complaints } = await openVisit(browser, gateway.url)
  await signIn(page, gateway.url)
  // The second key must follow within a second, which a busy machine may miss.
  const pressBoth = async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    return page.url()
  }
  await expect.poll(pressBoth).toContain('/console/money')
  await page.getByRole('heading', { name: 'Money', level: 1 }).waitFor()
  const [{ id }] = (await gateway.ask('GET', '/organizations?search=demo')).data
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: /^Name or id of a customer/ })
  await search.fill(id)
  await page.getByRole('option', { name: id }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/console/customers/${id}`)
  for (const [text, option, target] of [
    ['demo', /^demo Customer/, `**/console/customers/${id}`],
    ['text-large', /^vendorD\/text-large Model/, '**/console/models?model=*'],
    ['sk-sluice-', /^demo \(sk-sluice-.*Key/, `**/console/customers/${id}?key=key_*`],
    ['req_none', /^req_none/, '**/console/requests?id=req_none'],
  ] as const) {
    await page.keyboard.press('Control+k')
    await search.fill(text)
    await page.getByRole('option', { name: option }).click()
    await page.waitForURL(target)
  }
  await page.goto(`${gateway.url}/console/customers/${id}`)
  // The browser reports the 404 of req_none.
  expect(complaints.splice(0).every((text) => text.includes('404'))).toBe(true)
  await page.getByLabel('Language').selectOption('zh-Hant')
  await page.getByRole('link', { name: '客戶', exact: true }).first().waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('zh-Hant')
  expect(complaints).toEqual([])
})

const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 } },
} as const

test.each(Object.entries(LOOKS))(
  'no page in %s has a serious fault or an error',
  async (look, options) => {
    const { page, complaints, foreign } = await openVisit(browser, gateway.url, options)
    await signIn(page, gateway.url)
    for (const name of PAGES) {
      if (look === 'phone') await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('navigation').getByRole('link', { name, exact: false }).first().click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
      expect(await seriousFaults(page), name).toEqual([])
      const width = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect(width, `${name} is wider than the screen`).toBeLessThanOrEqual(0)
      const narrow = `[...document.querySelectorAll('main .card')].filter((card) => card.offsetWidth < 100).length`
      expect(await page.evaluate(narrow), `${name} has cards that are too narrow to read`).toBe(0)
    }
    expect(complaints).toEqual([])
    expect(foreign).toEqual([])
  },
  120_000,
)

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'

export const ADMIN_KEY = 'console-walk-admin-key-0123456789'

/** Starts the gateway as the first command does, with an admin key and its own data folder. */
export async function startConsoleGateway() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-console-'))
  const gateway = await startGateway({
    env: { DATA_DIR: folder, ADMIN_API_KEY: ADMIN_KEY, SANDBOX_SPEED: '60' },
  })
  return {
    ...gateway,
    url: gateway.baseUrl,
    /** The link that the start printed; it signs in once. */
    link: () => /http:\S+\/console\/sign-in\?token=\S+/.exec(gateway.output())?.[0] ?? '',
    async close() {
      await gateway.stop()
      rmSync(folder, { recursive: true, force: true })
    },
    /** A request to the admin API beside the browser. */
    async ask(method: string, path: string, body?: object) {
      const answer = await fetch(`${gateway.baseUrl}/admin/v1${path}`, {
        method,
        headers: { 'x-admin-key': ADMIN_KEY, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      // biome-ignore lint/suspicious/noExplicitAny: read by the test that asked.
      return (await answer.json()) as any
    },
  }
}

export interface Visit {
  page: Page
  /** Errors of the page, and scripts that a name has injected. */
  complaints: string[]
  /** Addresses of other servers that it asked for. */
  foreign: string[]
}

export async function openVisit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1360, height: 900 },
    locale: 'en-GB',
    ...options,
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => void complaints.push(error.message))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) foreign.push(request.url())
  })
  return { page, complaints, foreign }
}

/** Signs in with the key by a request, without the sign-in page, and opens a page of the console. */
export async function openSignedIn(browser: Browser, input: { url: string; path: string; key: string }) {
  const { url, path, key } = input
  const visit = await openVisit(browser, url)
  const signedIn = await visit.page.request.post(`${url}/admin/v1/session`, { data: { key } })
  expect(signedIn.status()).toBe(200)
  await visit.page.goto(`${url}/console${path}`)
  return visit
}

export async function signIn(page: Page, url: string, key = ADMIN_KEY): Promise<void> {
  await page.goto(`${url}/console/`)
  await page.getByLabel(/Admin key/).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The serious and critical faults that axe finds, one line each. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    // @ts-expect-error axe was put into the page above.
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] })
    return violations
      .filter(({ impact }: { impact: string }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
          `${id}: ${nodes[0]?.html.slice(0, 160)}`,
      )
  })
}

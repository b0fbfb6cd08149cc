// Starts the gateway on the embedded default, fills it with `sluice demo`, and takes pictures of the console in a browser.
// Without an option: those of the README; `--all FOLDER`: all pages in light, dark and phone width, some in Chinese.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { freePort } from '../../test/servers/free-port.ts'
import { launchChromium } from '../../test/system/browser/open-phone.ts'
import { startGateway } from '../../test/system/faults/harness/gateway-process.ts'
import { AUTHORITY_FILE, startTlsTarget } from '../../test/system/faults/harness/tls-target.ts'
import { addToDemo, type DemoIds } from './demo-traffic.ts'

const ADMIN_KEY = 'screenshots-admin-key-0123456789'
const README_FOLDER = fileURLToPath(new URL('../images/', import.meta.url))
/** Quality of the three pictures in the README, in percent. */
const README_QUALITY = 82
const SETTLE_MS = 900

const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  zh: { colorScheme: 'light', locale: 'zh-CN' },
} as const satisfies Record<string, BrowserContextOptions>

type Look = keyof typeof LOOKS

interface Picture {
  name: string
  path: string
  /** Runs before the picture is taken. */
  act?(page: Page): Promise<void>
  isInReadme?: boolean
  isInChinese?: boolean
}

const { all: folder } = parseArgs({ options: { all: { type: 'string' } } }).values
const data = mkdtempSync(join(tmpdir(), 'sluice-screenshots-'))
const receiver = await startTlsTarget((request, response) => {
  response.writeHead(request.url?.endsWith('/broken') ? 503 : 204).end()
}, '127.0.0.1')
const port = await freePort()
const gateway = await startGateway({
  port,
  env: {
    ...{ DATA_DIR: data, ADMIN_API_KEY: ADMIN_KEY, SANDBOX_SPEED: '60' },
    ...{ VIDEO_WEBHOOK_BASE_URL: `http://127.0.0.1:${port}` },
    ...{ OUTBOUND_ALLOW: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY_FILE) },
  },
})
for (const command of [['apply', 'docs/screenshots/demo-catalog.yaml'], ['demo']])
  execFileSync(process.execPath, ['bin/sluice.js', ...command], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, DATA_DIR: data },
    stdio: 'ignore',
  })
const browser = await launchChromium()
try {
  const ids = await addToDemo({
    ...{ url: gateway.baseUrl, adminKey: ADMIN_KEY },
    demoKey: /sk-sluice-[\w-]+/.exec(gateway.output())?.[0] ?? '',
    receiverUrl: `https://127.0.0.1:${receiver.port}`,
  })
  const pictures = picturesOf(ids)
  if (folder === undefined) await takeForReadme(pictures)
  else for (const look of Object.keys(LOOKS) as Look[]) await takeAll(folder, look, pictures)
} finally {
  await browser.close()
  await gateway.stop()
  await receiver.close()
  rmSync(data, { recursive: true, force: true })
}

function picturesOf({ taskId, organizationId, groupId }: DemoIds): Picture[] {
  return [
    { name: 'overview', path: '', isInReadme: true, isInChinese: true },
    { name: 'requests', path: 'requests', isInChinese: true },
    {
      name: 'request',
      path: 'requests',
      isInChinese: true,
      act: (page) => page.locator('tbody button').first().click(),
    },
    { name: 'models', path: 'models', isInChinese: true },
    { name: 'models-aliases', path: 'models?view=aliases' },
    { name: 'add-provider', path: 'models?view=add', isInChinese: true },
    { name: 'video', path: 'video', isInChinese: true },
    { name: 'video-table', path: 'video?view=table' },
    { name: 'video-stuck', path: 'video?view=stuck' },
    { name: 'task', path: `video/${taskId}`, isInReadme: true, isInChinese: true },
    { name: 'people', path: 'people' },
    { name: 'person', path: `people/${groupId}` },
    { name: 'assets', path: 'assets' },
    {
      name: 'playground',
      path: `playground?organization_id=${organizationId}`,
      isInReadme: true,
      isInChinese: true,
      async act(page) {
        await page.locator('textarea').first().fill('How many locks are there? [count 40]')
        await page.locator('form button[type=submit]').click()
        await page.locator('.answer').getByText('40').waitFor()
      },
    },
    { name: 'playground-video', path: `playground?kind=video&organization_id=${organizationId}` },
    { name: 'money', path: 'money' },
    { name: 'money-balances', path: 'money?view=balances' },
    { name: 'money-prices', path: 'money?view=prices' },
    { name: 'customers', path: 'customers' },
    { name: 'customer', path: `customers/${organizationId}`, isInChinese: true },
    { name: 'statement', path: `customers/${organizationId}?view=statement`, isInChinese: true },
    { name: 'callbacks', path: 'callbacks' },
    { name: 'events', path: 'callbacks?view=events' },
    {
      name: 'live',
      path: 'live',
      async act() {
        for (const path of ['/v1/models', '/healthz', '/v1/none', '/admin/v1/models'])
          await fetch(`${gateway.baseUrl}${path}`, { headers: { 'x-admin-key': ADMIN_KEY } })
      },
    },
    { name: 'system', path: 'system' },
    { name: 'system-doctor', path: 'system?view=doctor' },
    { name: 'system-settings', path: 'system?view=settings' },
    { name: 'system-operators', path: 'system?view=operators' },
    { name: 'system-audit', path: 'system?view=audit' },
  ]
}

async function openSignIn(options: BrowserContextOptions): Promise<Page> {
  const size = { viewport: { width: 1360, height: 900 }, locale: 'en-GB' }
  const context = await browser.newContext({ ...size, ...options })
  const page = await context.newPage()
  await page.goto(`${gateway.baseUrl}/console/`)
  await page.locator('input').first().waitFor()
  return page
}

async function signIn(page: Page): Promise<void> {
  await page.locator('input').first().fill(ADMIN_KEY)
  await page.locator('button[type=submit]').click()
  await page.locator('.frame').waitFor()
}

async function visit(page: Page, { path, act }: Picture): Promise<void> {
  await page.goto(`${gateway.baseUrl}/console/${path}`)
  await page.locator('h1').waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await act?.(page)
  await page.evaluate('scrollTo(0, 0)')
  await page.waitForTimeout(SETTLE_MS)
}

async function takeAll(folder: string, look: Look, pictures: readonly Picture[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const page = await openSignIn(LOOKS[look])
  await page.screenshot({ path: join(folder, `sign-in-${look}.png`) })
  await signIn(page)
  for (const picture of pictures) {
    if (look === 'zh' && !picture.isInChinese) continue
    await visit(page, picture)
    await page.screenshot({ path: join(folder, `${picture.name}-${look}.png`), fullPage: true })
  }
  await page.context().close()
}

/** Writes WebP over the DevTools protocol: Playwright's own method does not write it. */
async function takeForReadme(pictures: readonly Picture[]): Promise<void> {
  mkdirSync(README_FOLDER, { recursive: true })
  const page = await openSignIn({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' })
  await signIn(page)
  const devtools = await page.context().newCDPSession(page)
  for (const picture of pictures) {
    if (!picture.isInReadme) continue
    await visit(page, picture)
    const options = { format: 'webp', quality: README_QUALITY } as const
    const { data: encoded } = await devtools.send('Page.captureScreenshot', options)
    const file = join(README_FOLDER, `console-${picture.name}.webp`)
    writeFileSync(file, Buffer.from(encoded, 'base64'))
    console.log(file)
  }
}

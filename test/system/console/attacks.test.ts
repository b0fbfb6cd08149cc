import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { LAUNCH_TIMEOUT_MS, launchChromium } from '../browser/open-phone.ts'
import { openVisit, signIn, startConsoleGateway } from './open-console.ts'

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

/** Closes an attribute and an element, then tries the ways in which a text becomes a script. */
const XSS = `"'></script><img src=x onerror=alert(1)><svg onload=alert(2)><a href="javascript:alert(3)">`

/** The longest name that a client may give. */
const ASSET_NAME = XSS.slice(0, 64)

/** Elements that only the text above could have made. */
const SMUGGLED = 'img[src="x"], svg[onload], a[href^="javascript:"], [onerror]'

test('XSS: names, notes, prompts, metadata, files and errors are text on every page', {
  timeout: 180_000,
}, async () => {
  const { organizationId, taskId, groupId, assetId } = await plantEverywhere()
  const { page, complaints, foreign } = await openVisit(browser, gateway.url)
  await signIn(page, gateway.url)
  const inAddress = encodeURIComponent(XSS)
  const ids = `organization_id=${organizationId}`
  const shows: Record<string, boolean> = {
    '': true,
    '?by=key': true,
    [`?range=${inAddress}&by=${inAddress}`]: false,
    video: true,
    'video?view=table': true,
    [`video?model=${inAddress}&status=${inAddress}`]: true,
    [`video/${taskId}`]: true,
    [`video/${inAddress}`]: false,
    people: true,
    [`people/${groupId}`]: true,
    assets: true,
    [`assets?id=${assetId}`]: true,
    [`playground?${ids}`]: true,
    [`playground?kind=video&${ids}`]: true,
    money: true,
    'money?view=balances': true,
    'money?view=prices': false,
    [`money?view=trace&id=${inAddress}`]: true,
    customers: true,
    [`customers/${organizationId}`]: true,
    callbacks: false,
    [`callbacks?task_id=${inAddress}`]: true,
    live: false,
    'system?view=providers': false,
    'system?view=settings': false,
    'system?view=operators': true,
    'system?view=audit': true,
  }
  for (const [path, isShown] of Object.entries(shows)) {
    await page.goto(`${gateway.url}/console/${path}`)
    await page.locator('h1, [role=alert]').first().waitFor()
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
    if (isShown) await expect.poll(() => showsPayload(page), { message: path }).toBe(true)
    expect(await page.locator(SMUGGLED).count(), path).toBe(0)
  }
  // The text of the reply is shown as text too.
  await page.goto(`${gateway.url}/console/playground?${ids}`)
  await page.getByRole('textbox', { name: /^Prompt/ }).fill(XSS)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText(/Cost \$0\.\d+/).waitFor()
  expect(await page.locator(SMUGGLED).count()).toBe(0)
  expect(complaints.filter((text) => !/40[04] \(/.test(text))).toEqual([])
  expect(foreign).toEqual([])
})

test('clickjacking: a page of another site cannot show the console in a frame', async () => {
  const { page } = await openVisit(browser, gateway.url)
  await page.goto(await startOtherSite(`<iframe src="${gateway.url}/console/"></iframe>`))
  await expect.poll(() => page.frames().length).toBe(2)
  const framed = page.frames()[1]
  await framed?.waitForLoadState()
  expect(await framed?.locator('#root').count()).toBe(0)
})

test('CSRF: a form and a script of another site change nothing, even with a signed-in operator', async () => {
  const { page } = await openVisit(browser, gateway.url)
  await signIn(page, gateway.url)
  const target = `${gateway.url}/admin/v1/organizations`
  const script = `
    const body = JSON.stringify({ name: 'by another site', billing: 'postpaid' })
    const ask = (options) => fetch('${target}', { method: 'POST', credentials: 'include', body, ...options })
    Promise.allSettled([
      ask({ mode: 'no-cors', headers: { 'content-type': 'text/plain' } }),
      ask({ headers: { 'content-type': 'application/json' } }),
    ]).then((ends) => { document.title = ends.map(({ status }) => status).join() })`
  await page.goto(await startOtherSite(`<script>${script}</script>`))
  await expect.poll(() => page.title()).toBe('fulfilled,rejected')
  const form = `<form method="post" enctype="text/plain" action="${target}">
    <input name='{"name":"by another site","billing":"postpaid","x":"' value='"}'><button>Win</button></form>`
  await page.goto(await startOtherSite(form))
  await page.getByRole('button').click()
  await page.waitForURL(target)
  const { data } = await gateway.ask('GET', '/organizations?limit=100')
  expect(data.map(({ name }: { name: string }) => name)).not.toContain('by another site')
  await page.goto(`${gateway.url}/console/`)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})

test('session fixation: a cookie from before the sign-in opens nothing', async () => {
  const attacker = await openVisit(browser, gateway.url)
  await signIn(attacker.page, gateway.url)
  const [planted] = await attacker.page.context().cookies()
  if (planted === undefined) throw new Error('no cookie')
  expect(planted).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
  const victim = await openVisit(browser, gateway.url)
  await victim.page.context().addCookies([planted])
  await victim.page.goto(`${gateway.url}/console/`)
  await victim.page.getByRole('button', { name: 'Sign out' }).click()
  await victim.page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
  await signIn(victim.page, gateway.url)
  const [own] = await victim.page.context().cookies()
  expect(own?.value).not.toBe(planted.value)
  await attacker.page.goto(`${gateway.url}/console/`)
  await attacker.page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
})

/** Whether the text is somewhere on the page, as text or in a field. */
function showsPayload(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const fields = [...document.querySelectorAll('input, textarea')].map(({ value }) => value)
    return [document.body.textContent, ...fields].some((text) => text.includes('onerror=alert(1)'))
  })()`)
}

/** Starts a page that the browser takes for another site than the gateway: `localhost` is not `127.0.0.1`. */
async function startOtherSite(body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>-</title>${body}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}

async function plantEverywhere() {
  const { id: organizationId } = await gateway.ask('POST', '/organizations', {
    name: XSS,
    billing: 'prepaid',
  })
  await gateway.ask('POST', '/credit', {
    organization_id: organizationId,
    amount_micros: 9_000_000,
    note: XSS,
  })
  const user = await gateway.ask('POST', '/users', { organization_id: organizationId, name: XSS })
  const owner = { organization_id: organizationId, user_id: user.id }
  const { key } = await gateway.ask('POST', '/keys', { ...owner, name: XSS })
  await gateway.ask('POST', '/operators', { name: XSS, role: 'viewer' })

  const client = async (path: string, body: object) => {
    const answer = await fetch(`${gateway.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'user-agent': 'x' },
      body: JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: read by the test that asked.
    return (await answer.json()) as any
  }
  await client('/responses', { model: 'vendorC/model-4.1', input: XSS, metadata: { note: XSS } })
  await client('/responses', { model: XSS, input: 'x' })
  const content = [{ type: 'text', text: XSS }]
  const { id: taskId } = await client('/video/generations', {
    ...{ model: 'vendorA/gen-2.0', content, metadata: { note: XSS } },
  })
  const url = `https://example.com/${encodeURIComponent(XSS)}.png`
  const { id: assetId } = await client('/video/assets', { url, asset_type: 'Image', name: ASSET_NAME })

  const { h5_link } = await client('/video/assets/sessions', {
    ...{ callback_url: `https://example.com/?x=${encodeURIComponent(XSS)}`, lang: 'en' },
  })
  const follow = async (from: string) =>
    (await fetch(from, { redirect: 'manual' })).headers.get('location') ?? ''
  const back = await follow(await follow(`${h5_link}&ending=success&person=1`))
  const groupId = new URL(back).searchParams.get('group_id')
  await client('/video/assets', { url, asset_type: 'Image', name: ASSET_NAME, group_id: groupId })
  return { organizationId, taskId, groupId, assetId }
}

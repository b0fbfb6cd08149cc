import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { createSecrets } from '../../../../src/adapters/system/secrets.ts'
import { signInByOpenId } from '../../../../src/app/access/sign-in-by-openid.ts'
import { ApiError } from '../../../../src/domain/api-error.ts'
import { startAdminApi } from '../../admin/start-admin-api.ts'
import { memoryApp } from '../../http-edge/memory-app.ts'
import { startEdge } from '../../http-edge/start-edge.ts'
import { openBrowser, type Stand, startStand } from './openid-stand.ts'

let stand: Stand
beforeAll(async () => {
  stand = await startStand()
})
afterAll(() => stand.close())
beforeEach(() => {
  Object.assign(stand, { person: { sub: 'ann', groups: ['staff'] }, tokenSeconds: 300, inToken: true })
})

const isReturn = (url: string) => url.includes('/console/oidc/callback')
const isConsole = (url: string) => url.endsWith('/console/')

async function signIn(browser = openBrowser()) {
  const [answer, here] = await browser.follow(`${stand.api.url}/console/oidc`, isConsole)
  const cookie = `sluice_session=${browser.jar.get('sluice_session')}`
  const who = await fetch(`${stand.api.url}/admin/v1/session`, { headers: { cookie } })
  return { answer, here, who: await who.json(), cookie, browser }
}

/** Signs in at the provider, and returns the address to which the provider sends the browser back. */
async function comeBack(browser = openBrowser()) {
  const [, here] = await browser.follow(`${stand.api.url}/console/oidc`, isReturn)
  return { browser, here: new URL(here) }
}

describe('GET /console/oidc/callback', () => {
  test.each([
    ['staff', 'viewer'],
    ['support', 'operator'],
    ['billing', 'operator'],
    ['admins', 'owner'],
  ])('303: the group %s makes a session of the role %s', async (group, role) => {
    stand.person = { sub: 'ann', email: 'ann@example.com', email_verified: true, groups: ['x', group] }
    const { here, who, answer, browser } = await signIn()
    expect(here).toBe(`${stand.api.url}/console/`)
    expect(answer.status).toBe(303)
    expect(who).toMatchObject({ actor: 'openid:ann@example.com', role, method: 'openid' })
    expect(browser.jar.has('sluice_openid')).toBe(false)
    expect(answer.headers.getSetCookie().join()).toContain('HttpOnly; SameSite=Strict')
  })

  test('303: the highest role counts, and an unverified address names no person', async () => {
    stand.person = {
      sub: 'bob',
      email: 'ann@example.com',
      email_verified: false,
      groups: ['staff', 'admins'],
    }
    expect((await signIn()).who).toMatchObject({ actor: 'openid:bob', role: 'owner' })
  })

  test('303: a claim may be a single string, and may come from userinfo alone', async () => {
    stand.person = { sub: 'ann', groups: 'staff' }
    expect((await signIn()).who).toMatchObject({ role: 'viewer' })
    stand.inToken = false
    expect((await signIn()).who).toMatchObject({ role: 'viewer' })
  })

  test.each([
    ['no claim', {}],
    ['no group', { groups: [] }],
    ['another group', { groups: ['guests'] }],
    ['a group in another spelling', { groups: ['STAFF', 'staff '] }],
    ['something else', { groups: { staff: true } }],
    ['a number', { groups: [7] }],
  ])('403 with a page for a person with %s', async (_what, claims) => {
    stand.person = { sub: '<script>alert(1)</script>', ...claims }
    const { answer, browser } = await signIn()
    expect(answer.status).toBe(403)
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const text = await answer.text()
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).not.toContain('<script>')
    expect(browser.jar.has('sluice_session')).toBe(false)
  })

  test.each([
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['another state', (url: URL) => url.searchParams.set('state', 'x')],
    ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
    ['no issuer', (url: URL) => url.searchParams.delete('iss')],
    ['no code', (url: URL) => url.searchParams.delete('code')],
    ['a made-up code', (url: URL) => url.searchParams.set('code', 'x')],
    ['a refusal', (url: URL) => url.searchParams.set('error', 'access_denied')],
  ])('401 for an answer with %s', async (_what, change) => {
    const { browser, here } = await comeBack()
    change(here)
    const answer = await browser.go(here.href)
    expect(answer.status).toBe(401)
    expect(browser.jar.has('sluice_session')).toBe(false)
    expect(browser.jar.has('sluice_openid')).toBe(false)
  })

  test('401 in another browser, and for an answer of another attempt', async () => {
    const { here } = await comeBack()
    expect((await openBrowser().go(here.href)).status).toBe(401)
    const other = await comeBack()
    expect((await other.browser.go(here.href)).status).toBe(401)
  })

  test('401 for an attempt that was changed, made elsewhere, or is no attempt', async () => {
    for (const kept of ['', 'x', 'eyJzdGF0ZSI6IngifQ']) {
      const { browser, here } = await comeBack()
      browser.jar.set('sluice_openid', kept)
      expect((await browser.go(here.href)).status).toBe(401)
    }
  })

  test('401 for the same answer a second time', async () => {
    const { browser, here } = await comeBack()
    const kept = browser.jar.get('sluice_openid') ?? ''
    expect((await browser.go(here.href)).status).toBe(303)
    browser.jar.set('sluice_openid', kept)
    expect((await browser.go(here.href)).status).toBe(401)
  })

  test('401 for a token whose time is over', async () => {
    stand.tokenSeconds = -3_600
    const { browser, here } = await comeBack()
    expect((await browser.go(here.href)).status).toBe(401)
  })

  test('HEAD 204 uses nothing up', async () => {
    const { browser, here } = await comeBack()
    expect((await fetch(here, { method: 'HEAD' })).status).toBe(204)
    expect((await browser.go(here.href)).status).toBe(303)
  })
})

describe('GET /console/oidc', () => {
  test('303 to the provider with state, nonce and PKCE, which the cookie does not show', async () => {
    const answer = await fetch(`${stand.api.url}/console/oidc`, { redirect: 'manual' })
    expect(answer.status).toBe(303)
    const url = new URL(answer.headers.get('location') ?? '')
    expect(url.origin).toBe(stand.issuer)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'sluice',
      response_type: 'code',
      redirect_uri: `${stand.api.url}/console/oidc/callback`,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    })
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^sluice_openid=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/)
    const https = { redirect: 'manual', headers: { 'x-forwarded-proto': 'https' } } as const
    const secure = (await fetch(`${stand.api.url}/console/oidc`, https)).headers.get('set-cookie')
    expect(secure).toMatch(
      /^__Host-sluice_openid=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/,
    )
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const value = url.searchParams.get(name) ?? ''
      expect(value.length).toBeGreaterThan(20)
      expect(cookie).not.toContain(value)
    }
    const methods = await fetch(`${stand.api.url}/admin/v1/session/methods`)
    expect(await methods.json()).toMatchObject({ key: true, openid: true })
  })

  test.each([
    ['that is not there', async () => ({ issuer: 'http://127.0.0.1:1', close: () => {} })],
    ['that calls itself otherwise', startOtherIssuer],
  ])('502 for a provider %s, while keys still sign in', async (_what, startProvider) => {
    const { issuer, close } = await startProvider()
    onTestFinished(close)
    const api = await startAdminApi({
      environment: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'sluice', OIDC_ROLE_OWNER: 'admins' },
    })
    const answer = await fetch(`${api.url}/console/oidc`, { redirect: 'manual' })
    expect(answer.status).toBe(502)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect((await api.ask('GET /organizations')).status).toBe(200)
    await api.close()
  })
})

test('503 for a store that is unreachable while the session is written: the provider is not blamed', async () => {
  const provider = {
    begin: async () => ({ url: 'http://provider', attempt: { state: '', nonce: '', codeVerifier: '' } }),
    finish: async () => ({ name: 'ann', values: ['admins'] }),
  }
  const openId = signInByOpenId({
    ...{ provider, clock: systemClock, secrets: createSecrets('a secret of the tests, long enough') },
    ...{ returnUrl: () => 'http://gateway', roleValues: { owner: ['admins'], operator: [], viewer: [] } },
    sessions: { signInAs: () => Promise.reject(new ApiError('store_unavailable')) },
  })
  const edge = await startEdge({ app: memoryApp({ openId }) })
  onTestFinished(() => edge.close())
  const begun = await fetch(`${edge.url}/console/oidc`, { redirect: 'manual' })
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect((await fetch(`${edge.url}/console/oidc/callback`, { headers: { cookie } })).status).toBe(503)
})

test('429: more than 100 sign-ins and returns from one address in a minute, before the provider is asked', async () => {
  let calls = 0
  const server = createServer((_request, response) => {
    calls += 1
    response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const api = await startAdminApi({
    environment: {
      ...{ OIDC_ISSUER: `http://127.0.0.1:${port}`, OIDC_CLIENT_ID: 'sluice', OIDC_ROLE_OWNER: 'admins' },
      TRUSTED_PROXIES: '127.0.0.1/32',
    },
  })
  onTestFinished(() => api.close())
  const visit = (path: string, address: string, method = 'GET') =>
    fetch(`${api.url}${path}`, { method, redirect: 'manual', headers: { 'x-forwarded-for': address } })
  for (let at = 0; at < 100; at += 2) {
    expect((await visit('/console/oidc', '192.0.2.1')).status).toBe(502)
    expect((await visit('/console/oidc/callback?code=x', '192.0.2.1')).status).toBe(401)
    expect((await visit('/console/oidc', '192.0.2.1', 'HEAD')).status).toBe(204)
  }
  expect(calls).toBe(50)
  for (const path of ['/console/oidc', '/console/oidc/callback?code=x']) {
    const answer = await visit(path, '192.0.2.1')
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(calls).toBe(50)
  expect((await visit('/console/oidc', '192.0.2.2')).status).toBe(502)
  expect(calls).toBe(51)
  expect((await api.ask('GET /organizations')).status).toBe(200)
})

async function startOtherIssuer() {
  const server = createServer((_request, response) => {
    const { port } = server.address() as AddressInfo
    const urls = {
      authorization_endpoint: `http://127.0.0.1:${port}/a`,
      token_endpoint: `http://127.0.0.1:${port}/t`,
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer: 'https://login.example.com', ...urls }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { issuer: `http://127.0.0.1:${port}`, close: () => void server.close() }
}

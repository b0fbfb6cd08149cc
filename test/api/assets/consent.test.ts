import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/domain/api-error.ts'
import { CONSENT_WORDS } from '../../../src/http/operations/consent/words.ts'
import { expectApiError, TASKS_PATH } from '../video/call-api.ts'
import { startVideoApi, type VideoApi } from '../video/start-video-api.ts'
import type { Tenant } from '../video/tenants.ts'
import { assetClientOf, SESSIONS_PATH, visit } from './call-assets.ts'

const EN = CONSENT_WORDS.en
const CONSENT_PATH = `${SESSIONS_PATH}/consent`

let api: VideoApi
let isAway = false
beforeAll(async () => {
  api = await startVideoApi({
    around: (store) => ({
      ...store,
      erasures: {
        ...store.erasures,
        findConsent: (id) =>
          isAway ? Promise.reject(new ApiError('store_unavailable')) : store.erasures.findConsent(id),
      },
    }),
  })
})
afterAll(() => api.close())

/** A person whom a new organization has verified. */
async function verified(): Promise<{ tenant: Tenant; groupId: string; url: string }> {
  const tenant = await api.openTenant()
  const { location } = await visit(await assetClientOf(api, tenant).scan({ person: 5 }))
  const reported = new URL(String(location)).searchParams
  return { tenant, groupId: String(reported.get('group_id')), url: String(reported.get('consent_url')) }
}

async function send(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { method: 'POST', headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Address of the page's form. */
function formOf(url: string, text: string): string {
  const action = /<form method="post" action="([^"]+)">/.exec(text)?.[1]
  if (action === undefined) throw new Error('the page has no form')
  return new URL(action, url).href
}

async function revoke(url: string) {
  return send(formOf(url, (await visit(url)).text))
}

describe('GET /v1/video/assets/sessions/consent/{token}', () => {
  test('200: shows the organization and the date, with a form that posts only to this page', async () => {
    const { url, tenant } = await verified()
    const { status, headers, text } = await visit(url)
    expect(status).toBe(200)
    const organization = await api.store.organizations.find(tenant.organizationId)
    expect(text).toContain(EN.given.text(String(organization?.name), 'January 2, 2030'))
    for (const effect of EN.given.effects) expect(text).toContain(effect)
    expect(new URL(formOf(url, text)).pathname).toBe(new URL(url).pathname)
    expect(text).not.toMatch(/<script|src=|href="http/)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toBe('noindex')
  })

  test('200: the link is the same at each verification of the person, and HEAD does not use it up', async () => {
    const { url, tenant } = await verified()
    const { location } = await visit(await assetClientOf(api, tenant).scan({ person: 5 }))
    expect(new URL(String(location)).searchParams.get('consent_url')).toBe(url)
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
    expect(url).not.toMatch(/group|org_/)
  })

  test.each([
    ['zh-CN,zh;q=0.9', 'zh', 'zh-Hans'],
    ['zh-TW', 'zh-Hant', 'zh-Hant'],
    ['fr', 'en', 'en'],
  ] as const)('200: speaks to %s in %s', async (accepted, language, tag) => {
    const { url } = await verified()
    const { text } = await visit(url, { 'accept-language': accepted })
    expect(text).toContain(`<html lang="${tag}">`)
    expect(text).toContain(CONSENT_WORDS[language].given.button)
  })

  test('200: markup in a name is shown as text', async () => {
    const { url, tenant } = await verified()
    const { id, at } = { id: tenant.organizationId, at: api.time.nowMs }
    const act = { id: 'aud_1', atMs: at, actor: 'cli', action: 'organization.update', subject: id }
    await api.store.organizations.update(
      { id, name: '<b>A & B</b>' },
      { ...act, organizationId: id, detail: {} },
    )
    expect((await visit(url)).text).toContain('&lt;b&gt;A &amp; B&lt;/b&gt;')
  })

  test.each([
    ['one letter', 'x'],
    ['a made-up token', 'x'.repeat(43)],
    ['a long token', 'x'.repeat(5_000)],
    ['NUL', '%00'],
    ['markup', '%3Cscript%3E'],
    ['nothing', ''],
    ['a slash', '/'],
    ['more path', '/x/y'],
    ['a bad query', '?%=%'],
  ])('404: a page for %s', async (_name, rest) => {
    const { status, headers, text } = await visit(`${api.url}${CONSENT_PATH}/${rest}`)
    expect(status).toBe(404)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).toContain(EN.problems.unknown.title)
    expect(text).not.toMatch(/<script|xxx/)
  })

  test('404: a link with one letter changed', async () => {
    const { url } = await verified()
    const at = url.length - 30
    const changed = url.slice(0, at) + (url[at] === 'A' ? 'B' : 'A') + url.slice(at + 1)
    expect(await visit(changed)).toMatchObject({ status: 404 })
  })

  test('410: the verification was erased', async () => {
    const { url, groupId, tenant } = await verified()
    const { organizationId } = tenant
    const audit = { id: 'aud_2', atMs: 1, actor: 'cli', action: 'person.erase', subject: groupId }
    await api.store.erasures.eraseGroup(
      { groupId, organizationId },
      { ...audit, organizationId, detail: {} },
      [],
    )
    const { status, text } = await visit(url)
    expect(status).toBe(410)
    expect(text).toContain(EN.problems.gone.title)
    expect(await send(`${url}?confirm=x`)).toMatchObject({ status: 410 })
  })

  test('503: the store is unreachable, and a reload shows the page', async () => {
    const { url } = await verified()
    isAway = true
    const { status, headers, text } = await visit(url)
    isAway = false
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
    expect(text).toContain(EN.problems.unavailable.title)
    expect((await visit(url)).status).toBe(200)
  })

  test('405: other methods come from programs, which get our envelope', async () => {
    const answer = await fetch(`${api.url}${CONSENT_PATH}/x`, { method: 'DELETE' })
    expect(answer.status).toBe(405)
    expect(await answer.json()).toMatchObject({ error: { code: 'method_not_allowed' } })
  })
})

describe('POST /v1/video/assets/sessions/consent/{token}', () => {
  test('200: group and portraits are gone for every request after it, with an audit row of the person', async () => {
    const { url, groupId, tenant } = await verified()
    const client = assetClientOf(api, tenant)
    const id = await client.makeActive({ group_id: groupId })
    const portrait = { type: 'image_url', image_url: { url: `asset://${id}` }, role: 'reference_image' }
    const body = { model: 'vendorA/gen-2.0', content: [{ type: 'text', text: 'a walk' }, portrait] }

    const { status, text, headers } = await revoke(url)
    expect(status).toBe(200)
    expect(text).toContain(EN.revoked.title)
    expect(headers.get('cache-control')).toBe('no-store')
    expectApiError(await client.call('POST', TASKS_PATH, { body }), { status: 400, code: 'asset_not_usable' })
    expect(await client.getAsset(id)).toMatchObject({ status: 404 })
    expectApiError(await client.upload({ ...PORTRAIT, group_id: groupId }), {
      ...{ status: 400, code: 'group_id_error' },
    })
    const rows = await api.store.audit.list({ limit: 9, subject: groupId })
    expect(rows).toMatchObject([
      {
        actor: 'person',
        action: 'person.revoke',
        organizationId: tenant.organizationId,
        detail: { assets: 1 },
      },
    ])
  })

  test('200: a repetition names the time of the revocation, and so does the page', async () => {
    const { url } = await verified()
    const form = formOf(url, (await visit(url)).text)
    expect((await send(form)).text).toContain(EN.revoked.title)
    for (const { status, text } of [await send(form), await visit(url)]) {
      expect(status).toBe(200)
      expect(text).toContain(EN.revokedBefore.title)
      expect(text).toContain('January 2, 2030')
      expect(text).not.toContain('<form')
    }
  })

  test('200: the consent for another organization stays, and a new verification has a new link', async () => {
    const [one, other] = [await verified(), await verified()]
    await revoke(one.url)
    expect((await visit(other.url)).text).toContain(EN.given.button)
    const { location } = await visit(await assetClientOf(api, one.tenant).scan({ person: 5 }))
    const again = String(new URL(String(location)).searchParams.get('consent_url'))
    expect(again).not.toBe(one.url)
    expect((await visit(again)).text).toContain(EN.given.button)
    expect((await visit(one.url)).text).toContain(EN.revokedBefore.title)
  })

  test('403: no confirmation, the confirmation of another link, or a request of another site', async () => {
    const [{ url, groupId, tenant }, other] = [await verified(), await verified()]
    const form = formOf(url, (await visit(url)).text)
    const foreign = new URL(formOf(other.url, (await visit(other.url)).text)).search
    const answers = [
      await send(url),
      await send(`${url}?confirm=`),
      await send(`${url}?confirm=x&confirm=y`),
      await send(`${url}${foreign}`),
      await send(form, { 'sec-fetch-site': 'cross-site' }),
      await send(form, { 'sec-fetch-site': 'same-site' }),
    ]
    for (const { status, text } of answers) {
      expect(status).toBe(403)
      expect(text).toContain(EN.given.button)
    }
    const { organizationId } = tenant
    expect(await api.store.erasures.findPerson({ groupId, organizationId })).toBeDefined()
    expect(await send(form, { 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 200 })
  })

  test('404: a page for an unknown link', async () => {
    const { status, text } = await send(`${api.url}${CONSENT_PATH}/x?confirm=x`)
    expect(status).toBe(404)
    expect(text).toContain(EN.problems.unknown.title)
  })

  test('503: the store is unreachable', async () => {
    const { url } = await verified()
    const form = formOf(url, (await visit(url)).text)
    isAway = true
    const { status, text } = await send(form)
    isAway = false
    expect(status).toBe(503)
    expect(text).toContain(EN.problems.unavailable.title)
  })

  test('429: too many visits of one link, and too many unknown links; other links work', async () => {
    const [busy, other] = [await verified(), await verified()]
    const visits = await Promise.all(Array.from({ length: 31 }, () => visit(busy.url)))
    const refused = visits.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(1)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused[0]?.text).toContain(EN.problems.unavailable.title)
    expect(await send(busy.url)).toMatchObject({ status: 429 })
    const guesses = await Promise.all(
      Array.from({ length: 31 }, (_, at) =>
        visit(`${api.url}${CONSENT_PATH}/${String(at).padStart(43, 'x')}`),
      ),
    )
    expect(guesses.some(({ status }) => status === 429)).toBe(true)
    expect(await visit(other.url)).toMatchObject({ status: 200 })
  })
})

const PORTRAIT = { url: 'https://media.example/face-instant.png', asset_type: 'Image' }

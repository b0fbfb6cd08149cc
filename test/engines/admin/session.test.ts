import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectPublished } from '../../api/admin/expect-published.ts'
import { ADMIN_KEY, type AdminApi, ENGINES, startAdminApi } from '../../api/admin/start-admin-api.ts'
import { startEdge } from '../../api/http-edge/start-edge.ts'
import { isFullRun } from '../../random/full-run.ts'

/** The full run tries every store engine; `npm test` tries only the first. */
describe.each(isFullRun() ? ENGINES : ENGINES.slice(0, 1))('on %s', (engine) => {
  type Headers = Record<string, string>

  let api: AdminApi
  beforeAll(async () => {
    api = await startAdminApi({ engine })
  })
  afterAll(() => api.close())

  const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }
  const JSON_TYPE = { 'content-type': 'application/json' }

  /** `METHOD /path` below `/admin/v1`, as a browser or a program would send it. */
  async function ask(call: string, headers: Headers = {}, body?: unknown) {
    const [method = 'GET', path = ''] = call.split(' ')
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
    const more = body === undefined ? {} : JSON_TYPE
    const answer = await fetch(`${api.url}/admin/v1${path}`, {
      method,
      headers: { ...more, ...headers },
      body: sent,
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: JSON.parse(text) as Record<string, unknown>,
    }
  }

  async function signIn(key: string = ADMIN_KEY, headers: Headers = {}) {
    const answer = await ask('POST /session', headers, { key })
    const setCookie = answer.headers.get('set-cookie') ?? ''
    return { ...answer, setCookie, cookie: setCookie.split(';')[0] ?? '' }
  }

  async function makeOperator(name: string, role: string) {
    const { body } = await api.ask('POST /operators', { body: { name, role } })
    return { id: String(body.id), token: String(body.token) }
  }

  describe('POST /session', () => {
    test.each([
      ['no body', ''],
      ['no JSON', '{'],
      ['no key', {}],
      ['a key that is no text', { key: 7 }],
      ['a key of 1,001 characters', { key: 'x'.repeat(1_001) }],
      ['a list', []],
    ])('400 for %s', async (_what, body) => {
      const answer = await ask('POST /session', JSON_TYPE, body)
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({ error: expect.any(String) })
      expect(answer.headers.get('set-cookie')).toBeNull()
    })

    test('413 for a body that is larger than any key needs', async () => {
      expect((await ask('POST /session', {}, { key: 'x'.repeat(5_000) })).status).toBe(413)
    })

    test('415 for a form, which a page of another site could send', async () => {
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      expect((await ask('POST /session', form, `key=${ADMIN_KEY}`)).status).toBe(415)
      expect((await ask('POST /session', { 'content-type': 'text/plain' }, '{"key":"x"}')).status).toBe(415)
    })

    test('401 for every kind of wrong key, then 429 with Retry-After; 200 for the right key', async () => {
      const own = await startAdminApi({ engine })
      const attempt = async (key: string) => {
        const answer = await fetch(`${own.url}/admin/v1/session`, {
          ...{ method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ key }) },
        })
        return { status: answer.status, headers: answer.headers, body: await answer.json() }
      }
      try {
        const { body } = await own.ask('POST /operators', { body: { name: 'gone', role: 'owner' } })
        await own.ask(`DELETE /operators/${body.id}`)
        const wrong = ['', 'x', `${ADMIN_KEY}x`, ADMIN_KEY.slice(1), own.tenant.key, String(body.token)]
        for (const key of [...wrong, 'sk-', 'op-sluice-', ' ', 'null']) {
          const answer = await attempt(key)
          expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
          expect(answer.headers.get('set-cookie')).toBeNull()
        }
        const refused = await attempt('x')
        expect(refused).toMatchObject({ status: 429, body: { error: 'Too many requests.' } })
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
        expect((await own.ask('GET /organizations', { key: 'x' })).status).toBe(429)
        expect(await attempt(ADMIN_KEY)).toMatchObject({ status: 200 })
        expect((await own.ask('GET /organizations')).status).toBe(200)
      } finally {
        await own.close()
      }
    })

    test.each([
      ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
      ['a page of a neighbour', { 'sec-fetch-site': 'same-site' }],
      ['another origin', { origin: 'https://evil.example' }],
      ['an origin without a name', { origin: 'null' }],
      ['an origin that is not a URL', { origin: 'x' }],
    ])('CSRF: 403 from %s', async (_where, headers) => {
      expect(await signIn(ADMIN_KEY, headers)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    })

    test('200 with a cookie that scripts and other sites do not get', async () => {
      const answer = await signIn()
      expect(answer.body).toMatchObject({
        object: 'session',
        actor: 'admin key',
        role: 'owner',
        method: 'key',
      })
      expectPublished('adminSignIn', answer.body)
      expect(answer.setCookie).toMatch(
        /^sluice_session=se-sluice-[\w-]{48}; Path=\/; HttpOnly; SameSite=Strict$/,
      )
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(JSON.stringify(answer.body)).not.toContain('se-sluice-')
    })

    test.each(['https', 'https, http'])(
      '200 behind %s: the cookie is Secure, with a name that only this host can set',
      async (protocol) => {
        const https = { 'x-forwarded-proto': protocol }
        const { setCookie, cookie } = await signIn(ADMIN_KEY, https)
        expect(setCookie).toMatch(/^__Host-sluice_session=.*; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
        expect((await ask('GET /session', { ...https, cookie })).status).toBe(200)
        const plain = cookie.replace('__Host-', '')
        expect((await ask('GET /session', { ...https, cookie: plain })).status).toBe(401)
      },
    )

    test('session fixation: 200 never reuses a cookie of the browser, and ends its session', async () => {
      const victim = await signIn()
      for (const cookie of [victim.cookie, 'sluice_session=chosen-by-another-site', 'sluice_session=']) {
        const { cookie: fresh } = await signIn(ADMIN_KEY, { cookie })
        expect(fresh).not.toBe(cookie)
        expect((await ask('GET /session', { cookie: fresh })).status).toBe(200)
        expect((await ask('GET /session', { cookie })).status).toBe(401)
      }
    })
  })

  describe('GET /session', () => {
    test('200 shows the operator and the end of the session', async () => {
      const { token } = await makeOperator('<b>ana</b>', 'viewer')
      const { cookie, body } = await signIn(token)
      const answer = await ask('GET /session', { cookie })
      expect(answer).toMatchObject({ status: 200, body })
      expect(answer.body).toMatchObject({ actor: '<b>ana</b>', role: 'viewer', method: 'token' })
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expectPublished('adminGetSession', answer.body)
      const idleMs = Date.parse(String(body.expires_at)) - Date.parse(String(body.created_at))
      expect(idleMs).toBe(30 * 60_000)
    })

    test('401 without a session, with an invented one, and with two cookies', async () => {
      const { cookie } = await signIn()
      const made = `sluice_session=se-sluice-${'A'.repeat(48)}`
      const wrong = [
        '',
        'x=y',
        'sluice_session',
        'sluice_session=',
        made,
        `${cookie}; ${cookie}`,
        `x${cookie}`,
      ]
      for (const sent of [...wrong, cookie.replace('sluice_session', '__Host-sluice_session')]) {
        expect(await ask('GET /session', { cookie: sent })).toMatchObject({ status: 401 })
        expect(await ask('GET /organizations', { cookie: sent })).toMatchObject({ status: 401 })
      }
      expect((await ask('GET /session', { cookie: `a=b; ${cookie};c=d` })).status).toBe(200)
    })

    test('GET /session/methods 200 without a session', async () => {
      const answer = await ask('GET /session/methods')
      expect(answer).toMatchObject({ status: 200, body: { key: true, openid: false, signed_in: false } })
      expectPublished('adminSignInMethods', answer.body)
    })

    test('GET /session/methods 200 shows whether this browser is signed in', async () => {
      const { cookie } = await signIn()
      expect((await ask('GET /session/methods', { cookie })).body).toMatchObject({ signed_in: true })
      await ask('DELETE /session', { cookie, ...SAME_ORIGIN })
      expect((await ask('GET /session/methods', { cookie })).body).toMatchObject({ signed_in: false })
    })
  })

  describe('DELETE /session', () => {
    test('200 ends the session, and clears the cookie', async () => {
      const { cookie } = await signIn()
      const answer = await ask('DELETE /session', { cookie, ...SAME_ORIGIN })
      expect(answer).toMatchObject({ status: 200, body: { object: 'session', ended: true } })
      expectPublished('adminSignOut', answer.body)
      expect(answer.headers.get('set-cookie')).toMatch(/^sluice_session=; .*Max-Age=0$/)
      expect((await ask('GET /session', { cookie })).status).toBe(401)
      expect((await ask('DELETE /session', { cookie, ...SAME_ORIGIN })).status).toBe(200)
      expect((await ask('DELETE /session')).status).toBe(200)
    })

    test('403 from a page of another site, and the session stays', async () => {
      const { cookie } = await signIn()
      const foreign = await ask('DELETE /session', { cookie, 'sec-fetch-site': 'cross-site' })
      expect(foreign.status).toBe(403)
      expect((await ask('GET /session', { cookie })).status).toBe(200)
    })
  })

  describe('a cookie in place of the key', () => {
    const create = (headers: Headers) =>
      ask('POST /organizations', headers, { name: 'By a browser', billing: 'postpaid' })

    test('has the role of its operator, and the audit log has the name', async () => {
      const { cookie } = await signIn((await makeOperator('vic', 'viewer')).token)
      expect((await ask('GET /organizations', { cookie })).status).toBe(200)
      expect(await create({ cookie, ...SAME_ORIGIN })).toMatchObject({ status: 403 })
      const { cookie: writer } = await signIn((await makeOperator('oscar', 'operator')).token)
      const { status, body } = await create({ cookie: writer, ...SAME_ORIGIN })
      expect(status).toBe(200)
      const audit = await api.ask('GET /audit?limit=1')
      expect(audit.body.data).toMatchObject([{ actor: 'oscar', subject: body.id }])
      const operator = { name: 'x', role: 'viewer' }
      expect((await ask('POST /operators', { cookie: writer, ...SAME_ORIGIN }, operator)).status).toBe(403)
    })

    test.each([
      ['a client that sends no origin', {}],
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['a neighbour site', { 'sec-fetch-site': 'same-site' }],
      ['no page at all', { 'sec-fetch-site': 'none' }],
      ['another origin', { origin: 'https://evil.example' }],
      ['an origin without a name', { origin: 'null' }],
      ['another port', { origin: 'http://127.0.0.1:1' }],
      ['another site, and a lie in Origin', { 'sec-fetch-site': 'cross-site', origin: 'SAME' }],
    ] as [string, Headers][])('CSRF: 403 for a change from %s', async (_where, headers) => {
      const { cookie } = await signIn()
      const origin: Headers = headers.origin === 'SAME' ? { origin: api.url } : {}
      expect(await create({ cookie, ...headers, ...origin })).toMatchObject({
        status: 403,
        body: { error: 'forbidden' },
      })
      expect((await ask('DELETE /operators/opr_1', { cookie, ...headers, ...origin })).status).toBe(403)
    })

    test('200 for a change with our Origin, if the browser sends no Sec-Fetch-Site', async () => {
      const { cookie } = await signIn()
      expect((await create({ cookie, origin: api.url })).status).toBe(200)
    })

    test('does not help a wrong key in the header', async () => {
      const { cookie } = await signIn()
      const wrong = { cookie, 'x-admin-key': 'wrong' }
      expect((await ask('GET /organizations', wrong)).status).toBe(401)
    })

    test('does not open the cache sync routes', async () => {
      const { cookie } = await signIn()
      const answer = await fetch(`${api.url}/admin/quota/cache/sync/user`, {
        ...{ method: 'POST', headers: { ...JSON_TYPE, ...SAME_ORIGIN, cookie }, body: '{"user_id":"usr_1"}' },
      })
      expect(answer.status).toBe(401)
    })

    test('opens the live stream', async () => {
      const { cookie } = await signIn()
      const stop = new AbortController()
      const { signal } = stop
      const answer = await fetch(`${api.url}/admin/v1/live`, { headers: { cookie }, signal })
      expect(answer.status).toBe(200)
      stop.abort()
    })
  })

  test('404 on every route of sessions while ADMIN_API_KEY is unset', async () => {
    const edge = await startEdge({ admin: undefined })
    for (const [method, path] of [
      ['POST', '/session'],
      ['GET', '/session'],
      ['DELETE', '/session'],
      ['GET', '/session/methods'],
    ]) {
      const body = method === 'POST' ? '{"key":"x"}' : null
      const init = { method, headers: body === null ? {} : JSON_TYPE, body }
      const answer = await fetch(`${edge.url}/admin/v1${path}`, init as RequestInit)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toEqual({ error: 'admin endpoints disabled' })
    }
    await edge.close()
  })
})

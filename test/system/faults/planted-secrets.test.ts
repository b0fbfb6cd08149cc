import { expect, test, vi } from 'vitest'
import { SECRET_KEY } from '../../../sandbox/assets/check-signature.ts'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { ENCRYPTED } from '../../../src/app/access/secret-needs.ts'
import { assetClientOf, visit } from '../../api/assets/call-assets.ts'
import { clientOf } from '../../api/video/call-api.ts'
import { CANARY } from '../../random/canary.ts'
import { reportFigure } from '../../random/fault-run.ts'
import { freePort } from '../../servers/free-port.ts'
import type { GatewayProcess } from './harness/gateway-process.ts'
import {
  ADMIN_KEY,
  embedded,
  openPlantedWorld,
  planted,
  SLUICE_SECRET,
  SLUICE_SECRET_PREVIOUS,
  scaled,
} from './planted-world.ts'
import type { ReadableStore } from './read-places.ts'

vi.setConfig({ testTimeout: 300_000 })

const PATIENCE = { timeout: 60_000, interval: 250 }
const PROMPT = planted('prompt')

/** Signs in by the printed link and by the key, fails at the OpenID provider, and returns the cookies and errors. */
async function signIn({ baseUrl, output }: GatewayProcess) {
  const cookieOf = (answer: Response) => answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  const link = /http:\S+\/console\/sign-in\?token=(\S+)/.exec(output())
  const byLink = await fetch(link?.[0] ?? '', { redirect: 'manual' })
  const byKey = await fetch(`${baseUrl}/admin/v1/session`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ key: ADMIN_KEY }),
  })
  const begun = await fetch(`${baseUrl}/console/oidc`, { redirect: 'manual' })
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state')
  const back = await fetch(`${baseUrl}/console/oidc/callback?code=${planted('openid-code')}&state=${state}`, {
    ...{ redirect: 'manual', headers: { cookie: cookieOf(begun) } },
  })
  expect([byLink.status, byKey.status, begun.status]).toEqual([303, 200, 303])
  expect(back.status).toBeGreaterThanOrEqual(400)
  const cookies = [byLink, byKey, begun].map((answer) => cookieOf(answer).split('=').slice(1).join('='))
  return { link: String(link?.[1]), cookies, errors: [await back.text()] }
}

test.each([
  ['SQLite', embedded],
  ['PostgreSQL and Redis with passwords', scaled],
] as const)('no planted secret can be read anywhere, on %s', async (engine, openEngines) => {
  const world = await openPlantedWorld(openEngines)
  const { gateway, collector, sandbox, store, noticeTokens } = world
  const { baseUrl } = gateway
  const errors: string[] = []
  const ask = async (path: string, sent?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    })
    const text = await answer.text()
    if (!answer.ok) errors.push(JSON.stringify([...answer.headers]), text)
    return { status: answer.status, headers: answer.headers, text }
  }
  let count = 0
  const admin = async (path: string, sent: object = {}) => {
    count += 1
    const made = await ask(`/admin/v1${path}`, sent, {
      ...{ 'x-admin-key': ADMIN_KEY, 'idempotency-key': planted(`admin-request-${count}`) },
    })
    expect(made.status, made.text).toBe(200)
    return JSON.parse(made.text)
  }

  const { link, cookies, errors: signInErrors } = await signIn(gateway)
  errors.push(...signInErrors)
  const organization = await admin('/organizations', { name: 'Acme', billing: 'prepaid' })
  const owner = { organization_id: organization.id }
  await admin('/credit', { ...owner, amount_micros: 100_000_000 })
  const { id: user } = await admin('/users', owner)
  const first = await admin('/keys', { ...owner, user_id: user })
  const { key } = await admin(`/keys/${first.id}/rotate`)
  const { webhook_secret: nextWebhookSecret } = await admin(`/organizations/${organization.id}/secret`)
  const { token } = await admin('/operators', { name: 'ana', role: 'viewer' })
  await admin('/providers', {
    ...{ name: 'stored', driver: 'text', base_url: sandbox.url, api_key: planted('stored-provider-key') },
    models: { small: { dialect: 'chat', upstream: 'small' } },
  })
  await ask('/admin/v1/organizations', undefined, { 'x-admin-key': token })
  const asClient = { authorization: `Bearer ${key}`, 'compat-version': '2023-06-01' }

  // Text: a kept reply, a repeated reply, and a vendor that echoes its key.
  const idempotency = { 'idempotency-key': planted('idempotency-key') }
  const kept = { model: 'vendorC/model-o3', input: `${PROMPT} [words 3]`, store: true }
  const reply = await ask('/v1/responses', kept, { ...asClient, ...idempotency })
  expect(reply.status).toBe(200)
  const message = {
    ...{ model: 'vendorD/text-large', max_tokens: 50 },
    messages: [{ role: 'user', content: PROMPT }],
  }
  const charged = await ask('/v1/messages', message, asClient)
  expect(charged.status, charged.text).toBe(200)
  const requestId = charged.headers.get('x-request-id')
  await expect
    .poll(async () => (await ask(`/v1/usage/${requestId}/receipt`, undefined, asClient)).status, PATIENCE)
    .toBe(200)
  for (const status of [400, 401, 500]) {
    const body = { error: { message: `wrong key ${CANARY}`, type: 'authentication_error' } }
    await fetch(`${sandbox.url}/_sandbox/faults`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ part: 'text', times: 1, fault: { kind: 'status', status, body } }),
    })
    expect((await ask('/v1/messages', message, asClient)).status).toBeGreaterThanOrEqual(400)
  }
  for (const wrong of [`${key}x`, `${key.slice(0, -1)}`, planted('made-up-key')])
    expect((await ask('/v1/models', undefined, { authorization: `Bearer ${wrong}` })).status).toBe(401)
  for (const wrong of [`${ADMIN_KEY}x`, token.slice(0, -1)])
    expect((await ask('/admin/v1/organizations', undefined, { 'x-admin-key': wrong })).status).toBe(401)

  // Video: an ended task, one that its vendor failed, and an open one; no server listens at their callback.
  const client = clientOf({ url: baseUrl }, { key })
  const callbackUrl = `https://127.0.0.1:${await freePort()}/${planted('callback-path')}?token=${planted('callback-token')}`
  const order = (words: string) => ({
    ...{ model: 'vendorA/gen-2.0', content: [{ type: 'text', text: `${PROMPT} ${words}` }] },
    callback_url: callbackUrl,
  })
  const statusOf = async (id: string) => (await client.get(id)).body.status
  const done = await client.make(order('[instant]'))
  const failed = await client.make(order('[instant] [fail]'))
  const open = await client.make(order('[slow]'))
  await expect.poll(() => statusOf(done), PATIENCE).toBe('succeeded')
  await expect.poll(() => statusOf(failed), PATIENCE).toBe('failed')
  expect(await statusOf(open)).toBe('queued')
  await ask('/v1/video/generations', { ...order(''), model: 'no-such-model' }, asClient)
  expect(noticeTokens.size).toBeGreaterThanOrEqual(3)
  for (const noticeToken of noticeTokens) await ask(`/v1/video/result?token=${noticeToken}`, {})

  // Assets: a person, a portrait, and a verification that is still open.
  const assets = assetClientOf({ url: baseUrl } as never, { key })
  const back = { callback_url: `https://client.example/${planted('verification-callback')}` }
  const returnUrl = new URL(await assets.scan({ callbackUrl: back.callback_url }))
  const { location } = await visit(returnUrl.href)
  const { body: session } = await assets.startSession(back)
  const { searchParams } = new URL(String(location))
  const groupId = searchParams.get('group_id')
  const consent = await visitConsent(String(searchParams.get('consent_url')))
  expect((await ask(consent.path.slice(0, -1))).status).toBe(404)
  const portrait = await assets.make({ url: 'https://media.example/face-instant.png', group_id: groupId })
  await expect
    .poll(async () => (await assets.getAsset(portrait)).body, PATIENCE)
    .toMatchObject({ status: 'active' })

  const rotation = await world.rotateSecret()
  expect(rotation).toMatchObject({ switched: true, unreadable: 0 })
  const secrets: Record<string, string> = {
    'a planted secret': CANARY,
    'the secret that signs calls to the asset service': SECRET_KEY,
    'an API key': key,
    'a rotated API key': first.key,
    'a webhook secret': nextWebhookSecret,
    'a rotated webhook secret': organization.webhook_secret,
    "an operator's token": token,
    'the link of a face check': new URL(String(session.h5_link)).search,
    'the address that a face check returns to': lastPart(returnUrl.pathname),
    'the link of a consent': lastPart(consent.path),
    'the confirmation of a consent': consent.confirmation,
    ...Object.fromEntries([...noticeTokens].map((text, number) => [`notice token ${number + 1}`, text])),
    ...Object.fromEntries(cookies.map((cookie, number) => [`cookie ${number + 1}`, cookie])),
    ...(await decrypted(store)),
  }
  for (const [name, secret] of Object.entries(secrets)) expect(secret.length, name).toBeGreaterThanOrEqual(12)
  const cache = await world.dumpCache()
  expect((await ask(`${consent.path}?confirm=${consent.confirmation}`, {})).status).toBe(200)
  await world.breakDown()
  await ask(consent.path)
  for (const path of ['/v1/models', '/readyz', '/v1/balance']) await ask(path, undefined, asClient)
  await ask('/v1/messages', message, asClient)
  await ask('/admin/v1/doctor', {}, { 'x-admin-key': ADMIN_KEY })
  const { text: metrics } = await ask('/metrics')
  const rows = await store.dump()
  await gateway.kill('SIGTERM')
  // The last measurements are sent when the process ends.
  await expect.poll(() => collector.points.length, PATIENCE).toBeGreaterThan(0)
  const [banner = '', ...log] = gateway.output().split(link)
  expect(log, 'the link is printed once').toHaveLength(1)
  const places = {
    ...{
      log: banner + log.join(''),
      metrics,
      traces: collector.bodies.join('\n'),
      errors: errors.join('\n'),
    },
    ...{ store: rows, cache, commands: JSON.stringify(rotation) },
  }
  for (const [place, text] of Object.entries(places)) {
    if (place !== 'cache' && place !== 'commands') expect(text.length, place).toBeGreaterThan(1_000)
    const found = Object.keys(secrets).filter((name) => text.includes(secrets[name] ?? ''))
    expect(
      found,
      `${place} holds secrets: ${found.map((name) => around(text, secrets[name] ?? '')).join(' | ')}`,
    ).toEqual([])
  }
  const bytes = Object.values(places).reduce((sum, text) => sum + text.length, 0)
  reportFigure(
    `${Object.keys(secrets).length} secrets on ${engine} searched in ${bytes.toLocaleString('en-US')} bytes of log, errors, metrics, traces, store, cache and commands: 0 found`,
  )
})

/** Opens the page of the person, and sends its form without the required confirmation. */
async function visitConsent(url: string): Promise<{ path: string; confirmation: string }> {
  const page = await visit(url)
  expect(page.status).toBe(200)
  expect((await fetch(url, { method: 'POST' })).status).toBe(403)
  const confirmation = /\?confirm=([\w-]+)/.exec(page.text)?.[1]
  return { path: new URL(url).pathname, confirmation: String(confirmation) }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Content of every encrypted column, by table and column. Each has a value: the test has filled every secret place. */
async function decrypted(store: ReadableStore): Promise<Record<string, string>> {
  const { decrypt } = createSecrets(SLUICE_SECRET, { previous: SLUICE_SECRET_PREVIOUS })
  const found: Record<string, string> = {}
  for (const [table, columns] of Object.entries(ENCRYPTED)) {
    const rows = await store.rows(table)
    for (const [column, boundTo] of Object.entries(columns)) {
      for (const { id, [column]: sealed } of rows) {
        if (typeof sealed !== 'string') continue
        const plain = decrypt(sealed, boundTo(String(id)))
        if (plain === undefined) throw new Error(`${table}.${column} of ${id} cannot be read`)
        found[`${table}.${column} of ${id}`] = plain
        if (column === 'sealed_content') found[`the video of ${id}`] = JSON.parse(plain).video_url
      }
      expect(Object.keys(found).join(), `${table}.${column} is empty`).toContain(`${table}.${column}`)
    }
  }
  return found
}

function around(text: string, secret: string): string {
  const at = text.indexOf(secret)
  return text.slice(Math.max(0, at - 120), at + secret.length + 20)
}

import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { CONSENT_WORDS } from '../../../src/http/operations/consent/words.ts'
import { assetClientOf, visit } from '../../api/assets/call-assets.ts'
import { clientOf } from '../../api/video/call-api.ts'
import { openCallbackReceiver } from '../../engines/video-work/open-receiver.ts'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { AUTHORITY_FILE } from '../faults/harness/tls-target.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { scaledEnvironment } from '../lifecycle/scaled-environment.ts'
import { lowestContrast } from './contrast.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium, openPhone } from './open-phone.ts'

const PATIENCE = { timeout: 60_000, interval: 250 }

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
}, LAUNCH_TIMEOUT_MS)
afterAll(() => browser.close())

interface Organization {
  id: string
  webhook_secret: string
}

/** Two replicas, a verified person of one organization, and a receiver of the organization's events. */
async function openWalk() {
  const env = {
    ...(await scaledEnvironment()),
    ...{ OUTBOUND_ALLOW: '127.0.0.1/32', NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY_FILE) },
    // Slow vendors: the task must not have begun.
    SANDBOX_SPEED: '1',
  }
  const receiver = await openCallbackReceiver()
  onTestFinished(() => receiver.close())
  const [one, other] = await Promise.all([startGateway({ env }), startGateway({ env })])
  onTestFinished(async () => void (await Promise.all([one.stop(), other.stop()])))
  const organization = await runSluice<Organization>(['org', 'create', '--name', 'Acme', '--prepaid'], env)
  const { id: org } = organization
  await runSluice(['credit', 'add', '--org', org, '--usd', '100'], env)
  await runSluice(['org', 'update', org, '--events-url', receiver.urlOf('/events')], env)
  const user = await runSluice<{ id: string }>(['user', 'create', '--org', org], env)
  const { key } = await runSluice<{ key: string }>(['key', 'create', '--org', org, '--user', user.id], env)
  const assets = assetClientOf({ url: one.baseUrl } as never, { key })
  const { location } = await visit(await assets.scan())
  const reported = new URL(String(location)).searchParams
  const groupId = String(reported.get('group_id'))
  const link = new URL(String(reported.get('consent_url')))
  const shown = await runSluice<{ consent_url: string }>(['person', 'show', groupId, '--org', org], env)
  expect(new URL(shown.consent_url).pathname).toBe(link.pathname)
  const id = await assets.make({ url: 'https://media.example/face-instant.png', group_id: groupId })
  await expect
    .poll(async () => (await assets.getAsset(id)).body, PATIENCE)
    .toMatchObject({ status: 'active' })
  const portrait = { type: 'image_url', image_url: { url: `asset://${id}` }, role: 'reference_image' }
  return {
    ...{ receiver, organization, groupId, other, path: link.pathname },
    clients: [one, other].map(({ baseUrl }) => clientOf({ url: baseUrl }, { key })),
    body: { model: 'vendorA/gen-2.0', content: [{ type: 'text', text: 'a walk' }, portrait] },
  }
}

test('a person revokes the consent on a phone, and no replica uses the portrait any more', {
  timeout: 240_000,
}, async () => {
  const { receiver, organization, groupId, other, path, clients, body } = await openWalk()
  const quotes = () =>
    Promise.all(clients.map(async ({ call }) => (await call('POST', '/v1/video/quotes', { body })).status))
  expect(await quotes()).toEqual([200, 200])
  const [client] = clients
  const taskId = await client?.make(body)
  const balance = async () => (await client?.call('GET', '/v1/balance'))?.body
  expect(await balance()).toMatchObject({ held_micros: 762_300 })

  for (const [locale, language] of [
    ['zh-CN', 'zh'],
    ['zh-TW', 'zh-Hant'],
    ['en-GB', 'en'],
  ] as const) {
    const { page, complaints, requests } = await openPhone(browser, { locale, colorScheme: 'dark' })
    const url = `${other.baseUrl}${path}`
    expect((await page.goto(url))?.status()).toBe(200)
    const button = page.getByRole('button', { name: CONSENT_WORDS[language].given.button })
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(await lowestContrast(page)).toMatchObject({ ratio: expect.toSatisfy((ratio) => ratio >= 4.5) })
    expect(await page.getByText('Acme').first().isVisible()).toBe(true)
    if (language === 'en') {
      await button.tap()
      await page.getByRole('heading', { name: CONSENT_WORDS.en.revoked.title }).waitFor()
      expect((await page.goto(url))?.status()).toBe(200)
      await page.getByRole('heading', { name: CONSENT_WORDS.en.revokedBefore.title }).waitFor()
    }
    expect(complaints).toEqual([])
    expect(requests.every((asked) => asked.startsWith(url))).toBe(true)
  }

  await expect.poll(quotes, PATIENCE).toEqual([400, 400])
  for (const { create } of clients)
    expect(await create(body)).toMatchObject({ status: 400, body: { error: { code: 'asset_not_usable' } } })
  const task = async () => (await client?.get(String(taskId)))?.body
  await expect.poll(task, PATIENCE).toMatchObject({ status: 'cancelled' })
  expect(await balance()).toMatchObject({ balance_micros: 100_000_000, held_micros: 0 })
  await expect.poll(() => receiver.received.length, PATIENCE).toBe(1)
  const [got] = receiver.received
  const event = new Webhook(organization.webhook_secret).verify(got?.body ?? '', got?.headers ?? {})
  expect(event).toMatchObject({
    ...{ type: 'person.revoked', data: { organization_id: organization.id, group_id: groupId } },
  })
  expect(other.output()).not.toContain(path.split('/').at(-1))
})

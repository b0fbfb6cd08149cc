import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { checkServer } from '../../../src/compose/diagnosis/check-server.ts'
import { freePort } from '../../servers/free-port.ts'
import { CHAT_MODEL, completion, textClientOf } from '../text/call-text.ts'
import { SECRET } from '../text/start-text-api.ts'
import { expectPublished } from './expect-published.ts'
import { ADMIN_KEY, type AdminApi, startAdminApi } from './start-admin-api.ts'

/** Failures in a row that open a breaker. */
const FAILURES = 5

let api: AdminApi
beforeAll(async () => {
  api = await startAdminApi()
  const client = textClientOf(api, api.tenant)
  expect(await client.chat(completion())).toMatchObject({ status: 200 })
  await api.vendor.breakDown({ part: 'text', times: FAILURES, fault: { kind: 'status', status: 500 } })
  for (let call = 0; call < FAILURES; call += 1)
    expect(await client.chat(completion())).toMatchObject({ status: 503 })
})
afterAll(() => api.close())

const target = `chat create ${CHAT_MODEL.split('/')[1]}`

test('GET /providers 200 shows the open breaker of the organization before the closed one of all', async () => {
  const { body } = await api.ask('GET /providers')
  expectPublished('adminListProviders', body)
  const shown = (body.data as { name: string; health: { breakers: object[] } }[]).find(
    ({ name }) => name === 'vendorC',
  )
  const time = expect.stringMatching(/^\d{4}-.*Z$/)
  const counted = { failures: FAILURES, last_failure: { at: time, outcome: '5xx' } }
  expect(shown?.health).toMatchObject({
    breaker: 'open',
    breakers: [
      {
        ...{ target, organization_id: api.tenant.organizationId, state: 'open', ...counted },
        ...{ since: time, next_try: time },
      },
      { ...{ target, organization_id: null, state: 'closed', ...counted }, since: null, next_try: null },
    ],
  })
})

test('GET /providers 200 shows the error of the provider, also after calls that its breaker refused', async () => {
  const healthOf = async () => {
    const { body } = await api.ask('GET /providers')
    const providers = body.data as { name: string; health: { errors: number; last_error: object } }[]
    return providers.find(({ name }) => name === 'vendorC')?.health
  }
  const before = await healthOf()
  expect(await textClientOf(api, api.tenant).chat(completion())).toMatchObject({ status: 503 })
  expect(await healthOf()).toMatchObject({
    errors: (before?.errors ?? 0) + 1,
    last_error: { outcome: '5xx' },
  })
})

test('POST /doctor 200 warns of the open breaker, with a fix', async () => {
  const { body } = await api.ask('POST /doctor')
  expectPublished('adminRunDoctor', body)
  expect(body.checks).toContainEqual({
    ...{ name: 'breaker of vendorC', ok: true, warning: true },
    detail: expect.stringMatching(
      new RegExp(`open since .*"${target}" of ${api.tenant.organizationId}: 5 failures, the last one 5xx`),
    ),
    fix: expect.stringContaining('Test it with the button beside vendorC under Providers'),
  })
})

/** Runs `sluice doctor` beside the gateway with these settings. */
async function doctorWith(settings: Record<string, string>, secret = SECRET) {
  const environment = { LOG_LEVEL: 'silent', SLUICE_CONFIG: 'sluice.yaml', HOST: '0.0.0.0', ...settings }
  const config = readConfig({ environment, readFile: () => 'providers: {}' })
  return checkServer(config, async () => createSecrets(secret))
}

const portOf = (url: string) => new URL(url).port

test('sluice doctor reads the breakers of the running server, and prints the same checks', async () => {
  const { body } = await api.ask('POST /doctor')
  const said = (body.checks as { name: string; fix: string }[]).filter(({ name }) =>
    name.startsWith('breaker'),
  )
  expect(said).toHaveLength(1)
  const onTheCommandLine = said.map(({ fix, ...check }) => ({
    ...check,
    fix: fix.replace(
      /^Test it with the button beside vendorC under Providers/,
      'Run "sluice provider test vendorC"',
    ),
  }))
  const runs = { name: 'gateway', ok: true, detail: `runs at http://127.0.0.1:${portOf(api.url)}` }
  expect(await doctorWith({ ADMIN_API_KEY: ADMIN_KEY, PORT: portOf(api.url) })).toEqual([
    runs,
    ...onTheCommandLine,
  ])
})

test('sluice doctor does not mention the gateway without an admin key', async () => {
  expect(await doctorWith({ PORT: portOf(api.url) })).toEqual([])
})

test('sluice doctor says that no gateway runs', async () => {
  const port = String(await freePort())
  expect(await doctorWith({ ADMIN_API_KEY: ADMIN_KEY, PORT: port })).toEqual([
    {
      ...{ name: 'gateway', ok: true },
      detail: `not asked for its breakers: nothing listens on 127.0.0.1, port ${port} (connection refused)`,
    },
  ])
})

test('sluice doctor does not call the gateway without a store', async () => {
  const environment = { LOG_LEVEL: 'silent', DATA_DIR: '/nowhere/data', ADMIN_API_KEY: ADMIN_KEY }
  const settings = { ...environment, PORT: portOf(api.url), SLUICE_SECRET: SECRET }
  const config = readConfig({ environment: settings, readFile: () => 'providers: {}' })
  expect(await checkServer(config)).toEqual([
    {
      ...{ name: 'gateway', ok: true },
      detail:
        'not asked for its breakers: without the store and its secret it cannot be told from another program',
    },
  ])
})

test('sluice doctor warns of a gateway with another admin key', async () => {
  expect(await doctorWith({ ADMIN_API_KEY: 'x'.repeat(20), PORT: portOf(api.url) })).toMatchObject([
    { name: 'gateway', ok: true, warning: true, detail: expect.stringContaining('another ADMIN_API_KEY') },
  ])
})

test('sluice doctor does not send the admin key to a gateway with another secret', async () => {
  expect(await doctorWith({ ADMIN_API_KEY: ADMIN_KEY, PORT: portOf(api.url) }, 'x'.repeat(32))).toEqual([
    expect.objectContaining({ warning: true, detail: expect.stringContaining('was not sent') }),
  ])
})

test.each<[string, (seen: IncomingMessage) => Promise<string> | string]>([
  ['answers like a gateway without a proof', () => '{"status":"ok"}'],
  ['makes up a proof', () => JSON.stringify({ status: 'ok', proof: 'x'.repeat(43) })],
  ['says nothing that can be read', () => '<html>'],
  [
    'passes on the proof of a gateway at another port',
    async ({ url, headers }) => {
      const challenge = String(headers['x-sluice-challenge'])
      return (await fetch(`${api.url}${url}`, { headers: { 'x-sluice-challenge': challenge } })).text()
    },
  ],
])('sluice doctor does not send the admin key to a program that %s', async (_name, answer) => {
  const seen: IncomingMessage[] = []
  const server = createServer(async (request, response) => {
    seen.push(request)
    response.end(await answer(request))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  expect(await doctorWith({ ADMIN_API_KEY: ADMIN_KEY, PORT: String(port) })).toEqual([
    {
      ...{ name: 'gateway', ok: true, warning: true, fix: expect.any(String) },
      detail: `what listens at http://127.0.0.1:${port} has not proved to be this gateway, so ADMIN_API_KEY was not sent to it`,
    },
  ])
  expect(seen).toHaveLength(1)
  expect(seen[0]?.rawHeaders.join()).not.toContain(ADMIN_KEY)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../src/compose/config.ts'
import { askServerForBreakers } from '../../../src/compose/diagnosis/ask-server.ts'
import { checkBreakers } from '../../../src/compose/diagnosis/check-breakers.ts'
import { freePort } from '../../servers/free-port.ts'
import { CHAT_MODEL, completion, textClientOf } from '../text/call-text.ts'
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

test('POST /doctor 200 warns of it and says what to do', async () => {
  const { body } = await api.ask('POST /doctor')
  expectPublished('adminRunDoctor', body)
  expect(body.checks).toContainEqual({
    ...{ name: 'breaker of vendorC', ok: true, warning: true },
    detail: expect.stringMatching(
      new RegExp(`open since .*"${target}" of ${api.tenant.organizationId}: 5 failures, the last one 5xx`),
    ),
    fix: expect.stringContaining('Run "sluice provider test vendorC"'),
  })
})

/** What `sluice doctor` says of the breakers, run with these settings beside the server. */
async function doctorWith(settings: Record<string, string>) {
  const environment = { LOG_LEVEL: 'silent', SLUICE_CONFIG: 'sluice.yaml', HOST: '0.0.0.0', ...settings }
  const config = readConfig({ environment, readFile: () => 'providers: {}' })
  return checkBreakers(await askServerForBreakers(config))
}

test('sluice doctor asks the server that runs with its settings, and says the same', async () => {
  const { body } = await api.ask('POST /doctor')
  const said = (body.checks as { name: string }[]).filter(({ name }) => name.startsWith('breaker'))
  expect(said).toHaveLength(1)
  expect(await doctorWith({ ADMIN_API_KEY: ADMIN_KEY, PORT: new URL(api.url).port })).toEqual(said)
})

test.each<[string, () => Promise<Record<string, string>>]>([
  ['no server runs', async () => ({ ADMIN_API_KEY: ADMIN_KEY, PORT: String(await freePort()) })],
  ['there is no admin key', async () => ({ PORT: new URL(api.url).port })],
  [
    'the server has another one',
    async () => ({ ADMIN_API_KEY: 'x'.repeat(20), PORT: new URL(api.url).port }),
  ],
])('sluice doctor says nothing of breakers where %s', async (_name, settings) => {
  expect(await doctorWith(await settings())).toEqual([])
})

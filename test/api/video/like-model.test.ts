import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandbox } from '../../../sandbox/server.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { checkDependencies } from '../../../src/compose/diagnosis/check-dependencies.ts'
import { composeGateway } from '../../../src/compose/gateway.ts'
import { composeOperator } from '../../../src/compose/operator.ts'
import { readCatalogFile } from '../../../src/config/catalog/load-catalog.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { passCheckpoint } from '../../../src/ports/checkpoint.ts'
import { type Client, clientOf, expectApiError, textBody } from './call-api.ts'

/** Providers besides the usual ones, with models that only the catalog knows. */
const PROVIDERS = (url: string) => `
providers:
  acmeA: { driver: vendor-a, base_url: "${url}/vendor-a/api/v3", api_key: any, models: { film: up-film } }
  acmeB: { driver: vendor-b, base_url: "${url}/vendor-b", api_key: any }
`
const CATALOG = `
models:
  - model_id: 101
    name: acmeA/film
    like: vendorA/gen-2.0
    stand_ins: [acmeA/unlisted, acmeB/foreign, acmeB/unpriced, acmeB/clip]
    prices: [{ unit: video_token, usd_per_million: 10 }]
  - { model_id: 102, name: acmeA/unlisted, like: vendorA/gen-2.0, prices: [{ unit: video_token, usd_per_million: 10 }] }
  - { model_id: 103, name: acmeB/clip, like: vendorB/gen-v4-std, prices: [{ unit: second, usd: 0.2 }] }
  - { model_id: 104, name: acmeB/quick, like: vendorB/gen-v4-fast, prices: [{ unit: second, usd: 0.1 }] }
  - { model_id: 105, name: acmeB/foreign, like: vendorA/gen-2.0, prices: [{ unit: video_token, usd_per_million: 10 }] }
  - { model_id: 106, name: acmeB/unpriced, like: vendorB/gen-v4-std }
`

let client: Client
let chargedOf: (id: string) => Promise<number | null>
let checkAll: () => ReturnType<typeof checkDependencies>
/** The next create call to a vendor of family A is answered with 500. */
let failNextAtA: () => Promise<unknown>
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-like-'))
  closing.push(async () => rmSync(dataDir, { recursive: true }))
  const sandbox = await startSandbox({ port: 0, speed: 1_000, nowMs: Date.now })
  closing.push(() => sandbox.close())
  failNextAtA = () =>
    fetch(`${sandbox.url}/_sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ part: 'vendor-a', operation: 'create', times: 1 },
        fault: { kind: 'status', status: 500 },
      }),
    })
  const config = readConfig({
    environment: { DATA_DIR: dataDir, LOG_LEVEL: 'silent', SLUICE_CONFIG: 'sluice.yaml' },
    readFile: () => PROVIDERS(sandbox.url),
  })
  const gateway = await composeGateway({ config, checkpoint: passCheckpoint, inCluster: false })
  closing.push(() => gateway.close())
  const { operator, close } = await composeOperator(config)
  closing.push(close)
  await operator.applyCatalog(
    readCatalogFile({
      fileName: 'catalog.yaml',
      source: CATALOG,
      report: (fault) => expect.fail(JSON.stringify(fault)),
    }),
  )
  const name = 'test'
  const wish = { name, billing: 'prepaid', requestsPerMinute: null } as const
  const organizationId = (await operator.createOrganization(wish)).organization.id
  await operator.addCredit({ organizationId, amountMicros: micros(100_000_000), note: null })
  const { id: userId } = await operator.createUser({ organizationId, name })
  const { key } = await operator.createKey({ organizationId, userId, name, requestsPerMinute: null })
  const url = await gateway.server.listen({ host: '127.0.0.1', port: 0 })
  closing.push(async () => gateway.server.cutConnections())
  closing.push(async () => expect(await operator.checkLedger()).toMatchObject({ violations: [] }))
  client = clientOf({ url }, { key })
  // Bodies are checked by the last reading of the catalog, so it is read once before the tests.
  await client.call('GET', '/v1/models')
  checkAll = () => checkDependencies(config)
  chargedOf = async (id) => (await operator.showTask(id)).chargedMicros
})
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

test('a model like one of family B makes a video at another provider, at its own price', async () => {
  const id = await client.make(textBody('', { model: 'acmeB/clip', duration: 4 }))
  await expect.poll(async () => (await client.get(id)).body.status).toBe('succeeded')
  // 4 seconds at 0.2 USD.
  expect(await chargedOf(id)).toBe(800_000)
  expectApiError(await client.delete(id), { status: 400, code: 'task_not_deletable' })
})

test('a model like one of family A is ordered by the id of its provider', async () => {
  const created = await client.create(textBody('', { model: 'acmeA/film', duration: 5, task_type: 7 }))
  expect(created).toMatchObject({ status: 200 })
  expect(created.headers.get('x-sluice-ignored')).toBe('task_type')
  const id = String(created.body.id)
  await expect.poll(async () => (await client.get(id)).body.status).toBe('succeeded')
  // 1280 x 720 pixels, 24 pictures a second for 5 seconds and one more, by 1024 are 108,900 tokens, at 10 USD a million.
  expect(await chargedOf(id)).toBe(1_089_000)
  expect(await client.delete(id)).toMatchObject({ status: 200 })
})

test('the rules are those of the model behind like', async () => {
  const refused = await client.create(textBody('', { model: 'acmeB/quick', generate_audio: true }))
  expectApiError(refused, { status: 400, code: 'unsupported_combination', param: 'generate_audio' })
})

test('GET /v1/models lists models whose provider is configured for them and whose driver can make them', async () => {
  const { body } = await client.call('GET', '/v1/models')
  const ids = Object(body).data.map(({ id }: { id: string }) => id)
  expect(ids).toEqual(['acmeA/film', 'acmeB/clip', 'acmeB/quick'])
})

test.each(['acmeA/unlisted', 'acmeB/foreign'])('createTask and createQuote 503 for %s', async (model) => {
  const refused = await client.create(textBody('', { model }))
  expectApiError(refused, { status: 503, code: 'provider_not_configured' })
  const unquoted = await client.call('POST', '/v1/video/quotes', { body: textBody('', { model }) })
  expectApiError(unquoted, { status: 503, code: 'provider_not_configured' })
})

test('POST /v1/video/generations 200 for 1,089,000 micros: stand-ins without a configured provider are skipped, and one without prices is used', async () => {
  await failNextAtA()
  const answer = await client.create(textBody('', { model: 'acmeA/film', duration: 5 }))
  expect(answer).toMatchObject({ status: 200 })
  const id = String(answer.body.id)
  await expect.poll(async () => (await client.get(id)).body.status).toBe('succeeded')
  expect((await client.get(id)).headers.get('x-sluice-served-by')).toBe('acmeB/unpriced')
  expect(await chargedOf(id)).toBe(1_089_000)
})

test('sluice doctor names the stand-ins that would be skipped, and no others', async () => {
  const named = (await checkAll()).filter(({ detail }) => detail.includes(' is passed over'))
  expect(named.map(({ name, detail }) => `${name}: ${detail.split('. ')[0]}`)).toEqual([
    'model acmeA/film: its stand-in acmeA/unlisted is passed over: the provider "acmeA" has no model "unlisted"',
    'model acmeA/film: its stand-in acmeB/foreign is passed over: the driver vendor-b does not make videos like vendorA/gen-2.0',
  ])
})

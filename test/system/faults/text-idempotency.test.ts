import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createClient } from '@redis/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { message, textClientOf } from '../../api/text/call-text.ts'
import { startHeldVendor } from '../../api/text/held-vendor.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { type Books, CREDIT_MICROS, openPostgresBooks, openSqliteBooks } from './video-books.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 180_000 })

/** Cost of the request below in micro-USD. */
const COST = 3_128
const BODY = message('[words 500]', { max_tokens: 1_000 })
const KEY = { 'idempotency-key': 'order 66' }

/** Gateways in separate processes on one store, with a vendor that holds its calls until the test lets them through. */
async function openScenario({ openBooks = openSqliteBooks, replicas = 1, env = {} } = {}) {
  const vendor = await startHeldVendor()
  onTestFinished(() => vendor.close())
  const books = await openBooks()
  onTestFinished(() => books.close())
  const folder = mkdtempSync(join(tmpdir(), 'sluice-idempotency-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const SLUICE_CONFIG = join(folder, 'sluice.yaml')
  writeFileSync(SLUICE_CONFIG, providersAt(vendor.url))
  const own = { ...books.env, SLUICE_CONFIG, LOG_LEVEL: 'warn', ...env }
  const gateways: GatewayProcess[] = []
  for (let replica = 0; replica < replicas; replica += 1) {
    const gateway = await startGateway({ env: own })
    onTestFinished(async () => void (await gateway.stop()))
    gateways.push(gateway)
  }
  const ask = (gateway: GatewayProcess) =>
    textClientOf({ url: gateway.baseUrl }, books.tenant).messages(BODY, KEY)
  return {
    vendor,
    books,
    gateways,
    ask,
    /** Expects one usage row, and a balance that is lower by its cost. */
    async expectOneCharge() {
      const rows = () => books.rows('select outcome, cost_micros from text_usage')
      await expect.poll(async () => (await rows()).length).toBeGreaterThan(0)
      expect((await rows()).map(({ outcome, cost_micros }) => [outcome, Number(cost_micros)])).toEqual([
        ['completed', COST],
      ])
      const [organization] = await books.rows('select balance_micros from organizations')
      expect(Number(organization?.balance_micros)).toBe(CREDIT_MICROS - COST)
    },
    async expectSoundLedger() {
      expect(await runSluice(['ledger', 'check'], own)).toMatchObject({ ok: true, violations: [] })
    },
  }
}

function providersAt(url: string): string {
  return `providers:
  vendorD:
    driver: text
    base_url: ${url}/text
    api_key: any
    version_header: compat-version
    models: { text-small: { dialect: messages } }
`
}

/** Ends every lease. */
async function endLeases({ env, rows }: Books): Promise<void> {
  const change = 'update request_claims set lease_until_ms = 1'
  if (env.DATA_DIR === undefined) await rows(change)
  else {
    using database = new DatabaseSync(join(env.DATA_DIR, 'sluice.db'), { timeout: 5_000 })
    database.exec(change)
  }
}

test('a restart between two calls with the same key: 409, and no second charge', async () => {
  const scenario = await openScenario()
  const [gateway] = scenario.gateways
  if (gateway === undefined) throw new Error('no gateway')
  await scenario.vendor.letThrough()
  expect(await scenario.ask(gateway)).toMatchObject({ status: 200 })
  expect(await gateway.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  await scenario.expectOneCharge()
  await gateway.restart()
  const again = await scenario.ask(gateway)
  expect(again).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('no longer kept') } },
  })
  expect(await gateway.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  await scenario.expectOneCharge()
  await scenario.expectSoundLedger()
  await gateway.restart()
})

test.each([
  ['SQLite', openSqliteBooks],
  ['PostgreSQL', openPostgresBooks],
])(
  'kill -9 during a request, %s: in use until the lease ends, then served and charged once',
  async (_name, openBooks) => {
    const scenario = await openScenario({ openBooks })
    const [gateway] = scenario.gateways
    if (gateway === undefined) throw new Error('no gateway')
    const cut = scenario.ask(gateway).catch(() => 'cut')
    await expect.poll(scenario.vendor.calls).toBe(1)
    expect(await gateway.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
    expect(await cut).toBe('cut')
    await scenario.vendor.letThrough()
    await gateway.restart()
    expect(await scenario.ask(gateway)).toMatchObject({ status: 409 })
    await endLeases(scenario.books)
    const served = await scenario.ask(gateway)
    expect(served).toMatchObject({ status: 200 })
    expect((await scenario.ask(gateway)).text).toBe(served.text)
    await scenario.expectOneCharge()
    // No second charge follows after the lease of the finished claim.
    await endLeases(scenario.books)
    expect((await scenario.ask(gateway)).text).toBe(served.text)
    await scenario.expectOneCharge()
  },
)

test('two replicas on PostgreSQL and Redis get 20 concurrent requests with one key: one call, one charge, one reply', async () => {
  const redis = await freshRedis()
  onTestFinished(() => redis.close())
  const scenario = await openScenario({
    openBooks: openPostgresBooks,
    replicas: 2,
    env: { REDIS_URL: redis.url },
  })
  const asked = Array.from({ length: 20 }, (_, turn) =>
    scenario.ask(scenario.gateways[turn % 2] as GatewayProcess),
  )
  const answers: { status: number; text: string }[] = []
  for (const each of asked) void each.then((answer) => answers.push(answer))
  await expect.poll(() => answers.map(({ status }) => status)).toEqual(Array(19).fill(409))
  // Whatever happens to the cache, the key stays claimed.
  const client = createClient({ url: redis.url })
  await client.connect()
  await client.flushDb()
  await client.close()
  for (const gateway of scenario.gateways) expect(await scenario.ask(gateway)).toMatchObject({ status: 409 })
  await scenario.vendor.letThrough()
  await Promise.all(asked)
  const served = answers.at(-1)
  expect(served).toMatchObject({ status: 200 })
  for (const gateway of scenario.gateways) {
    expect(await scenario.ask(gateway)).toMatchObject({ status: 200, text: served?.text })
  }
  expect(scenario.vendor.calls()).toBe(1)
  await scenario.expectOneCharge()
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createClient } from '@redis/client'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../sandbox/server.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { textProvidersAt } from './text-world.ts'
import { type Books, CREDIT_MICROS, openPostgresBooks, openSqliteBooks } from './video-books.ts'

/** In micro-USD: 2 tokens of input at 2, and 4 tokens of output at 8. */
const COST_MICROS = 2 * 2 + 4 * 8
const PATIENCE = { timeout: 30_000 }
const KILLED = { code: null, signal: 'SIGKILL' }
const ASKED = { model: 'vendorC/model-4.1', input: 'river' }

async function openReplica(env: Record<string, string>): Promise<GatewayProcess> {
  const gateway = await startGateway({ env })
  onTestFinished(async () => void (await gateway.stop()))
  return gateway
}

async function openVendor(): Promise<{ SLUICE_CONFIG: string }> {
  const sandbox = await startSandbox({ port: 0, speed: 60, nowMs: systemClock.nowMs })
  onTestFinished(() => sandbox.close())
  const folder = mkdtempSync(join(tmpdir(), 'sluice-kept-charges-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const SLUICE_CONFIG = join(folder, 'sluice.yaml')
  writeFileSync(SLUICE_CONFIG, `providers:\n${textProvidersAt(`${sandbox.url}/text`)}`)
  return { SLUICE_CONFIG }
}

function clientOf({ tenant, rows, env }: Books) {
  const headers = { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' }
  const ask = async ({ baseUrl }: GatewayProcess, path: string, init: RequestInit = {}) =>
    (await fetch(`${baseUrl}/v1/responses${path}`, { headers, ...init })).text()
  const costs = async () =>
    (await rows('select cost_micros from text_usage')).map((row) => Number(row.cost_micros))
  const create = (gateway: GatewayProcess, more: object) =>
    ask(gateway, '', { method: 'POST', body: JSON.stringify({ ...ASKED, ...more }) })
  const read = async (gateway: GatewayProcess, id: string) => JSON.parse(await ask(gateway, `/${id}`))
  const readEvents = (gateway: GatewayProcess, id: string) => ask(gateway, `/${id}?stream=true`)

  async function expectPaid(micros: number): Promise<void> {
    expect(await costs()).toEqual(micros === 0 ? [] : [micros])
    const [row] = await rows('select balance_micros from organizations')
    expect(Number(row?.balance_micros)).toBe(CREDIT_MICROS - micros)
    expect(await runSluice(['ledger', 'check'], env)).toMatchObject({ ok: true, violations: [] })
  }
  return {
    ...{ costs, create, read },
    keyOf: (id: string, what: string) => `sluice:{org:${tenant.organizationId}}:response:${id}:${what}`,
    begin: async (gateway: GatewayProcess): Promise<string> =>
      JSON.parse(await create(gateway, { background: true })).id,
    async expectFailed(gateway: GatewayProcess, id: string): Promise<void> {
      expect(await read(gateway, id)).toMatchObject({ status: 'failed', output: [] })
      expect(await readEvents(gateway, id)).not.toContain('response.completed')
      await expectPaid(0)
    },
    async expectWhole(gateway: GatewayProcess, id: string): Promise<void> {
      const reply = await read(gateway, id)
      expect(reply).toMatchObject({ status: 'completed' })
      expect(JSON.stringify(reply)).toContain('You said: river')
      expect(await readEvents(gateway, id)).toContain('event: response.completed')
      await expectPaid(COST_MICROS)
    },
  }
}

/** Two replicas, and a lock that lets no usage row be written. */
async function openReplicated() {
  const redis = await freshRedis()
  onTestFinished(() => redis.close())
  const books = await openPostgresBooks()
  onTestFinished(() => books.close())
  const env = { ...books.env, REDIS_URL: redis.url, ...(await openVendor()) }
  const [one, other] = [await openReplica(env), await openReplica(env)]
  const commands = createClient({ url: redis.url })
  await commands.connect()
  onTestFinished(() => commands.close())
  const lock = new Client({ connectionString: String(books.env.DATABASE_URL) })
  await lock.connect()
  onTestFinished(() => lock.end())
  await lock.query('begin')
  await lock.query('lock table text_usage in share row exclusive mode')
  const client = clientOf(books)
  const begin = async () => {
    const id = await client.begin(one)
    await expect.poll(() => commands.exists(client.keyOf(id, 'end')), PATIENCE).toBe(1)
    return id
  }
  return { ...client, begin, one, other, commands, lock }
}

test('kill -9 before the usage row of a background reply, two replicas: it runs, then it failed, and costs 0 micros', async () => {
  const { begin, one, other, commands, lock, keyOf, read, expectFailed } = await openReplicated()
  const id = await begin()
  expect((await read(other, id)).status).toMatch(/queued|in_progress/)
  expect(await one.kill('SIGKILL')).toEqual(KILLED)
  // PostgreSQL does not notice the end of a client that waits for a lock.
  await lock.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  await lock.query('rollback')
  await commands.del(keyOf(id, 'lease'))
  await expectFailed(other, id)
})

test('kill -9 between the usage row of a background reply and its end, two replicas: it is whole, and costs 36 micros once', async () => {
  const { begin, one, other, commands, lock, keyOf, costs, expectWhole } = await openReplicated()
  const id = await begin()
  const goOn = () => commands.sendCommand(['CLIENT', 'UNPAUSE'])
  onTestFinished(async () => void (await goOn()))
  await commands.sendCommand(['CLIENT', 'PAUSE', '600000', 'WRITE'])
  await lock.query('rollback')
  await expect.poll(costs, PATIENCE).toEqual([COST_MICROS])
  expect(await one.kill('SIGKILL')).toEqual(KILLED)
  await goOn()
  await commands.del(keyOf(id, 'lease'))
  expect(await commands.exists(keyOf(id, 'end'))).toBe(1)
  await expectWhole(other, id)
})

test('a client that is connected gets the end of its kept stream while no usage row can be written, and pays 36 micros later', async () => {
  const { one, other, lock, create, read, costs, expectWhole } = await openReplicated()
  const events = await create(one, { store: true, stream: true })
  expect(events).toContain('event: response.completed')
  expect(await costs()).toEqual([])
  const [, id = ''] = /"id":"(resp_[^"]+)"/.exec(events) ?? []
  expect((await read(other, id)).status).toBe('in_progress')
  await lock.query('rollback')
  await expect.poll(async () => (await read(other, id)).status, PATIENCE).toBe('completed')
  await expectWhole(other, id)
})

/** One replica, with a database trigger that refuses some rows until it is dropped. */
async function openEmbedded(refused: string) {
  const books = await openSqliteBooks()
  onTestFinished(() => books.close())
  const gateway = await openReplica({ ...books.env, ...(await openVendor()) })
  const change = (sql: string) => {
    using database = new DatabaseSync(join(String(books.env.DATA_DIR), 'sluice.db'), { timeout: 10_000 })
    database.exec(sql)
  }
  change(`create trigger refused before insert on ${refused} begin select raise(abort, 'refused'); end`)
  const client = clientOf(books)
  return {
    ...{ ...client, gateway, rows: books.rows },
    /** Kills the process, lifts the trigger, lets the time of the lease pass, and starts again. */
    async killAndRestart(id: string): Promise<void> {
      expect(await gateway.kill('SIGKILL')).toEqual(KILLED)
      change('drop trigger refused')
      change(`delete from kept_values where key = '${client.keyOf(id, 'lease')}'`)
      await gateway.restart()
    },
  }
}

test('kill -9 before the usage row of a background reply, embedded: it failed, and costs 0 micros', async () => {
  const { begin, gateway, rows, keyOf, killAndRestart, expectFailed } = await openEmbedded('text_usage')
  const id = await begin(gateway)
  const ends = () => rows(`select 1 as found from kept_values where key = '${keyOf(id, 'end')}'`)
  await expect.poll(ends, PATIENCE).toHaveLength(1)
  await killAndRestart(id)
  await expectFailed(gateway, id)
})

test('kill -9 between the usage row of a background reply and its end, embedded: it is whole, and costs 36 micros once', async () => {
  const conversation = "kept_values when new.key like '%:conversation'"
  const { begin, gateway, costs, killAndRestart, expectWhole } = await openEmbedded(conversation)
  const id = await begin(gateway)
  await expect.poll(costs, PATIENCE).toEqual([COST_MICROS])
  await killAndRestart(id)
  await expectWhole(gateway, id)
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../sandbox/server.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { textProvidersAt } from './text-world.ts'
import { CREDIT_MICROS, openPostgresBooks } from './video-books.ts'

/** In micro-USD: 2 tokens of input at 2, and 4 tokens of output at 8. */
const COST_MICROS = 2 * 2 + 4 * 8
const PATIENCE = { timeout: 30_000 }

/** Two replicas, and a background reply of the first one whose end is prepared and whose usage row cannot be written. */
async function openStory() {
  const redis = await freshRedis()
  onTestFinished(() => redis.close())
  const books = await openPostgresBooks()
  onTestFinished(() => books.close())
  const sandbox = await startSandbox({ port: 0, speed: 60, nowMs: systemClock.nowMs })
  onTestFinished(() => sandbox.close())
  const folder = mkdtempSync(join(tmpdir(), 'sluice-kept-charges-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const SLUICE_CONFIG = join(folder, 'sluice.yaml')
  writeFileSync(SLUICE_CONFIG, `providers:\n${textProvidersAt(`${sandbox.url}/text`)}`)
  const openReplica = async () => {
    const gateway = await startGateway({ env: { ...books.env, REDIS_URL: redis.url, SLUICE_CONFIG } })
    onTestFinished(async () => void (await gateway.stop()))
    return gateway
  }
  const [one, other] = [await openReplica(), await openReplica()]
  const commands = createClient({ url: redis.url })
  await commands.connect()
  onTestFinished(() => commands.close())
  const lock = new Client({ connectionString: String(books.env.DATABASE_URL) })
  await lock.connect()
  onTestFinished(() => lock.end())
  await lock.query('begin')
  await lock.query('lock table text_usage in share row exclusive mode')

  const headers = { authorization: `Bearer ${books.tenant.key}`, 'content-type': 'application/json' }
  const ask = async ({ baseUrl }: GatewayProcess, path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${baseUrl}/v1/responses${path}`, { headers, ...init })
    return answer.text()
  }
  const asked = { model: 'vendorC/model-4.1', input: 'river', background: true }
  const { id } = JSON.parse(await ask(one, '', { method: 'POST', body: JSON.stringify(asked) }))
  const keyOf = (what: string) => `sluice:{org:${books.tenant.organizationId}}:response:${id}:${what}`
  await expect.poll(() => commands.exists(keyOf('end')), PATIENCE).toBe(1)
  return {
    ...{ books, one, commands, lock, keyOf },
    read: async () => JSON.parse(await ask(other, `/${id}`)),
    readEvents: () => ask(other, `/${id}?stream=true`),
    costs: async () =>
      (await books.rows('select cost_micros from text_usage')).map((row) => Number(row.cost_micros)),
    async expectPaid(micros: number) {
      const [row] = await books.rows('select balance_micros from organizations')
      expect(Number(row?.balance_micros)).toBe(CREDIT_MICROS - micros)
      expect(await runSluice(['ledger', 'check'], books.env)).toMatchObject({ ok: true, violations: [] })
    },
  }
}

test('kill -9 before the usage row of a background reply: it runs, then it failed, and costs 0 micros', async () => {
  const { one, commands, lock, keyOf, read, readEvents, costs, expectPaid } = await openStory()
  expect((await read()).status).toMatch(/queued|in_progress/)
  expect(await one.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
  // The server of the store does not notice the end of a client that waits for a lock.
  await lock.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  await lock.query('rollback')
  await commands.del(keyOf('lease'))
  expect(await read()).toMatchObject({ status: 'failed', output: [] })
  expect(await readEvents()).not.toContain('response.completed')
  expect(await costs()).toEqual([])
  await expectPaid(0)
})

test('kill -9 after the usage row of a background reply, before its end: it is read whole, and costs 36 micros once', async () => {
  const { one, commands, lock, keyOf, read, readEvents, costs, expectPaid } = await openStory()
  const goOn = () => commands.sendCommand(['CLIENT', 'UNPAUSE'])
  onTestFinished(async () => void (await goOn()))
  await commands.sendCommand(['CLIENT', 'PAUSE', '600000', 'WRITE'])
  await lock.query('rollback')
  await expect.poll(costs, PATIENCE).toEqual([COST_MICROS])
  expect(await one.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
  await goOn()
  await commands.del(keyOf('lease'))
  expect(await commands.exists(keyOf('end'))).toBe(1)
  expect(await read()).toMatchObject({ status: 'completed' })
  expect(JSON.stringify(await read())).toContain('You said: river')
  expect(await readEvents()).toContain('event: response.completed')
  expect(await costs()).toEqual([COST_MICROS])
  await expectPaid(COST_MICROS)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { call } from './call.ts'
import { dataFolder } from './data-folder.ts'
import { runSluice } from './run-sluice.ts'
import { scaledEnvironment } from './scaled-environment.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 180_000 })

const SECRET = 'a secret of more than thirty-two characters'
/** 5 USD, less a video and a text reply. */
const BALANCE_MICROS = 4_237_634

/** A customer in each dump: the release made it, with a video that is done and a text reply. */
const STORES = {
  SQLite: {
    org: 'org_01a1eedace420000b64eb8a71ebabc0d',
    task: 'task_01a1eedaf2c1000071f948463d523a1a',
    key: 'sk-sluice-uqz3o7TGYwF8OiakRRTQ0Y2RMvAnJrmrtiJF0IXF-yOU-1-d',
    async load(): Promise<Record<string, string>> {
      const folder = dataFolder()
      const database = new DatabaseSync(join(folder, 'sluice.db'))
      database.exec(dumpOf('sqlite'))
      database.close()
      return { DATA_DIR: folder, SLUICE_SECRET: SECRET }
    },
  },
  PostgreSQL: {
    org: 'org_01a1eedb255a0000f33bd685aa1f26ef',
    task: 'task_01a1eedb2ec10000994225b3656fd023',
    key: 'sk-sluice-gtxKeJiGR7skvOj1Is3rnMkpX6cLr_vDGU4R7ss-2bQJTVWD',
    async load(): Promise<Record<string, string>> {
      const env = await scaledEnvironment()
      const client = new Client({ connectionString: env.DATABASE_URL })
      await client.connect()
      await client.query(dumpOf('postgres'))
      await client.end()
      return env
    },
  },
}

function dumpOf(engine: 'sqlite' | 'postgres'): string {
  return readFileSync(new URL(`../../fixtures/released-store/${engine}.sql`, import.meta.url), 'utf8')
}

test.each(Object.entries(STORES))(
  'a store of 0.2 on %s opens, migrates, serves its customer and balances',
  async (_, { org, task, key, load }) => {
    const env = await load()
    const gateway = await startGateway({ env })
    onTestFinished(async () => void (await gateway.stop()))
    expect(await runSluice(['credit', 'show', '--org', org], env)).toMatchObject({
      balance_micros: BALANCE_MICROS,
      held_micros: 0,
    })
    const { baseUrl } = gateway
    expect(await call(`${baseUrl}/v1/video/generations/${task}`, key)).toMatchObject({ status: 200 })
    const headers = {
      'x-api-key': key,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    }
    const messages = [{ role: 'user', content: 'hello' }]
    const body = JSON.stringify({ model: 'vendorD/text-large', max_tokens: 50, messages })
    const reply = await fetch(`${baseUrl}/v1/messages`, { method: 'POST', headers, body })
    expect(reply.status).toBe(200)
    await reply.text()
    const isCharged = async () => {
      const credit = await runSluice<{ balance_micros: number; held_micros: number }>(
        ['credit', 'show', '--org', org],
        env,
      )
      return credit.balance_micros < BALANCE_MICROS
    }
    await expect.poll(isCharged).toBe(true)
    expect(await gateway.kill('SIGTERM')).toMatchObject({ code: 0 })
    expect(await runSluice(['ledger', 'check'], env)).toMatchObject({ ok: true, violations: [] })
  },
)

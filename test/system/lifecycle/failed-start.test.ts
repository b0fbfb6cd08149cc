import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../servers/free-port.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { dataFolder } from './data-folder.ts'
import { runToItsEnd } from './run-to-its-end.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 120_000 })

const SLUICE_SECRET = 'a secret of more than thirty-two characters'
const FAILED = { code: 1, signal: null }

async function redisUrl(): Promise<string> {
  const redis = await freshRedis()
  onTestFinished(() => redis.close())
  return redis.url
}

/** A database that is up to date by its own account, and yet lacks what the last step of a start needs. */
async function brokenDatabaseUrl(): Promise<string> {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  expect(await runToItsEnd(['migrate'], { SLUICE_SECRET, DATABASE_URL: database.url })).toMatchObject({
    code: 0,
  })
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query('drop table models cascade')
  await client.end()
  return database.url
}

async function awayDatabaseUrl(): Promise<string> {
  return `postgres://stranger:canary@127.0.0.1:${await freePort()}/nothing`
}

test('a start without its database ends with 1 and the reason, with Redis reachable', async () => {
  const env = { SLUICE_SECRET, REDIS_URL: await redisUrl(), DATABASE_URL: await awayDatabaseUrl() }
  const ended = await runToItsEnd(['serve'], env)
  expect(ended).toMatchObject(FAILED)
  expect(ended.output).toContain('The store is not available.')
  expect(ended.output).toContain('ECONNREFUSED')
  expect(ended.output).not.toContain('canary')
})

test('a second start on a data folder ends with 1 and names a fix, with Redis configured', async () => {
  const env = { DATA_DIR: dataFolder(), REDIS_URL: await redisUrl() }
  const gateway = await startGateway({ env: { ...env, SANDBOX_PORT: '0' } })
  onTestFinished(async () => void (await gateway.stop()))
  const ended = await runToItsEnd(['serve'], env)
  expect(ended).toMatchObject(FAILED)
  expect(ended.output).toContain('Another Sluice server is running on DATA_DIR')
})

test('a start that fails after everything was opened closes it again and ends with 1', async () => {
  const env = { SLUICE_SECRET, REDIS_URL: await redisUrl(), DATABASE_URL: await brokenDatabaseUrl() }
  const ended = await runToItsEnd(['serve'], env)
  expect(ended).toMatchObject(FAILED)
  expect(ended.output).toMatch(/relation .*models.* does not exist/)
  expect(ended.output).not.toContain('is ready on')
})

test('a start on a used port ends with 1 and the reason', async () => {
  const gateway = await startGateway({ env: { DATA_DIR: dataFolder(), SANDBOX_PORT: '0' } })
  onTestFinished(async () => void (await gateway.stop()))
  const env = { DATA_DIR: dataFolder(), REDIS_URL: await redisUrl(), PORT: String(gateway.port) }
  const ended = await runToItsEnd(['serve'], env)
  expect(ended).toMatchObject(FAILED)
  expect(ended.output).toContain('EADDRINUSE')
  expect(ended.output).toContain('set PORT')
})

test('a command whose cache cannot be opened ends with 1, even if its store was opened', async () => {
  const env = { DATA_DIR: dataFolder(), REDIS_URL: 'redis://127.0.0.1/not-a-number' }
  expect(await runToItsEnd(['org', 'list'], env)).toMatchObject(FAILED)
})

test('workers that cannot start end their primary with 1 and a message', async () => {
  const env = { SLUICE_SECRET, REDIS_URL: await redisUrl(), DATABASE_URL: await awayDatabaseUrl() }
  const ended = await runToItsEnd(['serve', '--workers', '2'], env)
  expect(ended).toMatchObject(FAILED)
  expect(ended.output).toContain('The store is not available.')
  expect(ended.output).toContain('worker.given_up')
  // A second worker would fail in the same way, so the first is not replaced.
  expect(ended.output).not.toContain('worker.replaced')
  expect(ended.output).not.toContain('is ready on')
})

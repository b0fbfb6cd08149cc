import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { migratePostgres } from '../../src/adapters/postgres/migrate.ts'
import { startPostgres } from './postgres-server.ts'
import { startRedis } from './redis-server.ts'
import type { TestServer } from './test-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A database on whose server the tests may create others; use `freshDatabase()` instead of writing into it. */
    databaseUrl: string
    /** The name of a database with Sluice's tables, which `databaseWithTables()` copies. */
    databaseTemplate: string
    /** Prefix of the names of this run's databases. */
    databasePrefix: string
    redisUrl: string
  }
}

/** Every test run has a real PostgreSQL and a real Redis: the ones named in the environment, else its own. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const databaseUrl = process.env.TEST_DATABASE_URL
  const redisUrl = process.env.TEST_REDIS_URL
  const [postgres, redis] = await startAll([
    // It ends with this run: its rows need not outlive a power cut.
    databaseUrl ? undefined : () => startPostgres({ isQuick: true }),
    redisUrl ? undefined : startRedis,
  ])
  const serverUrl = postgres?.url ?? databaseUrl ?? ''
  project.provide('databaseUrl', serverUrl)
  project.provide('redisUrl', redis?.url ?? redisUrl ?? '')
  const prefix = `sluice_test_${randomBytes(8).toString('hex')}_`
  project.provide('databasePrefix', prefix)
  project.provide('databaseTemplate', await makeTemplate(serverUrl, `${prefix}template`))
  return async () => {
    if (databaseUrl) await dropDatabases(databaseUrl, prefix)
    await removeAll([postgres, redis])
  }
}

/** Making the tables takes several times as long as a copy of them. */
async function makeTemplate(serverUrl: string, name: string): Promise<string> {
  await onServer(serverUrl, (client) =>
    client.query(`create database ${name} template template0 encoding 'UTF8'`),
  )
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await migratePostgres({ url: url.href })
  // PostgreSQL copies no database that has connections.
  await onServer(serverUrl, (client) => client.query(`alter database ${name} allow_connections false`))
  return name
}

type Start = () => Promise<TestServer>

/** Starts all servers or none: when one fails, the others are stopped. */
async function startAll(starts: readonly (Start | undefined)[]): Promise<(TestServer | undefined)[]> {
  const results = await Promise.allSettled(starts.map((start) => start?.()))
  const servers = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined))
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  if (failures.length === 0) return servers
  await removeAll(servers)
  throw new AggregateError(failures, failures.map(String).join('\n\n'))
}

async function removeAll(servers: readonly (TestServer | undefined)[]): Promise<void> {
  await Promise.all(servers.map((server) => server?.remove()))
}

/** Drops the databases of this run from a server that keeps running: some outlive the tests that made them. */
async function dropDatabases(url: string, prefix: string): Promise<void> {
  await onServer(url, async (client) => {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
      prefix,
    ])
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
  })
}

async function onServer(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

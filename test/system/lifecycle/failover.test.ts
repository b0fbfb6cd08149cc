import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { databaseWithTables } from '../../servers/fresh-database.ts'
import { startPgBouncer } from '../../servers/pgbouncer.ts'
import { startRedisCluster, startRedisWithSentinels } from '../../servers/redis-groups.ts'
import { startRedis } from '../../servers/redis-server.ts'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { call } from './call.ts'
import { runSluice } from './run-sluice.ts'
import { steadyClients, TEXT_REQUEST } from './steady-clients.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 300_000 })

const CREDIT_MICROS = 1_000_000_000
const REQUESTS_EACH = 100

/** Two replicas on a database behind PgBouncer in transaction mode, and a tenant with a limit per user. */
async function openReplicas(redisUrl: string) {
  const database = await databaseWithTables()
  const bouncer = await startPgBouncer(database.url)
  onTestFinished(async () => {
    await bouncer.remove()
    await database.drop()
  })
  const env = {
    SLUICE_SECRET: 'a secret of more than thirty-two characters',
    DATABASE_URL: bouncer.url,
    REDIS_URL: redisUrl,
    SANDBOX: 'on',
  }
  const replicas = [await startGateway({ env }), await startGateway({ env })]
  const stop = async () => {
    await Promise.all(replicas.map((replica) => replica.stop()))
  }
  onTestFinished(stop)
  const run = <T>(...words: string[]) => runSluice<T>(words, env)
  const { id: org } = await run<{ id: string }>('org', 'create', '--name', 'life', '--prepaid')
  const { id: user } = await run<{ id: string }>('user', 'create', '--org', org)
  await run('user', 'limit', user, '--daily-usd', '1000', '--enable')
  await run('credit', 'add', '--org', org, '--usd', String(CREDIT_MICROS / 1_000_000))
  const made = await run<{ id: string; key: string }>('key', 'create', '--org', org, '--user', user)
  return { bouncer, database, env, replicas, stop, run, org, user, key: made.key, keyId: made.id }
}

type Replicas = Awaited<ReturnType<typeof openReplicas>>

/** Steady text traffic on both replicas, with `failOver` in its middle; returns how many requests were answered. */
async function serveThrough({ replicas, key }: Replicas, failOver: () => Promise<void>) {
  const clients = replicas.map(({ baseUrl }) =>
    steadyClients({ baseUrl, key, count: 2, request: TEXT_REQUEST }),
  )
  const answered = () => clients.map((client) => client.answered())
  const serveMore = async () => {
    const before = answered()
    await expect
      .poll(() => answered().every((count, index) => count >= (before[index] ?? 0) + REQUESTS_EACH), {
        timeout: 60_000,
      })
      .toBe(true)
  }
  await serveMore()
  await failOver()
  await serveMore()
  await Promise.all(clients.map((client) => client.stop()))
  return {
    answered: answered().reduce((sum, count) => sum + count, 0),
    failures: clients.flatMap((client) => client.failures),
  }
}

/** Every answered request has one row, all rows cost the same, and the balance went down by exactly their sum. */
async function expectExactBooks({ database, run, org, stop }: Replicas, answered: number) {
  await stop()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query(
    'select count(*)::int as requests, count(distinct cost_micros)::int as prices, sum(cost_micros)::bigint as cost from text_usage',
  )
  await client.end()
  const [{ requests, prices, cost }] = rows
  expect({ requests, prices }).toEqual({ requests: answered, prices: 1 })
  const left = await run<{ balance_micros: number; held_micros: number }>('credit', 'show', '--org', org)
  expect(left).toMatchObject({ balance_micros: CREDIT_MICROS - Number(cost), held_micros: 0 })
  expect(await run('ledger', 'check')).toMatchObject({ ok: true, violations: [] })
  return Number(cost)
}

async function expectNews({ replicas, run, key, keyId }: Replicas) {
  const statuses = () =>
    Promise.all(replicas.map(async ({ baseUrl }) => (await call(`${baseUrl}/v1/models`, key)).status))
  expect(await statuses()).toEqual([200, 200])
  await run('key', 'revoke', keyId)
  await expect.poll(statuses).toEqual([401, 401])
}

test.each([
  ['Redis behind Sentinel', startRedisWithSentinels],
  ['a Redis Cluster', startRedisCluster],
])(
  '%s fails over during traffic: every request is served and charged once, and messages still arrive',
  async (name, start) => {
    const redis = await start()
    onTestFinished(redis.remove)
    const replicas = await openReplicas(redis.url)
    const { answered, failures } = await serveThrough(replicas, redis.failOver)
    expect(failures).toEqual([])
    await expectNews(replicas)
    const cost = await expectExactBooks(replicas, answered)
    console.log(
      `${name}: a master was killed and replaced; ${answered} requests served, ${cost} micro-USD charged, 0 lost`,
    )
  },
)

test('PgBouncer in transaction mode is killed and started during traffic: served requests are charged once', async () => {
  const redis = await startRedis()
  onTestFinished(redis.remove)
  const replicas = await openReplicas(redis.url)
  const { answered, failures } = await serveThrough(replicas, async () => {
    await replicas.bouncer.crash()
    await replicas.bouncer.start()
  })
  expect(failures.filter((failure) => failure !== 503)).toEqual([])
  await expectNews(replicas)
  const cost = await expectExactBooks(replicas, answered)
  console.log(
    `PgBouncer: killed and started; ${answered} requests served, ${failures.length} refused with 503, ${cost} micro-USD charged, 0 lost`,
  )
})

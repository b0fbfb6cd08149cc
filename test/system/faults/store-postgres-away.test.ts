import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migratePostgres } from '../../../src/adapters/postgres/migrate.ts'
import { openPostgresStore } from '../../../src/adapters/postgres/open-store.ts'
import type { PoolState } from '../../../src/ports/metrics.ts'
import type { Store } from '../../../src/ports/store.ts'
import { MORNING_MS, sampleAudit, sampleOrganization } from '../../engines/store/sample-rows.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { watchedPools } from '../../engines/store/watched-pools.ts'
import { startPostgres } from '../../servers/postgres-server.ts'
import type { TestServer } from '../../servers/test-server.ts'
import { type FaultProxy, startFaultProxy } from './harness/fault-proxy.ts'

const BACK_WITHIN_MS = 3_000
const AWAY = { code: 'store_unavailable', status: 503, retryAfterSeconds: 1 }

let server: TestServer
let proxy: FaultProxy
let store: Store
let readPool: () => PoolState

beforeAll(async () => {
  server = await startPostgres()
  await migratePostgres({ url: server.url })
})
afterAll(() => server.remove())

beforeEach(async () => {
  proxy = await startFaultProxy({ port: Number(new URL(server.url).port) })
  const url = new URL(server.url)
  url.port = String(proxy.port)
  const metrics = watchedPools()
  store = await openPostgresStore({
    role: 'server',
    url: url.href,
    log: SILENT_LOG,
    metrics,
    maxConnections: 4,
  })
  readPool = metrics.pools.get('postgres') ?? expect.fail('the pool is not watched')
  await runSql('delete from organizations')
})
afterEach(async () => {
  await store.close()
  await proxy.close()
})

const create = (id: string) => store.organizations.create(sampleOrganization({ id }), sampleAudit())
const backAgain = () =>
  expect
    .poll(
      () =>
        store.ping().then(
          () => 'up',
          () => 'down',
        ),
      { timeout: BACK_WITHIN_MS, interval: 50 },
    )
    .toBe('up')

/** Returns the number of rows. */
async function runSql(text: string): Promise<number | null> {
  // This works also while the database takes no writes from other clients.
  const client = new Client({ connectionString: server.url, options: '-c default_transaction_read_only=off' })
  await client.connect()
  const { rowCount } = await client.query(text).finally(() => client.end())
  return rowCount
}

describe('an unreachable PostgreSQL', () => {
  test('five crashes under load: calls fail and then work again without a restart, and no acknowledged row is lost', async () => {
    const acknowledged: string[] = []
    for (let crash = 0; crash < 5; crash += 1) {
      let isDown = false
      const lanes = Array.from({ length: 8 }, async (_, lane) => {
        for (let number = 0; !isDown; number += 1) {
          const id = `org_${crash}_${lane}_${number}`
          await create(id).then(
            () => acknowledged.push(id),
            (error) => expect(error).toMatchObject(AWAY),
          )
        }
      })
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThan(before + 50)
      await server.crash()
      isDown = true
      await Promise.all(lanes)
      await expect(store.ping()).rejects.toMatchObject(AWAY)
      await expect(store.organizations.find('org_1')).rejects.toMatchObject(AWAY)
      await expect(create('org_lost')).rejects.toMatchObject(AWAY)
      await expect(store.models.fillWhenEmpty([SOME_MODEL])).rejects.toMatchObject(AWAY)
      await server.start()
      await backAgain()
    }
    const found = new Set((await store.organizations.list()).map(({ id }) => id))
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
    expect(found.has('org_lost')).toBe(false)
  }, 120_000)

  test('is reported by a new start', async () => {
    await proxy.setMode({ kind: 'refuse' })
    const url = new URL(server.url)
    url.port = String(proxy.port)
    const opening = openPostgresStore({
      role: 'server',
      url: url.href,
      log: SILENT_LOG,
      metrics: watchedPools(),
    })
    await expect(opening).rejects.toMatchObject(AWAY)
  })

  test('resets its connections: the next calls make new ones', async () => {
    await Promise.all([create('org_1'), create('org_2'), create('org_3')])
    await proxy.setMode({ kind: 'reset' })
    await expect(create('org_4')).rejects.toMatchObject(AWAY)
    await proxy.setMode({ kind: 'pass' })
    await backAgain()
    await create('org_5')
    expect((await store.organizations.list()).map(({ id }) => id)).toEqual([
      'org_1',
      'org_2',
      'org_3',
      'org_5',
    ])
  })

  test('falls silent: every call ends in time, and no silent connection is lent out again', async () => {
    await Promise.all([create('org_1'), create('org_2')])
    await proxy.setMode({ kind: 'hang' })
    const calls = Array.from({ length: 12 }, (_, number) =>
      number % 2 === 0 ? create(`org_silent_${number}`) : store.models.fillWhenEmpty([SOME_MODEL]),
    )
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({ status: 'rejected', reason: AWAY })
    }
    await proxy.setMode({ kind: 'pass' })
    await backAgain()
    await Promise.all(Array.from({ length: 12 }, (_, number) => create(`org_after_${number}`)))
    await expect.poll(() => readPool().busy).toBe(0)
  })

  test('loses its sessions by an administrator: the next calls make new ones', async () => {
    await Promise.all([create('org_1'), create('org_2'), create('org_3')])
    await runSql(`${END_SESSIONS} where application_name = 'sluice'`)
    await expect.poll(() => readPool()).toEqual({ busy: 0, idle: 0, waiting: 0 })
    await backAgain()
    await create('org_4')
  })

  test('ends a session during a write: refused, and nothing of it is stored', async () => {
    const blocker = new Client({ connectionString: server.url })
    await blocker.connect()
    await blocker.query('begin; lock table models in exclusive mode')
    const filling = store.models.fillWhenEmpty([SOME_MODEL])
    const refused = expect(filling).rejects.toMatchObject(AWAY)
    const endWaiting = () => runSql(`${END_SESSIONS} where wait_event_type = 'Lock'`)
    await expect.poll(endWaiting).toBe(1)
    await refused
    await blocker.query('rollback')
    await blocker.end()
    expect(await store.models.list()).toEqual([])
  })
})

describe('a PostgreSQL that is busy', () => {
  test('keeps no caller waiting longer than the limits', async () => {
    const blocker = new Client({ connectionString: server.url })
    await blocker.connect()
    await blocker.query('begin; lock table organizations in access exclusive mode')
    const calls = Array.from({ length: 6 }, (_, number) => create(`org_blocked_${number}`))
    await expect.poll(() => readPool()).toEqual({ busy: 4, idle: 0, waiting: 2 })
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({ status: 'rejected', reason: AWAY })
    }
    await blocker.query('rollback')
    await blocker.end()
    await create('org_1')
    expect(await store.organizations.list()).toHaveLength(1)
  })

  test('takes no writes: not ready', async () => {
    await runSql('alter database postgres set default_transaction_read_only = on')
    try {
      await runSql(`${END_SESSIONS} where application_name = 'sluice'`)
      await expect
        .poll(() =>
          store.organizations.list().then(
            () => 'read',
            () => 'lost',
          ),
        )
        .toBe('read')
      await expect(store.ping()).rejects.toMatchObject(AWAY)
      await expect(create('org_1')).rejects.toMatchObject(AWAY)
    } finally {
      await runSql('alter database postgres reset default_transaction_read_only')
    }
  })
})

/** Ends sessions, and waits until they have ended. */
const END_SESSIONS = 'select pg_terminate_backend(pid, 10000) from pg_stat_activity'

const SOME_MODEL = {
  modelId: 1,
  name: 'vendorA/one',
  endpoints: null,
  maxOutputTokens: null,
  createdAtMs: MORNING_MS,
  prices: [],
}

import { createClient } from '@redis/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import { startRedis } from '../../servers/redis-server.ts'
import type { TestServer } from '../../servers/test-server.ts'
import { createTestClock, type LimitsReplica, openReplica } from './limits-replica.ts'
import { createPlainStore } from './plain-store.ts'

const USERS = Array.from({ length: 50 }, (_, user) => `usr_${user}`)
const DAY = '2091-05-04'

/** A separate server, because it counts the commands of all clients. */
let server: TestServer
let plain: ReturnType<typeof createClient>
let replica: LimitsReplica
const store = createPlainStore()
const clock = createTestClock(`${DAY}T10:00:00Z`)
beforeAll(async () => {
  server = await startRedis()
  plain = createClient({ url: server.url })
  await plain.connect()
  replica = await openReplica({ redisUrl: server.url, store, clock })
})
afterAll(async () => {
  await replica.close()
  await plain.close()
  await server.remove()
})

async function walks(): Promise<number> {
  const stats = await plain.info('commandstats')
  return Number(/cmdstat_scan:calls=(\d+)/.exec(stats)?.[1] ?? 0)
}

async function limitAll(dollars: string): Promise<void> {
  for (const userId of USERS) store.setLimit(userId, dollars, true)
  clock.pass(4_500)
  await Promise.all(USERS.map((userId) => replica.days.reserve(userId, micros(10))))
}

test('a server that detects new, changed and flushed limits itself never scans all keys', async () => {
  await limitAll('1')
  await limitAll('2')
  await plain.sendCommand(['FLUSHALL'])
  await limitAll('2')
  expect(await walks()).toBe(0)
  for (const userId of USERS)
    expect({ ...(await plain.hGetAll(`sluice:{user:${userId}}:limit`)) }).toEqual({
      max_daily_user_limit: '2',
      enable_limit: 'true',
    })
})

test('without a sync, the days that can still exist are updated, and no keys are scanned', async () => {
  const dayKey = (day: string) => `sluice:{user:usr_0}:day:${day}`
  const days = ['2091-04-30', '2091-05-01', '2091-05-03', '2091-05-04', '2091-05-05']
  for (const day of days) await plain.hSet(dayKey(day), { limit: '1', used: '7' })
  await limitAll('3')
  for (const day of days) expect(await plain.hGet(dayKey(day), 'limit')).toBe('3000000')
  expect(await walks()).toBe(0)
})

test('a sync by an operator scans the keys for every bucket', async () => {
  await replica.syncUser('usr_0')
  expect(await walks()).toBeGreaterThan(0)
})

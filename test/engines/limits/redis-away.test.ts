import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/domain/api-error.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { startRedis } from '../../servers/redis-server.ts'
import type { TestServer } from '../../servers/test-server.ts'
import { type FaultProxy, startFaultProxy } from '../../system/faults/harness/fault-proxy.ts'
import { createTestClock, type LimitsReplica, openReplica } from './limits-replica.ts'
import { createPlainStore, type PlainStore } from './plain-store.ts'

const DAY = '2091-05-04'
const userId = 'usr_1'
const TOO_MUCH = micros(1_000_000_000)

let server: TestServer
let proxy: FaultProxy
let store: PlainStore
/** The replica that reaches Redis through a proxy that a test can cut; `other` reaches Redis directly. */
let one: LimitsReplica
let other: LimitsReplica
const clock = createTestClock(`${DAY}T10:00:00Z`)

beforeEach(async () => {
  server = await startRedis()
  proxy = await startFaultProxy({ port: Number(new URL(server.url).port) })
  store = createPlainStore()
  store.setLimit(userId, '0.001', true)
  one = await openReplica({ redisUrl: `redis://127.0.0.1:${proxy.port}`, store, clock })
  other = await openReplica({ redisUrl: server.url, store, clock })
})
afterEach(async () => {
  await Promise.all([one.close(), other.close()])
  await proxy.close()
  await server.remove()
})

async function reserve(replica: LimitsReplica, amount: number) {
  const reservation = await replica.days.reserve(userId, micros(amount))
  if (reservation === undefined) throw new Error('a limited user has a reservation')
  return reservation
}

async function spend(replica: LimitsReplica, amount: number): Promise<void> {
  const reservation = await reserve(replica, amount)
  await replica.days.apply(reservation, store.write({ userId, day: DAY, delta: amount }))
}

async function used(replica: LimitsReplica): Promise<number | string> {
  const found = await replica.buckets.reserve({ userId, day: DAY }, TOO_MUCH)
  return found.kind === 'over' ? found.usedMicros : found.kind
}

/** Waits until Redis answers again, with a reservation that is always refused and so changes nothing. */
async function backAgain(replica: LimitsReplica): Promise<void> {
  await expect
    .poll(async () => {
      await answers(() => replica.days.reserve(userId, TOO_MUCH))
      return replica.log.events.filter((event) => event === 'limits.shared').length
    })
    .toBeGreaterThan(0)
}

describe('Redis stopped and started again, empty', () => {
  test('each replica enforces the limit by itself meanwhile, and no spend is lost', async () => {
    await spend(one, 300)
    const before = await reserve(other, 200)
    await server.stop()

    await spend(one, 100)
    await other.days.apply(before, store.write({ userId, day: DAY, delta: 200 }))
    const rest = await reserve(other, 400)
    await expect(other.days.reserve(userId, micros(1))).rejects.toMatchObject({
      code: 'daily_limit_exceeded',
    })
    await other.days.letGo(rest)
    await reserve(other, 400)

    await server.start()
    await Promise.all([backAgain(one), backAgain(other)])
    await spend(one, 50)
    expect(await used(one)).toBe(650)
    expect(store.usedOn(userId, DAY)).toBe(650)
    await expect(other.days.reserve(userId, micros(351))).rejects.toMatchObject({ status: 429 })
    await spend(other, 350)
    expect(await used(other)).toBe(1_000)
  })

  test('the log has one line for the beginning and one for the end; the metrics count each time', async () => {
    await spend(one, 10)
    await server.crash()
    for (let turn = 0; turn < 5; turn += 1) await spend(one, 10)
    const lines = () => one.log.events.filter((event) => event.includes('limit'))
    expect(lines()).toEqual(['limits.local'])
    expect(one.keptLocally.length).toBeGreaterThanOrEqual(10)
    expect(new Set(one.keptLocally)).toEqual(new Set(['day']))
    await server.start()
    await backAgain(one)
    expect(lines()).toEqual(['limits.local', 'limits.shared'])
  })

  test('a limit that changes meanwhile applies', async () => {
    await spend(one, 10)
    await server.stop()
    await spend(one, 10)
    store.setLimit(userId, '0.000025', true)
    clock.pass(4_500)
    await expect(one.days.reserve(userId, micros(6))).rejects.toMatchObject({ code: 'daily_limit_exceeded' })
    await reserve(one, 5)
  })

  test('rates: a local limit while Redis is unreachable', async () => {
    const caller = {
      keyId: 'key_1',
      organizationId: 'org_1',
      userId,
      keyRequestsPerMinute: 3,
      organizationRequestsPerMinute: null,
      keepReplies: null,
      allowedModels: null,
      hasBudget: false,
    }
    await server.stop()
    for (let turn = 0; turn < 3; turn += 1)
      expect(await one.checkRate(caller)).toMatchObject({ allowed: true })
    await expect(one.checkRate(caller)).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
    expect(one.keptLocally).toEqual(['rate', 'rate', 'rate', 'rate'])
    await server.start()
    await expect.poll(() => answers(() => one.checkRate(caller))).toBe('allowed')
    expect(one.log.events.filter((event) => event.includes('limit'))).toEqual([
      'limits.local',
      'limits.shared',
    ])
  })
})

describe('one replica without connection to a running Redis', () => {
  test('its usage is counted by all replicas as soon as it reconnects, without a further request', async () => {
    await spend(one, 100)
    await proxy.setMode({ kind: 'refuse' })
    await spend(one, 300)
    await spend(other, 100)
    expect(await used(other)).toBe(200)

    await proxy.setMode({ kind: 'pass' })
    await expect.poll(() => used(other)).toBe('absent')
    await other.days.letGo(await reserve(other, 1))
    expect(await used(other)).toBe(500)
    expect(store.usedOn(userId, DAY)).toBe(500)
  })

  test('an answer that never arrives leaves no reservation', async () => {
    await spend(one, 100)
    await proxy.setMode({ kind: 'cut-after', direction: 'to-client', bytes: 0 })
    const reservation = await reserve(one, 300)
    await proxy.setMode({ kind: 'pass' })
    await backAgain(one)
    await one.days.letGo(reservation)
    await other.days.letGo(await reserve(other, 900))
    expect(await used(other)).toBe(100)
  })
})

async function answers(ask: () => unknown): Promise<string> {
  try {
    await ask()
    return 'allowed'
  } catch (error) {
    return error instanceof ApiError ? error.code : 'failed'
  }
}

import { dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../sandbox/server.ts'
import { applyRefunds } from '../../../src/app/limits/day/apply-refunds.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { composeGateway } from '../../../src/compose/gateway.ts'
import { composeOperator } from '../../../src/compose/operator.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { passCheckpoint } from '../../../src/ports/checkpoint.ts'
import { DOOR_ENVIRONMENT } from '../../fast-door.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { lendSqlite } from '../store/lend-store.ts'
import { createTestClock, openReplica } from './limits-replica.ts'
import { createPlainStore } from './plain-store.ts'

const SPEED = 100
const TIMEOUT_MS = 120_000
/** Limits of polls that wait for the sweep, the sandbox or the watcher of refunds. */
const SLOW = { timeout: 60_000, interval: 200 }
const BODY = JSON.stringify({
  model: 'vendorB/gen-v4-std',
  content: [{ type: 'text', text: 'A barge' }],
  duration: 5,
})

/** A gateway, an operator beside it as in another process, and a user who may spend 1 USD a day. */
async function start(environment: Record<string, string>) {
  const lent = await lendSqlite()
  const sandbox = await startSandbox({ port: 0, speed: SPEED, nowMs: Date.now })
  const config = readConfig({
    environment: {
      ...DOOR_ENVIRONMENT,
      DATA_DIR: dirname(lent.where),
      LOG_LEVEL: 'silent',
      SLUICE_CONFIG: 'sluice.yaml',
      SHED_LAG_MS: '60000',
      VIDEO_SWEEP_INTERVAL_MS: '200',
      ...environment,
    },
    readFile: () =>
      `providers: { vendorB: { driver: vendor-b, base_url: "${sandbox.url}/vendor-b", api_key: sandbox } }`,
  })
  const composed = await composeGateway({
    ...{ config, checkpoint: passCheckpoint, inCluster: false },
    openStore: async () => lent.store,
  })
  const { operator, close } = await composeOperator(config, { openStore: lent.openAgain })
  const url = await composed.server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    composed.server.cutConnections()
    await composed.close()
    expect(await operator.checkLedger()).toMatchObject({ violations: [], unmeasuredCharges: 0 })
    await close()
    await sandbox.close()
    await lent.giveBack()
  })
  const { organization } = await operator.createOrganization({
    ...{ name: 'test', billing: 'prepaid', requestsPerMinute: null },
  })
  const organizationId = organization.id
  await operator.addCredit({ organizationId, amountMicros: micros(10_000_000), note: null })
  const { id: userId } = await operator.createUser({ organizationId, name: 'test' })
  await operator.setUserLimit({ id: userId, maxDailyUserLimit: '1', enableLimit: true })
  const { key } = await operator.createKey({ organizationId, userId, name: 'test', requestsPerMinute: null })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    operator,
    async create() {
      const answer = await fetch(`${url}/v1/video/generations`, { method: 'POST', headers, body: BODY })
      const { id, error } = JSON.parse(await answer.text())
      return { status: answer.status, id: String(id), code: error?.code }
    },
  }
}

async function expectRoomAfterRefund(environment: Record<string, string>): Promise<void> {
  const { operator, create } = await start(environment)
  const { id } = await create()
  await expect.poll(async () => (await operator.showTask(id)).status, SLOW).toBe('succeeded')
  const { chargedMicros } = await operator.showTask(id)
  expect(chargedMicros).toBe(700_000)
  expect(await create()).toMatchObject({ status: 429, code: 'daily_limit_exceeded' })
  const refund = { taskId: id, note: null }
  expect(await operator.refundTask({ ...refund, amountMicros: micros(250_000) })).toMatchObject({
    amountMicros: 250_000,
    refundedMicros: 250_000,
  })
  await expect(operator.refundTask({ ...refund, amountMicros: micros(450_001) })).rejects.toMatchObject({
    code: 'invalid_parameter',
  })
  // The user may spend 450,000 more today, so another 700,000 are refused.
  expect(await create()).toMatchObject({ status: 429, code: 'daily_limit_exceeded' })
  await operator.refundTask({ ...refund, amountMicros: undefined })
  expect(await operator.showTask(id)).toMatchObject({ chargedMicros: 700_000, refundedMicros: 700_000 })
  await expect.poll(async () => (await create()).status, SLOW).toBe(200)
}

test('a refund lowers the daily spending of its user, without Redis', { timeout: TIMEOUT_MS }, () =>
  expectRoomAfterRefund({}),
)

test('a refund lowers the daily spending of its user, with Redis', { timeout: TIMEOUT_MS }, async () => {
  const redis = await freshRedis()
  onTestFinished(() => redis.close())
  await expectRoomAfterRefund({ REDIS_URL: redis.url })
})

test('replicas with shared buckets lower the day once, next to reservations', async () => {
  const redis = await freshRedis()
  const store = createPlainStore()
  const clock = createTestClock('2091-05-04T10:00:00Z')
  const [day, userId] = ['2091-05-04', 'usr_1']
  store.setLimit(userId, '0.0001', true)
  const replicas = await Promise.all([1, 2].map(() => openReplica({ redisUrl: redis.url, store, clock })))
  onTestFinished(async () => {
    await Promise.all(replicas.map((each) => each.close()))
    await redis.close()
  })
  const [one, other] = replicas
  const reservation = await one?.days.reserve(userId, micros(60))
  await one?.days.apply(reservation, store.write({ userId, day, delta: 60 }))
  // A request still runs: its reservation is in the bucket, and not in the store.
  await other?.days.reserve(userId, micros(30))
  const moves = [{ entryId: 'ent_1', ...store.write({ userId, day, delta: -20 }) }]
  const ledger = { listRefundMoves: async () => moves }
  for (const { days } of [...replicas, ...replicas]) {
    const apply = applyRefunds({ ledger, clock, applyMove: days.applyMoveOfAll })
    await apply()
    await apply()
  }
  await expect(one?.days.reserve(userId, micros(31))).rejects.toMatchObject({ code: 'daily_limit_exceeded' })
  expect(await one?.days.reserve(userId, micros(30))).toMatchObject({ amountMicros: 30 })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { systemPause } from '../../../src/adapters/system/clock.ts'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { openPriceBook } from '../../../src/app/catalog/price-book.ts'
import { pollTask } from '../../../src/app/video/poll-task.ts'
import { sweepTasks } from '../../../src/app/video/sweep-tasks.ts'
import { createWriteRetries } from '../../../src/app/waiting/retry-write.ts'
import { createTimeBook } from '../../../src/app/waiting/time-book.ts'
import { videoUseCases } from '../../../src/compose/video.ts'
import type { Caller } from '../../../src/domain/access/api-key.ts'
import { builtInModels } from '../../../src/domain/catalog/built-in.ts'
import { createCalendar } from '../../../src/domain/limits/calendar-day.ts'
import { hasEnded } from '../../../src/domain/video/task.ts'
import type { CheckpointName } from '../../../src/ports/checkpoint.ts'
import type { Store } from '../../../src/ports/store.ts'
import { refuseAssets } from '../../api/video/refuse-assets.ts'
import { setStandIns } from '../../api/video/set-stand-ins.ts'
import { createTestClock, type TestClock } from '../../engines/money/test-clock.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { ENGINES } from '../../engines/video-work/open-engine.ts'
import { CREDIT_MICROS, makeTenant, type Tenant } from '../../engines/video-work/tenant.ts'
import { reportFigure, roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { type SeededRandom, seededRandom } from '../../random/seeded-random.ts'
import { SILENT_METRICS } from '../../silent-metrics.ts'
import { type FickleVendors, fickleVendors } from './fickle-vendors.ts'

/** Number of races, half of them on each engine. */
const RACES = roundsOf({ slice: 200, whole: 10_000 })
const BATCH = 25
const STEPS = 8
const TIMEOUT_MS = 3_600_000
/** 121 pictures (5 seconds of 24, and one) of 1280 x 720 pixels, divided by 1024: 108,900 tokens at 7 USD a million. */
const HELD = 762_300
const PROVIDERS = ['vendorA', 'vendorB']
const RESOLVE_MS = 600_000
const SECRETS = createSecrets('a secret of more than thirty-two characters')
const DEADLINE_MS = 172_800_000

/** The process is gone: nothing after this moment is written. */
class Killed extends Error {}

const DEADLY: ReadonlySet<CheckpointName> = new Set([
  ...(['create.after-intent', 'create.after-upstream', 'create.before-hand-over'] as const),
  ...(['create.after-hand-over', 'create.after-stand-in', 'attempt.before-hand-over'] as const),
  ...(['attempt.after-hand-over', 'attempt.after-claim', 'attempt.after-upstream'] as const),
  ...(['attempt.after-accept', 'settle.before'] as const),
])

interface Parts {
  store: Store
  vendors: FickleVendors
  clock: TestClock
  random: SeededRandom
  /** Rate and number of crashes at important moments. */
  deaths: { rate: number; count: number }
}

/** The use cases and loops of one process. */
function openReplica({ store, vendors, clock, random, deaths }: Parts) {
  const pause = (ms: number) => sleep(ms, undefined, { ref: false })
  const tools = {
    clock,
    book: createTimeBook({ clock }),
    deadlineClock: { ...clock, look() {} },
    pause: systemPause,
    newId: createIds({ nowMs: () => Date.now(), monotonicMs: () => performance.now() }),
    log: { ...SILENT_LOG, logRequest() {}, flush: async () => {} },
    metrics: SILENT_METRICS,
    secrets: SECRETS,
    calendar: createCalendar('UTC'),
    checkpoint(name: CheckpointName) {
      if (!DEADLY.has(name) || random.next() >= deaths.rate) return
      deaths.count += 1
      throw new Killed(name)
    },
  }
  const days = {
    ...{ reserve: () => undefined, apply: async () => {}, letGo: async () => {}, recount: async () => {} },
    ...{ applyMove: async () => {}, applyMoveOfAll: async () => {}, close() {} },
  }
  const { moving, useCases } = videoUseCases({
    ...{ tools, store, vendors, assets: refuseAssets, onCallbackDue: () => {} },
    limits: { days, calendar: tools.calendar },
    prices: openPriceBook({ models: store.models, clock, offers: () => true }),
    retries: createWriteRetries({ ...tools, pause }),
    settings: {
      ...{
        callbacksBySweep: false,
        noticeBaseUrl: 'http://127.0.0.1:1',
        submittingResolveSeconds: RESOLVE_MS / 1_000,
      },
      firstPollAfterMs: 5_000,
    },
  })
  const working = { ...moving, sweepIntervalMs: 5_000, submittingResolveMs: RESOLVE_MS }
  const sweeps = PROVIDERS.map((provider) =>
    sweepTasks({
      ...{ ...moving, provider, ping: store.ping, pause, pauseMsMax: RESOLVE_MS },
      poll: pollTask(vendors.find(provider)?.driver, { ...working, withdrawRevoked: async () => false }),
    }),
  )
  return {
    ...useCases,
    applySnapshot: moving.applySnapshot,
    async sweep() {
      for (const sweep of sweeps) await sweep.pass()
      for (const sweep of sweeps) await sweep.idle()
    },
    stop: () => Promise.all(sweeps.map((sweep) => sweep.stop())),
  }
}

describe.each(ENGINES)('on %s', (engine, open) => {
  test(`one end, one charge, and no attempt after an unanswered one, in ${RACES / 2} races of two replicas`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { store, openAgain, cleanUp } = await open()
    const other = await openAgain()
    try {
      const random = seededRandom(seedOfRun())
      const clock = createTestClock()
      await store.models.fillWhenEmpty(builtInModels(clock.nowMs()))
      const forgetPrices = () => {}
      await setStandIns(
        { store, forgetPrices },
        {
          'vendorA/gen-2.0': ['vendorB/gen-v4-std', 'vendorA/gen-2.0-fast'],
        },
      )
      const tenant = await makeTenant(store, SECRETS)
      const counts = { races: 0, handedOver: 0, charged: 0, kills: 0, lost: 0 }
      while (counts.races < RACES / 2)
        await raceBatch({ stores: [store, other], clock, random, tenant, counts })
      expect(await store.ledger.check({ nowMs: clock.nowMs(), limit: 5 })).toEqual([])
      const organization = await store.organizations.find(tenant.organizationId)
      expect(organization).toMatchObject({
        balanceMicros: CREDIT_MICROS - counts.charged * HELD,
        heldMicros: 0,
      })
      expect(counts.handedOver).toBeGreaterThan(0)
      const { races, handedOver, charged, kills, lost } = counts
      reportFigure(
        `${engine}: ${races} races of attempts, ${handedOver} tasks handed over, ${lost} answers lost, ${kills} kills, ${charged} charges of ${HELD} micros`,
      )
    } finally {
      await cleanUp()
    }
  })
})

interface Batch {
  stores: readonly [Store, Store]
  clock: TestClock
  random: SeededRandom
  tenant: Tenant
  counts: { races: number; handedOver: number; charged: number; kills: number; lost: number }
}

async function raceBatch({ stores, clock, random, tenant, counts }: Batch): Promise<void> {
  const [store] = stores
  const vendors = fickleVendors(random)
  const deaths = { rate: 0.05, count: 0 }
  const replicas = stores.map((each) => openReplica({ store: each, vendors, clock, random, deaths }))
  const first = replicas[0] ?? expect.fail('there are two')
  const caller: Caller = {
    ...{ ...tenant, keyRequestsPerMinute: null, organizationRequestsPerMinute: null, keepReplies: null },
    ...{ allowedModels: null, hasBudget: false },
  }
  const words = Array.from({ length: BATCH }, (_, index) => `order-${counts.races + index}-`)
  await Promise.all(words.map((word) => first.createTask(orderOf(word, caller)).catch(ignoreErrors)))
  const taskIds = async () => {
    const page = await store.tasks.listForOperator({
      organizationId: tenant.organizationId,
      limit: BATCH * 2,
    })
    return page.filter(({ status }) => !hasEnded(status)).map(({ id }) => id)
  }
  const ids = await taskIds()

  for (let step = 0; step < STEPS; step += 1) {
    clock.pass(random.integer(1_000, 20_000))
    await Promise.all(replicas.flatMap((replica) => [replica.sweep(), ...clientsOf(replica, ids)]))
    await raceOneReading(ids)
  }
  deaths.rate = 0
  vendors.calmDown()
  for (let round = 0; round < 12 && (await taskIds()).length > 0; round += 1) {
    clock.pass(round < 8 ? 700_000 : DEADLINE_MS)
    await Promise.all(replicas.map((replica) => replica.sweep()))
  }
  await Promise.all(replicas.map((replica) => replica.stop()))
  expect(await taskIds()).toEqual([])
  counts.kills += deaths.count
  for (const word of words) checkCalls(word)
  for (const id of ids) await checkTask(id)
  counts.races += BATCH

  function clientsOf(replica: (typeof replicas)[number], all: readonly string[]): Promise<unknown>[] {
    return all.flatMap((id) => {
      const chance = random.next()
      if (chance < 0.3) return [replica.getTask({ id, caller }).catch(ignoreErrors)]
      return chance < 0.32 ? [replica.deleteTask({ id, caller }).catch(ignoreErrors)] : []
    })
  }

  /** Both replicas have read the same row and the same failure, and both apply it. */
  async function raceOneReading(all: readonly string[]): Promise<void> {
    const task = await store.tasks.findForOperator(random.pick([all[0] ?? '', ...all]))
    if (task === undefined || task.encryptedTicket === null || hasEnded(task.status)) return
    const ticket = SECRETS.decrypt(task.encryptedTicket, `ticket:${task.id}`) ?? ''
    const reading = await vendors.find(task.provider)?.driver.read(ticket, task.organizationId)
    if (reading?.kind !== 'snapshot') return
    const { snapshot } = reading
    await Promise.all(replicas.map((replica) => replica.applySnapshot(task, snapshot).catch(ignoreErrors)))
  }

  function checkCalls(word: string): void {
    const calls = vendors.callsOf(word)
    counts.lost += calls.filter(({ outcome }) => outcome === 'lost').length
    for (const [index, { outcome, saidFailed }] of calls.slice(0, -1).entries()) {
      const isReason = outcome === 'refused' || (outcome === 'accepted' && saidFailed)
      expect({ word, index, outcome, isReason }).toMatchObject({ isReason: true })
    }
    expect(calls.length).toBeLessThanOrEqual(3)
  }

  async function checkTask(id: string): Promise<void> {
    const task = (await store.tasks.findForOperator(id)) ?? expect.fail(`${id} is gone`)
    const isCharged = task.status === 'succeeded'
    const { status, chargedMicros, callbackState } = task
    expect({ id, status, chargedMicros, callbackState }).toEqual({
      ...{ id, status, callbackState: 'pending' },
      chargedMicros: isCharged ? HELD : null,
    })
    const entries = await store.operatorPages.entriesOfTask(id)
    expect(entries.map(({ amountMicros }) => amountMicros)).toEqual(isCharged ? [-HELD] : [])
    const attempts = await store.tasks.listAttempts(id)
    expect(attempts.filter(({ state }) => state === 'open')).toEqual([])
    expect(attempts.filter(({ state }) => state === 'succeeded')).toHaveLength(
      isCharged && attempts.length > 0 ? 1 : 0,
    )
    expect(await store.tasks.findRequest(id)).toBeUndefined()
    if (task.attempt > 1) counts.handedOver += 1
    if (isCharged) counts.charged += 1
  }
}

function orderOf(word: string, caller: Caller) {
  return {
    request: {
      ...{ model: 'vendorA/gen-2.0', taskType: undefined, durationSeconds: 5, ratio: undefined },
      ...{ resolution: undefined, seed: undefined, framesPerSecond: undefined, generateAudio: undefined },
      ...{ draft: undefined, serviceTier: undefined, executionExpiresAfterSeconds: undefined },
      items: [{ kind: 'text' as const, text: `a cat ${word}`, role: undefined, index: 0 }],
      callbackUrl: 'https://client.example/done',
      metadata: '{}',
    },
    caller,
    idempotency: undefined,
  }
}

/** Ignores errors of clients that are refused, and of processes that were killed. */
function ignoreErrors(): void {}

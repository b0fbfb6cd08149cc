import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { createUpstream } from '../src/adapters/outbound/upstream.ts'
import { vendorADriver } from '../src/adapters/providers/vendor-a/driver.ts'
import { openSqliteStore } from '../src/adapters/sqlite/open-store.ts'
import { systemClock } from '../src/adapters/system/clock.ts'
import { createIds } from '../src/adapters/system/ids.ts'
import { createSecrets } from '../src/adapters/system/secrets.ts'
import { applySnapshot } from '../src/app/video/apply-snapshot.ts'
import { encryptTicket } from '../src/app/video/encrypted.ts'
import { pollTask } from '../src/app/video/poll-task.ts'
import { sweepTasks } from '../src/app/video/sweep-tasks.ts'
import { syncTask } from '../src/app/video/sync-task.ts'
import { micros } from '../src/domain/billing/micros.ts'
import { passCheckpoint } from '../src/ports/checkpoint.ts'
import type { Store } from '../src/ports/store.ts'
import { SILENT_LOG } from '../test/engines/store/silent-log.ts'
import { SILENT_METRICS } from '../test/silent-metrics.ts'
import { atMost, type Figures, share } from './figures.ts'
import { freshFolder } from './gateway.ts'
import { giveCredit, inParallel, ORGANIZATION_ID } from './ledger-run.ts'
import { startPeer } from './peers/start-peer.ts'
import { amountOf } from './rounds.ts'

const TASKS = amountOf(10_000)
const SLOTS = 64
const POLLERS = 1_000
const GOAL = 0.6
const FAR_OFF_MS = 365 * 24 * 3_600_000

/** One sweep over 10,000 due tasks, beside the same polls sent bare; and many clients that poll one task. */
export async function videoSweep(): Promise<Figures[]> {
  const dataDir = freshFolder()
  const store = await openSqliteStore({ dataDir, role: 'server', log: SILENT_LOG })
  await giveCredit(store)
  const vendor = await startPeer('instant-vendor.ts', {})
  const secrets = createSecrets('a secret for the benchmark alone')
  await makeTasks(store, secrets)
  const upstream = createUpstream({
    name: 'vendorA',
    baseUrl: vendor.url,
    // One organization may use at most seven eighths of the connections.
    connections: Math.ceil((SLOTS * 8) / 7),
    queueLimit: POLLERS * 2,
    queueWaitMs: 5_000,
    connectTimeoutMs: 5_000,
    firstByteTimeoutMs: 10_000,
    idleTimeoutMs: 10_000,
    metrics: SILENT_METRICS,
    log: SILENT_LOG,
    clock: systemClock,
  })
  const driver = vendorADriver({ upstream, apiKey: () => 'sandbox', models: new Map() })
  const parts = {
    tasks: store.tasks,
    secrets,
    clock: systemClock,
    deadlineClock: systemClock,
    findVendor: () => ({ name: 'vendorA', driver, makes: () => true, expiresAfterSeconds: undefined }),
    log: SILENT_LOG,
    metrics: SILENT_METRICS,
    newId: createIds(systemClock),
    checkpoint: passCheckpoint,
    applyDayMove: async () => {},
    onCallbackDue: () => {},
  }
  const tools = {
    ...parts,
    applySnapshot: applySnapshot(parts),
    sweepIntervalMs: 3_600_000,
    submittingResolveMs: 600_000,
  }

  const bareMs = await timeOf(() => pollBare(vendor.url))
  await countsOf(vendor.url)
  const sweep = sweepTasks({
    ...tools,
    provider: 'vendorA',
    pauseMsMax: 3_600_000,
    ping: store.ping,
    pause: (ms) => sleep(ms, undefined, { ref: false }),
    poll: pollTask(driver, { ...tools, withdrawRevoked: async () => false, sendAttempt: async () => {} }),
    slotsEach: SLOTS,
  })
  const sweepMs = await timeOf(async () => {
    await sweep.pass()
    await sweep.idle()
  })
  const { answered } = await countsOf(vendor.url)
  if (answered !== TASKS) throw new Error(`${answered} of ${TASKS} tasks were polled`)

  const sync = syncTask(tools)
  const task = await store.tasks.findWhole('task_0')
  if (task === undefined) throw new Error('the first task is gone')
  await Promise.all(Array.from({ length: POLLERS }, () => sync(task)))
  const { most } = await countsOf(vendor.url)
  await upstream.close()
  vendor.stop()
  await store.close()
  rmSync(dataDir, { recursive: true })
  return [
    {
      title: `A sweep over ${TASKS} due tasks, by the clock`,
      rows: { 'the same polls, bare': { ms: bareMs }, 'Sluice on SQLite': { ms: sweepMs } },
      goals: [
        share('Sweep, of the same polls sent bare', bareMs / sweepMs, GOAL),
        atMost(`Vendor calls at a time while ${POLLERS} clients ask about one task`, most, 1, 'call'),
      ],
    },
  ]
}

async function makeTasks(store: Store, secrets: ReturnType<typeof createSecrets>): Promise<void> {
  const ids = Array.from({ length: TASKS }, (_, index) => `task_${index}`)
  const nowMs = systemClock.nowMs()
  const expiresAtMs = nowMs + FAR_OFF_MS
  await inParallel(ids, 256, async (id) => {
    await store.tasks.begin({
      task: {
        id,
        organizationId: ORGANIZATION_ID,
        userId: 'usr_bench',
        keyId: 'key_bench',
        model: 'vendorA/gen-2.0',
        provider: 'vendorA',
        metadata: '{}',
        pricing: { unit: 'video_token', priceMicros: micros(7_000_000), estimatedTokens: 1 },
        encryptedCallbackUrl: null,
        owesCallback: false,
        createdAtMs: nowMs,
        expiresAtMs,
        noticeTokenDigest: null,
        nextPollAtMs: nowMs,
      },
      hold: {
        id: `${id}_hold`,
        organizationId: ORGANIZATION_ID,
        userId: 'usr_bench',
        day: '2030-01-01',
        taskId: id,
        amountMicros: micros(7),
        createdAtMs: nowMs,
        expiresAtMs,
      },
      idempotency: undefined,
    })
    await store.tasks.accept({
      encryptedTicket: encryptTicket(`cgt-${id}`, id, secrets),
      nextPollAtMs: nowMs,
      move: {
        id,
        attempt: 1,
        status: 'running',
        encryptedContent: null,
        error: null,
        atMs: nowMs,
        cost: { unit: 'second', quantity: 0, priceMicros: micros(0) },
        entryId: `${id}_entry`,
        videoMs: 5_000,
        callbackId: `${id}_callback`,
      },
    })
  })
}

async function pollBare(url: string): Promise<void> {
  const pool = new Pool(url, { connections: SLOTS })
  const ids = Array.from({ length: TASKS }, (_, index) => `cgt-task_${index}`)
  await inParallel(ids, SLOTS, async (id) => {
    const { body } = await pool.request({
      path: `/contents/generations/tasks/${id}`,
      method: 'GET',
      headers: { authorization: 'Bearer sandbox' },
    })
    await body.json()
  })
  await pool.close()
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function countsOf(url: string): Promise<{ most: number; answered: number }> {
  return (await (await fetch(`${url}/counts`)).json()) as { most: number; answered: number }
}

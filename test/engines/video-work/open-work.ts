import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { createCallbackSender } from '../../../src/adapters/callbacks/send-callback.ts'
import { createGuardedClient } from '../../../src/adapters/outbound/guarded-client.ts'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { type Courier, createCourier } from '../../../src/app/callbacks/courier.ts'
import { deliverCallback } from '../../../src/app/callbacks/deliver-callback.ts'
import { applySnapshot } from '../../../src/app/video/apply-snapshot.ts'
import { createNoticeQueue, type NoticeQueue } from '../../../src/app/video/notice-queue.ts'
import { pollTask } from '../../../src/app/video/poll-task.ts'
import { processNotice } from '../../../src/app/video/process-notice.ts'
import { type Sweep, sweepTasks } from '../../../src/app/video/sweep-tasks.ts'
import { createDeadlineClock } from '../../../src/app/waiting/deadline-clock.ts'
import { createWriteRetries } from '../../../src/app/waiting/retry-write.ts'
import { taskJson } from '../../../src/http/operations/get-task/present-task.ts'
import type { SendCallback } from '../../../src/ports/callbacks.ts'
import { type Checkpoint, passCheckpoint } from '../../../src/ports/checkpoint.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { StoredTask } from '../../../src/ports/tasks.ts'
import type { VideoDriver } from '../../../src/ports/video-driver.ts'
import { SILENT_METRICS } from '../../silent-metrics.ts'
import { createTestClock, type TestClock } from '../money/test-clock.ts'
import { acceptTask, beginTask, type TaskOptions, type TaskTools } from './make-task.ts'
import { recordingLog, type ToldLog } from './recording-log.ts'
import { CREDIT_MICROS, makeTenant, type Tenant } from './tenant.ts'

export const SWEEP_INTERVAL_MS = 5_000
export const SUBMITTING_RESOLVE_MS = 600_000

const SECRETS = createSecrets('a secret of more than thirty-two characters')

/** Background work of one process on tasks, on a real store and with its own clock. */
export interface VideoWork {
  tools: TaskTools
  clock: TestClock
  tenant: Tenant
  log: ToldLog
  sweepOf(provider: string): Sweep
  /** A pass over the tasks of a provider, to the end of its last poll. */
  sweep(provider?: string): Promise<void>
  courier: Courier
  notices: NoticeQueue
  /** Number of callbacks that were announced as due. */
  callbacksDue: { count: number }
  /** A task that the vendor took under this ticket. */
  makeTask(ticket: string, options?: Partial<TaskOptions>): Promise<string>
  /** A task whose create call has no answer. */
  beginTask(options?: Partial<TaskOptions>): Promise<string>
  read(id: string): Promise<StoredTask & { chargedMicros: number | null }>
  /** Fails if an invariant is broken, or if these are not the paid and the held micros. */
  expectMoney(money: { paid: number; held: number }): Promise<void>
  stop(): Promise<void>
}

export async function openWork(
  store: Store,
  {
    drivers,
    clock = createTestClock(),
    tenant,
    checkpoint = passCheckpoint,
    slotsEach,
    sweepIntervalMs = SWEEP_INTERVAL_MS,
    wakesCourier = false,
    send = openEngineSender(),
  }: {
    drivers: Record<string, VideoDriver>
    clock?: TestClock
    /** Tenant of another process on the same store. Left out: a new one. */
    tenant?: Tenant
    checkpoint?: Checkpoint
    slotsEach?: number
    sweepIntervalMs?: number
    /** Wakes the courier like a real process; default: the test sends callbacks. */
    wakesCourier?: boolean
    send?: SendCallback
  },
): Promise<VideoWork> {
  const log = recordingLog()
  const newId = createIds(systemTime())
  const callbacksDue = { count: 0 }
  const owner = tenant ?? (await makeTenant(store, SECRETS))
  const tools = { store, tasks: store.tasks, callbacks: store.callbacks, secrets: SECRETS, newId, clock, log }
  const findVendor = (name: string) => {
    const driver = drivers[name]
    return driver && { name, driver, makes: () => true, expiresAfterSeconds: undefined }
  }
  const rest = {
    ...tools,
    findVendor,
    deadlineClock: createDeadlineClock({ clock, log }),
    metrics: SILENT_METRICS,
    checkpoint,
    applyDayMove: async () => {},
    onCallbackDue: () => {
      callbacksDue.count += 1
      if (wakesCourier) courier.wake()
    },
    sweepIntervalMs,
    submittingResolveMs: SUBMITTING_RESOLVE_MS,
  }
  // Retries follow in the scenario's time: the test lets it pass and makes the next pass.
  const pause = (ms: number) => sleep(ms, undefined, { ref: false })
  const take = applySnapshot(rest)
  const sweeps = new Map(
    Object.entries(drivers).map(([provider, driver]) => {
      const poll = pollTask(driver, {
        ...{ ...rest, applySnapshot: take },
        withdrawRevoked: async () => false,
        sendAttempt: async () => {},
      })
      return [
        provider,
        sweepTasks({
          pauseMsMax: SUBMITTING_RESOLVE_MS,
          ...tools,
          ping: store.ping,
          pause,
          provider,
          poll,
          ...(slotsEach === undefined ? {} : { slotsEach }),
        }),
      ]
    }),
  )
  const sweepOf = (provider: string) => {
    const sweep = sweeps.get(provider)
    if (sweep === undefined) throw new Error(`No sweep of ${provider}.`)
    return sweep
  }
  const notices = createNoticeQueue({
    ...tools,
    processNotice: processNotice({ ...rest, applySnapshot: take }),
  })
  const retries = createWriteRetries({ ...tools, pause })
  const courier = createCourier({
    ...tools,
    pause,
    deliver: deliverCallback({
      ...rest,
      retries,
      organizations: store.organizations,
      presentTask: taskJson,
      send,
    }),
  })
  return {
    tools,
    clock,
    tenant: owner,
    log,
    sweepOf,
    courier,
    notices,
    callbacksDue,
    async sweep(provider = 'vendorB') {
      await sweepOf(provider).pass()
      await sweepOf(provider).idle()
    },
    async makeTask(ticket, options = {}) {
      const task = await beginTask({ tenant: owner, ...options }, tools)
      await acceptTask(task, ticket, tools)
      return task.id
    },
    beginTask: async (options = {}) => (await beginTask({ tenant: owner, ...options }, tools)).id,
    async read(id) {
      const task = await store.tasks.findForOperator(id)
      if (task === undefined) throw new Error(`${id} is not there`)
      return task
    },
    async expectMoney({ paid, held }) {
      expect(await store.ledger.check({ nowMs: clock.nowMs(), limit: 5 })).toEqual([])
      const organization = await store.organizations.find(owner.organizationId)
      expect(organization).toMatchObject({ balanceMicros: CREDIT_MICROS - paid, heldMicros: held })
    },
    async stop() {
      await Promise.all([...sweeps.values()].map((sweep) => sweep.stop()))
      await notices.stop()
      await courier.stop()
    },
  }
}

/** Sends callbacks with the guarded client, which here may also call this machine. */
export function openEngineSender(): SendCallback {
  const client = createGuardedClient({
    allow: ['127.0.0.0/8'],
    connections: 64,
    queueLimit: 64,
    queueWaitMs: 5_000,
    connectTimeoutMs: 5_000,
    metrics: SILENT_METRICS,
  })
  return createCallbackSender({ client })
}

/** Ids of several replicas on one store must differ, so they use the system's clock. */
function systemTime(): Clock {
  return { nowMs: () => Date.now(), monotonicMs: () => performance.now() }
}

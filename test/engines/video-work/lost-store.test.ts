import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPostgresStore } from '../../../src/adapters/postgres/open-store.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Reading, VideoDriver } from '../../../src/ports/video-driver.ts'
import { type FaultProxy, startFaultProxy } from '../../system/faults/harness/fault-proxy.ts'
import { type LentStore, lendPostgres } from '../store/lend-store.ts'
import { SILENT_LOG } from '../store/silent-log.ts'
import { watchedPools } from '../store/watched-pools.ts'
import { HOLD_MICROS } from './make-task.ts'
import { type CallbackReceiver, openCallbackReceiver } from './open-receiver.ts'
import { openWork, SUBMITTING_RESOLVE_MS, type VideoWork } from './open-work.ts'
import { said, scriptedDriver } from './scripted-driver.ts'

const TASK_LEASE_MS = 60_000
const CALLBACK_LEASE_MS = 45_000
const COST_MICROS = 300_000

describe('a replica without PostgreSQL for longer than its lease, and a replica with it', () => {
  let lent: LentStore
  let proxy: FaultProxy
  let receiver: CallbackReceiver
  let lost: VideoWork
  let other: VideoWork
  /** Response of the vendor to the lost replica. */
  let answer: PromiseWithResolvers<Reading>
  let submits: number
  /** Runs when the lost replica has claimed something. */
  let onClaim: () => Promise<void>
  let lostStore: Store

  const counting = (driver: VideoDriver): VideoDriver => ({
    ...driver,
    async create(order) {
      submits += 1
      return driver.create(order)
    },
  })
  const lostDriver = scriptedDriver(() => answer.promise)
  const otherDriver = scriptedDriver(() => said('succeeded', { seconds: 3 }))

  beforeEach(async () => {
    lent = await lendPostgres()
    receiver = await openCallbackReceiver()
    const url = new URL(lent.where)
    proxy = await startFaultProxy({ port: Number(url.port), host: url.hostname })
    url.port = String(proxy.port)
    url.hostname = '127.0.0.1'
    lostStore = await openPostgresStore({
      role: 'server',
      url: url.href,
      log: SILENT_LOG,
      metrics: watchedPools(),
      maxConnections: 4,
    })
    answer = Promise.withResolvers()
    onClaim = async () => {}
    submits = 0
    for (const { reads } of [lostDriver, otherDriver]) reads.length = 0
    lost = await openWork(reportingClaims(lostStore), { drivers: { vendorB: counting(lostDriver) } })
    const { clock, tenant } = lost
    other = await openWork(lent.store, { drivers: { vendorB: counting(otherDriver) }, clock, tenant })
  })
  afterEach(async () => {
    await proxy.setMode({ kind: 'pass' })
    await lost.stop()
    await other.stop()
    await lostStore.close()
    await proxy.close()
    await lent.giveBack()
    await receiver.close()
  })

  /** Wraps a store so that the test knows when a claim was carried out, before the claimed work begins. */
  function reportingClaims(store: Store): Store {
    const reporting =
      <C, R>(claim: (query: C) => Promise<R>) =>
      async (query: C) => {
        const claimed = await claim(query)
        await onClaim()
        return claimed
      }
    return {
      ...store,
      tasks: { ...store.tasks, claimDue: reporting(store.tasks.claimDue) },
      callbacks: { ...store.callbacks, claimDue: reporting(store.callbacks.claimDue) },
    }
  }

  const cutOff = () => proxy.setMode({ kind: 'refuse' })
  const connect = async () => {
    await proxy.setMode({ kind: 'pass' })
    await expect
      .poll(() =>
        lostStore.ping().then(
          () => 'up',
          () => 'down',
        ),
      )
      .toBe('up')
  }
  const attemptsOf = (taskId: string) => lent.store.callbacks.listAttempts({ taskId, limit: 100 })

  async function deliver({ courier }: VideoWork): Promise<void> {
    await courier.pass()
    await courier.idle()
  }

  it('a success that one replica cannot store is charged once, by the other', async () => {
    const id = await lost.makeTask('t1')
    await lost.sweepOf('vendorB').pass()
    expect(lostDriver.reads).toEqual(['t1'])
    await cutOff()
    answer.resolve(said('succeeded', { seconds: 3 }))
    await lost.sweepOf('vendorB').idle()
    expect(lost.log.count('task.poll_failed')).toBe(1)

    lost.clock.pass(TASK_LEASE_MS - 1)
    await other.sweep()
    expect(otherDriver.reads).toEqual([])
    await other.expectMoney({ paid: 0, held: HOLD_MICROS })
    lost.clock.pass(1)
    await other.sweep()
    expect(otherDriver.reads).toEqual(['t1'])
    await other.expectMoney({ paid: COST_MICROS, held: 0 })

    await connect()
    lost.clock.pass(TASK_LEASE_MS)
    await lost.sweep()
    await other.sweep()
    expect(await other.read(id)).toMatchObject({ status: 'succeeded', chargedMicros: COST_MICROS })
    expect([lostDriver.reads, otherDriver.reads]).toEqual([['t1'], ['t1']])
    await other.expectMoney({ paid: COST_MICROS, held: 0 })
    expect(lost.log.count('task.poll_failed')).toBe(1)
  })

  it('an answer after its lease causes no second charge', async () => {
    await lost.makeTask('t1')
    await lost.sweepOf('vendorB').pass()
    await cutOff()
    lost.clock.pass(TASK_LEASE_MS)
    await other.sweep()
    await other.expectMoney({ paid: COST_MICROS, held: 0 })
    await connect()
    answer.resolve(said('succeeded', { seconds: 9 }))
    await lost.sweepOf('vendorB').idle()
    await lost.sweep()
    await other.expectMoney({ paid: COST_MICROS, held: 0 })
  })

  it('a create call without an answer is never sent again, and its hold is released once', async () => {
    const id = await lost.beginTask()
    await lost.expectMoney({ paid: 0, held: HOLD_MICROS })
    lost.clock.pass(SUBMITTING_RESOLVE_MS)
    onClaim = cutOff
    await lost.sweep()
    expect(lost.log.count('task.poll_failed')).toBe(1)
    await other.sweep()
    expect(await other.read(id)).toMatchObject({ status: 'submitting' })
    lost.clock.pass(TASK_LEASE_MS)
    await other.sweep()
    expect(await other.read(id)).toMatchObject({ status: 'failed', error: { code: 'upstream_error' } })
    await other.expectMoney({ paid: 0, held: 0 })

    await connect()
    await lost.sweep()
    await other.expectMoney({ paid: 0, held: 0 })
    expect(submits).toBe(0)
    expect([...lostDriver.reads, ...otherDriver.reads]).toEqual([])
  })

  it('a callback that one replica could not read in time is sent once, by the other', async () => {
    const id = await lost.makeTask('t1', { callbackUrl: receiver.urlOf('/done') })
    await other.sweep()
    onClaim = () => proxy.setMode({ kind: 'hang' })
    await lost.courier.pass()
    await deliver(other)
    expect(receiver.received).toHaveLength(0)
    lost.clock.pass(CALLBACK_LEASE_MS)
    await deliver(other)
    expect(receiver.received).toHaveLength(1)

    // The hanging read is answered now, after the lease of the callback has ended.
    onClaim = async () => {}
    await connect()
    await lost.courier.idle()
    for (const work of [lost, other]) await deliver(work)
    lost.clock.pass(CALLBACK_LEASE_MS)
    for (const work of [lost, other]) await deliver(work)
    expect(receiver.received).toHaveLength(1)
    expect(await attemptsOf(id)).toMatchObject([
      { attempt: 1, status: null, error: 'unknown' },
      { attempt: 2, status: 204 },
    ])
    await other.expectMoney({ paid: COST_MICROS, held: 0 })
  })

  it('a callback that was sent and could not be recorded is recorded when the store is back, and not sent again', async () => {
    const id = await lost.makeTask('t1', { callbackUrl: receiver.urlOf('/done') })
    await other.sweep()
    const arrived = Promise.withResolvers<void>()
    receiver.answer = () => {
      void cutOff().then(arrived.resolve)
      return 204
    }
    await lost.courier.pass()
    await arrived.promise
    await lost.courier.idle()
    expect(lost.log.count('callback.attempt_failed')).toBe(1)
    lost.clock.pass(CALLBACK_LEASE_MS)
    await connect()
    await expect.poll(() => attemptsOf(id)).toMatchObject([{ attempt: 1, status: 204 }])
    for (const work of [lost, other]) await deliver(work)
    lost.clock.pass(CALLBACK_LEASE_MS)
    for (const work of [lost, other]) await deliver(work)
    expect(receiver.received).toHaveLength(1)
    expect(await attemptsOf(id)).toHaveLength(1)
  })
})

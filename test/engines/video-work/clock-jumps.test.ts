import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Reading } from '../../../src/ports/video-driver.ts'
import { HOLD_MICROS } from './make-task.ts'
import { ENGINES, type OpenedEngine } from './open-engine.ts'
import { type CallbackReceiver, openCallbackReceiver } from './open-receiver.ts'
import { openWork, SUBMITTING_RESOLVE_MS, SWEEP_INTERVAL_MS, type VideoWork } from './open-work.ts'
import { said, scriptedDriver } from './scripted-driver.ts'

const HOUR_MS = 3_600_000
/** Interval in which a worker searches rows that are due too far ahead. */
const LOOK_EVERY_MS = 30_000

describe.each(ENGINES)('a clock that jumps, on %s', (_name, openEngine) => {
  let engine: OpenedEngine
  let receiver: CallbackReceiver
  let work: VideoWork
  let reading: Reading
  const driver = scriptedDriver(() => reading)

  beforeEach(async () => {
    engine = await openEngine()
    receiver = await openCallbackReceiver()
    reading = said('running')
    driver.reads.length = 0
    work = await openWork(engine.store, { drivers: { vendorB: driver } })
  })
  afterEach(async () => {
    await work.stop()
    await engine.cleanUp()
    await receiver.close()
  })

  it('back by an hour: the sweep continues, and the task is charged as before', async () => {
    const id = await work.makeTask('t1')
    await work.sweep()
    work.clock.jump(-HOUR_MS)
    work.clock.pass(LOOK_EVERY_MS)
    reading = said('succeeded', { seconds: 3 })
    await work.sweep()
    expect(await work.read(id)).toMatchObject({ status: 'succeeded', chargedMicros: 300_000 })
    await work.expectMoney({ paid: 300_000, held: 0 })
  })

  it('back by an hour: a failed callback is retried', async () => {
    receiver.answer = () => 500
    await work.makeTask('t1', { callbackUrl: receiver.urlOf('/done') })
    reading = said('succeeded', { seconds: 3 })
    await work.sweep()
    await work.courier.pass()
    await work.courier.idle()
    expect(receiver.received).toHaveLength(1)
    work.clock.jump(-HOUR_MS)
    work.clock.pass(LOOK_EVERY_MS)
    await work.courier.pass()
    await work.courier.idle()
    expect(receiver.received).toHaveLength(2)
  })

  it('back by a sweep interval: a wait of one interval stays unchanged', async () => {
    await work.makeTask('t1')
    await work.sweep()
    work.clock.jump(-SWEEP_INTERVAL_MS)
    work.clock.pass(1)
    await work.sweep()
    expect(driver.reads).toEqual(['t1'])
  })

  it('back by an hour: a create call without an answer is not checked repeatedly', async () => {
    const id = await work.beginTask()
    work.clock.jump(-HOUR_MS)
    await work.sweep()
    work.clock.pass(LOOK_EVERY_MS)
    await work.sweep()
    expect(await work.read(id)).toMatchObject({ status: 'submitting' })
    const looked = { provider: 'vendorB', nowMs: work.clock.nowMs(), farthestMs: work.clock.nowMs() }
    expect(
      await engine.store.tasks.bringForward({
        ...looked,
        farthestMs: work.clock.nowMs() + SUBMITTING_RESOLVE_MS,
      }),
    ).toBe(0)
  })

  it('ahead by two hours: no task expires for a minute, and then both fail', async () => {
    const id = await work.makeTask('t1', { expiresAfterMs: HOUR_MS })
    const waiting = await work.beginTask()
    work.clock.jump(2 * HOUR_MS)
    await work.sweep()
    expect(await work.read(id)).toMatchObject({ status: 'running' })
    expect(await work.read(waiting)).toMatchObject({ status: 'submitting' })
    await work.expectMoney({ paid: 0, held: 2 * HOLD_MICROS })
    work.clock.pass(60_000 + SUBMITTING_RESOLVE_MS)
    await work.sweep()
    expect(await work.read(id)).toMatchObject({ status: 'failed', error: { code: 'task_expired' } })
    expect(await work.read(waiting)).toMatchObject({ status: 'failed' })
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Reading } from '../../../src/ports/video-driver.ts'
import { HOLD_MICROS } from './make-task.ts'
import { ENGINES, type OpenedEngine } from './open-engine.ts'
import { openWork, SUBMITTING_RESOLVE_MS, SWEEP_INTERVAL_MS, type VideoWork } from './open-work.ts'
import { said, scriptedDriver, UNANSWERED } from './scripted-driver.ts'

const HOUR_MS = 3_600_000
const COST_MICROS = 300_000

describe.each(ENGINES)('the sweep on %s', (_name, openEngine) => {
  let engine: OpenedEngine
  let work: VideoWork
  let reading: Reading
  const driver = scriptedDriver(() => reading)

  beforeEach(async () => {
    engine = await openEngine()
    reading = said('running')
    driver.reads.length = 0
    work = await openWork(engine.store, { drivers: { vendorB: driver } })
  })
  afterEach(async () => {
    await work.stop()
    await engine.cleanUp()
  })

  it('follows a task to its end, and settles it once', async () => {
    const id = await work.makeTask('t1')
    await work.sweep()
    expect(await work.read(id)).toMatchObject({ status: 'running', updatedAtMs: work.clock.nowMs() })
    await work.expectMoney({ paid: 0, held: HOLD_MICROS })

    work.clock.pass(SWEEP_INTERVAL_MS)
    reading = said('succeeded', { seconds: 3 })
    await work.sweep()
    await work.sweep()
    expect(await work.read(id)).toMatchObject({ status: 'succeeded', chargedMicros: COST_MICROS })
    expect(driver.reads).toEqual(['t1', 't1'])
    await work.expectMoney({ paid: COST_MICROS, held: 0 })
  })

  it('polls only at its pace, which slows down with time', async () => {
    await work.makeTask('t1')
    await work.sweep()
    work.clock.pass(SWEEP_INTERVAL_MS - 1)
    await work.sweep()
    expect(driver.reads).toHaveLength(1)
    work.clock.pass(1)
    await work.sweep()
    expect(driver.reads).toHaveLength(2)

    work.clock.pass(30 * 60_000)
    await work.sweep()
    work.clock.pass(29_999)
    await work.sweep()
    expect(driver.reads).toHaveLength(3)
    work.clock.pass(1)
    await work.sweep()
    expect(driver.reads).toHaveLength(4)
  })

  it.each<[string, Reading, string]>([
    ['the vendor still works', said('running'), 'task_expired'],
    ['the vendor knows nothing of it', { kind: 'gone' }, 'task_expired'],
  ])('gives a task up at its deadline after one last poll, when %s', async (_case, last, code) => {
    const id = await work.makeTask('t1', { expiresAfterMs: HOUR_MS })
    reading = last
    await work.sweep()
    work.clock.pass(HOUR_MS - 1)
    await work.sweep()
    expect(await work.read(id)).not.toMatchObject({ status: 'failed' })
    expect(driver.reads).toHaveLength(2)

    work.clock.pass(1)
    await work.sweep()
    expect(driver.reads).toHaveLength(3)
    expect(await work.read(id)).toMatchObject({ status: 'failed', error: { code }, chargedMicros: null })
    await work.expectMoney({ paid: 0, held: 0 })
    expect(work.log.count('task.expired')).toBe(1)
    work.clock.pass(HOUR_MS)
    await work.sweep()
    expect(driver.reads).toHaveLength(3)
  })

  it('asks a vendor that does not answer for half an hour beyond the deadline', async () => {
    const id = await work.makeTask('t1', { expiresAfterMs: HOUR_MS })
    reading = UNANSWERED
    work.clock.pass(HOUR_MS)
    await work.sweep()
    work.clock.pass(HOUR_MS / 2 - 1)
    await work.sweep()
    expect(await work.read(id)).toMatchObject({ status: 'queued' })
    work.clock.pass(HOUR_MS / 20)
    await work.sweep()
    expect(driver.reads).toHaveLength(3)
    expect(await work.read(id)).toMatchObject({ status: 'failed', error: { code: 'upstream_error' } })
    await work.expectMoney({ paid: 0, held: 0 })
  })

  it('pauses a vendor that asks for it, for a minute at most, and claims none of its tasks meanwhile', async () => {
    await work.makeTask('t1')
    reading = { kind: 'unanswered', cause: new Error('too many'), retryAfterMs: 600_000 }
    await work.sweep()
    await work.makeTask('t2')
    work.clock.pass(59_999)
    await work.sweep()
    expect(driver.reads).toEqual(['t1'])
    reading = said('running')
    work.clock.pass(1)
    await work.sweep()
    expect(driver.reads).toEqual(['t1', 't2'])
  })

  it('accepts a success of the last poll', async () => {
    const id = await work.makeTask('t1', { expiresAfterMs: HOUR_MS })
    work.clock.pass(2 * HOUR_MS)
    reading = said('succeeded', { seconds: 3 })
    await work.sweep()
    expect(await work.read(id)).toMatchObject({ status: 'succeeded', chargedMicros: COST_MICROS })
  })

  it('does not fail a task because a poll failed, and follows the pause that a vendor asks for', async () => {
    const id = await work.makeTask('t1')
    reading = { kind: 'unanswered', cause: new Error('busy'), retryAfterMs: 40_000 }
    await work.sweep()
    work.clock.pass(39_999)
    await work.sweep()
    expect(driver.reads).toHaveLength(1)
    work.clock.pass(1)
    await work.sweep()
    expect(driver.reads).toHaveLength(2)
    expect(await work.read(id)).toMatchObject({ status: 'queued', updatedAtMs: null })
  })

  it('keeps a task without a create answer for a while, then fails it and releases the money', async () => {
    const id = await work.beginTask()
    await work.sweep()
    work.clock.pass(SUBMITTING_RESOLVE_MS - 1)
    await work.sweep()
    expect(await work.read(id)).toMatchObject({ status: 'submitting' })
    work.clock.pass(1)
    await work.sweep()
    expect(await work.read(id)).toMatchObject({ status: 'failed', error: { code: 'upstream_error' } })
    expect(driver.reads).toEqual([])
    expect(work.log.count('task.given_up')).toBe(1)
    await work.expectMoney({ paid: 0, held: 0 })
  })

  it('never keeps a task without a create answer beyond its deadline, once the create call must be over', async () => {
    const id = await work.beginTask({ expiresAfterMs: 30_000 })
    await work.sweep()
    work.clock.pass(69_999)
    await work.sweep()
    expect(await work.read(id)).toMatchObject({ status: 'submitting' })
    work.clock.pass(1)
    await work.sweep()
    expect(await work.read(id)).toMatchObject({ status: 'failed', error: { code: 'upstream_error' } })
  })

  it('continues with other tasks when the driver itself throws', async () => {
    const id = await work.makeTask('t1')
    const broken = await openWork(engine.store, {
      drivers: { vendorB: scriptedDriver(() => Promise.reject(new Error('a bug'))) },
      clock: work.clock,
      tenant: work.tenant,
    })
    await broken.sweep()
    expect(broken.log.count('task.driver_failed')).toBe(1)
    work.clock.pass(SWEEP_INTERVAL_MS)
    reading = said('succeeded', { seconds: 3 })
    await work.sweep()
    expect(await work.read(id)).toMatchObject({ status: 'succeeded' })
  })
})

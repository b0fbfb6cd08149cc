import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../src/ports/store.ts'
import { drawsOf } from '../../random/full-run.ts'
import { ENGINES, type OpenedEngine, openSqlite } from './open-engine.ts'
import { openWork, SWEEP_INTERVAL_MS, type VideoWork } from './open-work.ts'
import { never, said, scriptedDriver } from './scripted-driver.ts'
import { makeTenant } from './tenant.ts'

const LEASE_MS = 60_000
/** Tasks that are made at the same time: fewer than a pool has connections, because more might wait too long. */
const CONCURRENT = 8
/** SQLite has a single writer thread, which writes many tasks with each commit. */
const CONCURRENT_ON_SQLITE = 50

/** Makes tasks with the tickets `a0`, `a1` and so on. Returns the tickets. */
async function makeTasks(
  work: VideoWork,
  provider: string,
  prefix: string,
  count: number,
  concurrent = CONCURRENT,
): Promise<string[]> {
  const tickets = Array.from({ length: count }, (_, number) => `${prefix}${number}`)
  for (let from = 0; from < count; from += concurrent) {
    const some = tickets.slice(from, from + concurrent)
    await Promise.all(some.map((ticket) => work.makeTask(ticket, { provider })))
  }
  return tickets
}

/** The whole run has ten thousand tasks. */
const SCALE = drawsOf({ quick: 100, rest: 300, whole: 1_000 })

describe(`${10 * SCALE} open tasks of three vendors, one of which hangs`, () => {
  let engine: OpenedEngine
  beforeEach(async () => {
    engine = await openSqlite()
  })
  afterEach(() => engine.cleanUp())

  it('every task of the other vendors is polled once in each sweep', { timeout: 120_000 }, async () => {
    const hanging = scriptedDriver(never)
    const vendorB = scriptedDriver(() => said('running'))
    const vendorC = scriptedDriver(() => said('running'))
    const work = await openWork(engine.store, { drivers: { vendorA: hanging, vendorB, vendorC } })
    await makeTasks(work, 'vendorA', 'a', 4 * SCALE, CONCURRENT_ON_SQLITE)
    const expected = {
      b: (await makeTasks(work, 'vendorB', 'b', 3 * SCALE, CONCURRENT_ON_SQLITE)).toSorted(),
      c: (await makeTasks(work, 'vendorC', 'c', 3 * SCALE, CONCURRENT_ON_SQLITE)).toSorted(),
    }
    const stuck = work.sweepOf('vendorA').pass()
    for (let sweep = 1; sweep <= 2; sweep += 1) {
      vendorB.reads.length = 0
      vendorC.reads.length = 0
      await Promise.all([work.sweep('vendorB'), work.sweep('vendorC')])
      expect(vendorB.reads.toSorted()).toEqual(expected.b)
      expect(vendorC.reads.toSorted()).toEqual(expected.c)
      work.clock.pass(SWEEP_INTERVAL_MS)
    }
    await expect.poll(() => hanging.reads.length).toBe(64)

    // Hanging and waiting tasks are given back, so that another process can poll them immediately.
    await work.stop()
    await stuck
    const { tasks: given } = await engine.store.tasks.claimDue({
      provider: 'vendorA',
      nowMs: work.clock.nowMs(),
      leaseUntilMs: work.clock.nowMs() + LEASE_MS,
      limit: 10_000,
    })
    expect(given).toHaveLength(4 * SCALE)
  })
})

describe.each(ENGINES)('one organization with many due tasks on %s', (_name, openEngine) => {
  let engine: OpenedEngine
  beforeEach(async () => {
    engine = await openEngine()
  })
  afterEach(() => engine.cleanUp())

  it('does not delay another organization, even if all its vendor calls hang', {
    timeout: 120_000,
  }, async () => {
    const driver = scriptedDriver((ticket) => (ticket.startsWith('many') ? never() : said('running')))
    const work = await openWork(engine.store, { drivers: { vendorA: driver } })
    const other = await makeTenant(engine.store, work.tools.secrets, 2)
    await makeTasks(work, 'vendorA', 'many', 300)
    await work.makeTask('first', { provider: 'vendorA', tenant: other })
    const pass = work.sweepOf('vendorA').pass()
    await expect.poll(() => driver.reads).toContain('first')
    // This task becomes due only now, while every slot of the first organization hangs.
    await work.makeTask('second', { provider: 'vendorA', tenant: other })
    await expect.poll(() => driver.reads).toContain('second')
    expect(driver.reads.filter((ticket) => ticket.startsWith('many'))).toHaveLength(64)
    await work.stop()
    await pass
  })
})

describe.each(ENGINES)('two sweeps at the same time on %s', (_name, openEngine) => {
  let engine: OpenedEngine
  let second: Store
  beforeEach(async () => {
    engine = await openEngine()
    second = await engine.openAgain()
  })
  afterEach(() => engine.cleanUp())

  it('poll each task once in a lease', { timeout: 120_000 }, async () => {
    const drivers = [scriptedDriver(() => said('running')), scriptedDriver(() => said('running'))] as const
    const one = await openWork(engine.store, { drivers: { vendorB: drivers[0] }, slotsEach: 16 })
    const { clock, tenant } = one
    const other = await openWork(second, { drivers: { vendorB: drivers[1] }, clock, tenant, slotsEach: 16 })
    const tickets = await makeTasks(one, 'vendorB', 't', 400)
    for (let sweep = 1; sweep <= 3; sweep += 1) {
      await Promise.all([one.sweep(), other.sweep()])
      const reads = drivers.flatMap((driver) => driver.reads.splice(0))
      expect(reads.toSorted()).toEqual(tickets.toSorted())
      clock.pass(SWEEP_INTERVAL_MS)
    }
  })

  it('tasks that a dead replica had claimed are polled by the other after the lease', async () => {
    const dying = await openWork(engine.store, { drivers: { vendorB: scriptedDriver(never) }, slotsEach: 4 })
    const { clock, tenant } = dying
    const driver = scriptedDriver(() => said('running'))
    const other = await openWork(second, { drivers: { vendorB: driver }, clock, tenant })
    const tickets = await makeTasks(dying, 'vendorB', 't', 8)
    const abandoned = dying.sweepOf('vendorB').pass()
    await expect.poll(() => dying.sweepOf('vendorB').inHand()).toBe(8)

    clock.pass(LEASE_MS - 1)
    await other.sweep()
    expect(driver.reads).toEqual([])
    clock.pass(1)
    await other.sweep()
    expect(driver.reads.toSorted()).toEqual(tickets)
    // The replica that was given up continues with an old fence, so it changes nothing.
    await dying.stop()
    await abandoned
    await other.sweep()
    expect(driver.reads).toHaveLength(8)
  })
})

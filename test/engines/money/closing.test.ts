import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeBilling } from '../../../src/app/billing/close-billing.ts'
import type { UsageStore } from '../../../src/ports/usage.ts'
import { startUsageWriter } from '../../../src/workers/usage-writer.ts'
import { type Bank, openBank } from './bank.ts'
import { createReplica, spendOnce, usageOf } from './replica.ts'

let bank: Bank
beforeAll(async () => {
  bank = await openBank()
})
afterAll(() => bank.close())

/** A replica whose store answers when the gate opens, and whose limit of waiting ends when the test says so. */
async function beginScenario(balance: number) {
  const organizationId = await bank.openOrganization(balance)
  const gate = Promise.withResolvers<void>()
  const patience = Promise.withResolvers<void>()
  const lost: number[] = []
  const lines: string[] = []
  const note = (event: string) => void lines.push(event)
  let calls = 0
  let isSlow = false
  const slowly = async <T>(work: () => Promise<T>): Promise<T> => {
    calls += 1
    if (isSlow) await gate.promise
    return work()
  }
  const usage: UsageStore = {
    lease: (lease) => slowly(() => bank.store.usage.lease(lease)),
    whyRefused: (question) => bank.store.usage.whyRefused(question),
    renew: (renewal) => slowly(() => bank.store.usage.renew(renewal)),
    giveBack: (part) => slowly(() => bank.store.usage.giveBack(part)),
    write: (group) => slowly(() => bank.store.usage.write(group)),
  }
  const replica = createReplica({ ...bank, usage, metrics: { moneyLost: (amount) => lost.push(amount) } })
  const log = { debug: note, info: note, warn: note, error: note }
  const writer = startUsageWriter({ buffer: replica.buffer, log })
  const open = await replica.begin(organizationId, 10)
  isSlow = true
  const callsBefore = calls
  expect(await spendOnce(replica, organizationId, 10)).toBe('spent')
  await expect.poll(() => calls).toBeGreaterThan(callsBefore)
  expect(await spendOnce(replica, organizationId, 7)).toBe('spent')
  let isClosed = false
  const closing = closeBilling({
    ...replica,
    log,
    stopLoops: () => writer.stop(),
    pause: (ms) => (ms === PATIENCE_MS ? patience.promise : turn()),
    patienceMs: PATIENCE_MS,
  }).then(() => {
    isClosed = true
  })
  return { organizationId, replica, open, gate, patience, lost, lines, closing, isClosed: () => isClosed }
}

const PATIENCE_MS = 1_500
const LATE = 'billing.close_failed'

test('a hanging store does not delay the end: waiting rows are lost, counted and logged', async () => {
  const { organizationId, patience, gate, lost, lines, closing, replica } = await beginScenario(1_000)
  patience.resolve()
  await closing
  expect(lost).toEqual([7])
  expect(lines).toContain(LATE)
  gate.resolve()
  await expect.poll(() => replica.buffer.waiting()).toBe(0)
  expect(lost).toEqual([7])
  expect(bank.usageOf(organizationId)).toEqual({ rows: 1, costs: 10, losses: 0 })
  bank.clock.pass(31_000)
  await bank.expire()
  expect(await bank.balanceOf(organizationId)).toEqual({ balance: 990, held: 0 })
  await bank.expectSound()
})

test('the close waits for a slow store: everything is written and given back', async () => {
  const { organizationId, open, gate, lost, lines, closing, isClosed } = await beginScenario(1_000)
  await turn()
  expect(isClosed()).toBe(false)
  open.finish(usageOf(3))
  gate.resolve()
  await closing
  expect(lost).toEqual([])
  expect(lines).not.toContain(LATE)
  expect(bank.usageOf(organizationId)).toEqual({ rows: 3, costs: 20, losses: 0 })
  expect(await bank.balanceOf(organizationId)).toEqual({ balance: 980, held: 0 })
  await bank.expectSound()
})

test('a stream that ends after the close is a counted loss', async () => {
  const { organizationId, open, gate, lost, closing } = await beginScenario(1_000)
  gate.resolve()
  await closing
  open.finish(usageOf(4))
  expect(lost).toEqual([4])
  expect(bank.usageOf(organizationId)).toEqual({ rows: 2, costs: 17, losses: 0 })
})

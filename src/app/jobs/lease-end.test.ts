import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LEASE_MS, openLeaseScenario } from '../../../test/jobs/lease-scenario.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a lease that ends aborts a running job once, without a call of the store', async () => {
  const { runner, aborted, returned, running } = openLeaseScenario(['a-1'])
  await runner.pass()
  await vi.advanceTimersByTimeAsync(LEASE_MS - 1)
  expect(aborted).toEqual([])
  expect(running.get('a-1')?.lease.isOver()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(running.get('a-1')?.lease.isOver()).toBe(true)
  await vi.advanceTimersByTimeAsync(LEASE_MS)
  expect(aborted).toEqual(['a-1'])
  expect(returned).toEqual([])
})

test('each lease ends at its own time', async () => {
  const { runner, aborted, dueAtMs } = openLeaseScenario(['a-1'])
  await runner.pass()
  await vi.advanceTimersByTimeAsync(LEASE_MS - 1_000)
  dueAtMs.set('a-2', 0)
  await runner.pass()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(aborted).toEqual(['a-1'])
  await vi.advanceTimersByTimeAsync(LEASE_MS - 1_001)
  expect(aborted).toEqual(['a-1'])
  await vi.advanceTimersByTimeAsync(1)
  expect(aborted).toEqual(['a-1', 'a-2'])
})

test('a lease ends for the job even if the process was suspended and no timer has run', async () => {
  const jump = { ms: 0 }
  const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() + jump.ms }
  const { runner, running, aborted } = openLeaseScenario(['a-1'], { clock })
  await runner.pass()
  jump.ms = LEASE_MS
  expect(running.get('a-1')?.lease.isOver()).toBe(true)
  expect(aborted).toEqual([])
  await runner.pass()
  expect(aborted).toEqual(['a-1'])
})

test('a row is claimed again by the same replica after its lease: one job at a time works on it', async () => {
  const { runner, begun, end } = openLeaseScenario(['a-1'], { lookAgainMs: undefined })
  await runner.pass()
  await vi.advanceTimersByTimeAsync(LEASE_MS)
  await runner.pass()
  expect(begun).toEqual(['a-1'])
  await end('a-1')
  expect(begun).toEqual(['a-1', 'a-1'])
})

test('a job with too little of its lease left does not begin', async () => {
  const rows = ['a-1', 'a-2', 'a-3']
  const { runner, begun, returned, end } = openLeaseScenario(rows, {
    ...{ claimedPerSlot: 2, lookAgainMs: undefined, runMsMax: 30_000 },
  })
  await runner.pass()
  expect(runner.inHand()).toBe(3)
  await vi.advanceTimersByTimeAsync(30_001)
  await end('a-1')
  expect(begun).toEqual(['a-1', 'a-2'])
  expect(runner.inHand()).toBe(1)
  expect(returned).toEqual([])
})

test('a waiting job whose lease ends frees its room for the next pass', async () => {
  const { runner } = openLeaseScenario(['a-1', 'a-2', 'a-3'], { claimedPerSlot: 2, lookAgainMs: undefined })
  await runner.pass()
  expect(runner.inHand()).toBe(3)
  await vi.advanceTimersByTimeAsync(LEASE_MS)
  expect(runner.inHand()).toBe(2)
})

test('when the store is unreachable for longer than a lease, rows are given up once, and claimed again later', async () => {
  const { runner, store, begun, aborted, returned, end } = openLeaseScenario(['a-1', 'a-2'], {
    lookAgainMs: undefined,
  })
  await runner.pass()
  store.isUnreachable = true
  for (let second = 0; second < 2 * (LEASE_MS / 1_000); second += 1) {
    await vi.advanceTimersByTimeAsync(1_000)
    await runner.pass().catch(() => {})
  }
  expect(aborted).toEqual(['a-1', 'a-2'])
  expect(begun).toEqual(['a-1', 'a-2'])
  await end('a-1')
  await end('a-2')
  store.isUnreachable = false
  await runner.pass()
  expect(begun).toEqual(['a-1', 'a-2', 'a-1', 'a-2'])
  expect(returned).toEqual([])
  await end('a-1')
  await end('a-2')
  await vi.advanceTimersByTimeAsync(2 * LEASE_MS)
  await runner.pass()
  expect(begun).toHaveLength(4)
  expect(aborted).toHaveLength(2)
})

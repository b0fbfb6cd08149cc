import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LOOK_AGAIN_MS, openLeaseScenario } from '../../../test/jobs/lease-scenario.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('claims', () => {
  test('claims one row per slot, and the next row as soon as a slot is free', async () => {
    const { runner, begun, end } = openLeaseScenario(['a-1', 'a-2', 'a-3', 'a-4'])
    await runner.pass()
    expect(begun).toEqual(['a-1', 'a-2'])
    expect(runner.inHand()).toBe(2)
    await end('a-1')
    expect(begun).toEqual(['a-1', 'a-2', 'a-3'])
    await end('a-2')
    await end('a-3')
    await end('a-4')
    await runner.idle()
    expect(runner.inHand()).toBe(0)
  })

  test('claims ahead: one claim for many jobs, and the next claim when the last of them has begun', async () => {
    const rows = Array.from({ length: 10 }, (_, at) => `a-${at}`)
    const { runner, begun, claims, end } = openLeaseScenario(rows, { claimedPerSlot: 2 })
    await runner.pass()
    expect(claims).toEqual([4])
    expect(begun).toHaveLength(2)
    await end('a-0')
    expect(claims).toEqual([4])
    await end('a-1')
    expect(claims.slice(0, 2)).toEqual([4, 2])
  })

  test('while a hanging organization uses its share, rows of other organizations are found within a second', async () => {
    const { runner, begun, dueAtMs } = openLeaseScenario(['a-1', 'a-2', 'a-3'], { slots: 3 })
    await runner.pass()
    expect(begun).toEqual(['a-1', 'a-2'])
    dueAtMs.set('b-1', 0)
    await vi.advanceTimersByTimeAsync(LOOK_AGAIN_MS)
    expect(begun).toEqual(['a-1', 'a-2', 'b-1'])
    expect(begun).not.toContain('a-3')
  })

  test('without `lookAgainMs`, only the next pass finds rows of other organizations', async () => {
    const { runner, begun, dueAtMs } = openLeaseScenario(['a-1', 'a-2'], { slots: 3, lookAgainMs: undefined })
    await runner.pass()
    dueAtMs.set('b-1', 0)
    await vi.advanceTimersByTimeAsync(10 * LOOK_AGAIN_MS)
    expect(begun).not.toContain('b-1')
    await runner.pass()
    expect(begun).toContain('b-1')
  })

  test('a free slot goes to the organization with the fewest jobs', async () => {
    const rows = ['a-1', 'a-2', 'a-3', 'b-1', 'b-2']
    const { runner, begun, end } = openLeaseScenario(rows, { slots: 3, slotsEach: 3, claimedPerSlot: 2 })
    await runner.pass()
    expect(begun).toEqual(['a-1', 'b-1', 'a-2'])
    await end('b-1')
    expect(begun.at(-1)).toBe('b-2')
  })

  test('simultaneous passes are joined, and no row that is written meanwhile is missed', async () => {
    const { runner, begun, claims, dueAtMs, store } = openLeaseScenario(['a-1'])
    const answer = Promise.withResolvers<void>()
    store.answer = () => answer.promise
    const passes = [runner.pass(), runner.pass()]
    await vi.advanceTimersByTimeAsync(0)
    dueAtMs.set('a-2', 0)
    runner.wake()
    expect(claims).toHaveLength(1)
    answer.resolve()
    await Promise.all(passes)
    await vi.advanceTimersByTimeAsync(0)
    expect(begun).toEqual(['a-1', 'a-2'])
  })

  test('an unreachable store rejects the pass; a pass without a caller logs the error', async () => {
    const { runner, store, begun, warnings, turn } = openLeaseScenario(['a-1'])
    store.isUnreachable = true
    await expect(runner.pass()).rejects.toThrow('unreachable')
    expect(warnings).toEqual([])
    runner.wake()
    await turn()
    expect(warnings).toMatchObject([['task.claim_failed', { error: { message: 'unreachable' } }]])
    store.isUnreachable = false
    runner.wake()
    await turn()
    expect(begun).toEqual(['a-1'])
  })
})

describe('a rest', () => {
  test('gives waiting rows back, due after the pause, and claims nothing meanwhile', async () => {
    const rows = ['a-1', 'a-2', 'a-3']
    const { runner, returned, begun, claims, end } = openLeaseScenario(rows, { claimedPerSlot: 2 })
    await runner.pass()
    runner.rest(5_000)
    runner.rest(1_000)
    expect(returned).toEqual([['a-3', 5_000]])
    await end('a-1')
    await end('a-2')
    await runner.pass()
    expect(claims).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(5_000)
    await runner.pass()
    expect(begun).toEqual(['a-1', 'a-2', 'a-3'])
  })

  test('gives back rows of a claim that began before', async () => {
    const { runner, store, returned, begun } = openLeaseScenario(['a-1'])
    store.answer = async () => runner.rest(5_000)
    await runner.pass()
    expect(begun).toEqual([])
    expect(returned).toEqual([['a-1', 5_000]])
  })
})

describe('a stop', () => {
  test('gives waiting rows back, aborts running jobs, and resolves when they have ended', async () => {
    const { runner, returned, aborted, end, turn } = openLeaseScenario(['a-1', 'a-2', 'a-3'], {
      claimedPerSlot: 2,
    })
    await runner.pass()
    let isStopped = false
    void runner.stop().then(() => {
      isStopped = true
    })
    await turn()
    expect(returned).toEqual([['a-3', 0]])
    expect(aborted).toEqual(['a-1', 'a-2'])
    await end('a-1')
    expect(isStopped).toBe(false)
    await end('a-2')
    expect(isStopped).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('gives running jobs a grace period, if one is set', async () => {
    const { runner, aborted, end } = openLeaseScenario(['a-1', 'a-2'], { graceMs: 1_000 })
    await runner.pass()
    const stopped = runner.stop()
    await end('a-1')
    await vi.advanceTimersByTimeAsync(999)
    expect(aborted).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(aborted).toEqual(['a-2'])
    await end('a-2')
    await stopped
  })

  test('gives back rows of a claim that began before', async () => {
    const answer = Promise.withResolvers<void>()
    const stored = Promise.withResolvers<void>()
    const { runner, store, begun, turn } = openLeaseScenario(['a-1'], { giveBack: () => stored.promise })
    store.answer = () => answer.promise
    const pass = runner.pass()
    await turn()
    let isStopped = false
    const stopped = runner.stop().then(() => {
      isStopped = true
    })
    answer.resolve()
    await pass
    await turn()
    expect(isStopped).toBe(false)
    stored.resolve()
    await stopped
    expect(begun).toEqual([])
  })

  test('does not wait for a failing claim, and claims nothing after it', async () => {
    const { runner, store, claims, turn } = openLeaseScenario(['a-1'])
    store.isUnreachable = true
    const pass = runner.pass().catch(() => {})
    await runner.stop()
    await pass
    store.isUnreachable = false
    await runner.pass()
    runner.wake()
    await turn()
    expect(claims).toEqual([])
  })
})

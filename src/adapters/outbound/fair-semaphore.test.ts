import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fc, runs } from '../../../test/random/properties.ts'
import { sharesOf } from '../../domain/slot-shares.ts'
import { createFairSemaphore, type Release } from './fair-semaphore.ts'

describe('slots', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('gives all slots, and then lets calls wait in order', async () => {
    const slots = createFairSemaphore({ limit: 2, queueLimit: 10, queueWaitMs: 1_000 })
    const releases = [await slots.take(undefined), await slots.take(undefined)]
    expect(slots.takeNow()).toBeUndefined()
    const order: string[] = []
    const first = slots.take(undefined).then((release) => order.push('first') && release)
    const second = slots.take(undefined).then((release) => order.push('second') && release)
    releases[0]?.()
    await first
    releases[1]?.()
    await second
    expect(order).toEqual(['first', 'second'])
    expect(slots).toMatchObject({ running: 2, waiting: 0 })
  })

  it('is busy without a wait when the queue is full', async () => {
    const slots = createFairSemaphore({ limit: 1, queueLimit: 1, queueWaitMs: 1_000 })
    const release = await slots.take(undefined)
    const waiting = slots.take(undefined)
    await expect(slots.take(undefined)).rejects.toMatchObject({ kind: 'busy', taken: 'no' })
    release()
    ;(await waiting)()
    expect(slots).toMatchObject({ running: 0, waiting: 0 })
  })

  it('is busy after the longest wait, and the queue moves up', async () => {
    const slots = createFairSemaphore({ limit: 1, queueLimit: 5, queueWaitMs: 1_000 })
    const release = await slots.take(undefined)
    const tooLong = expect(slots.take(undefined)).rejects.toMatchObject({ kind: 'busy' })
    await vi.advanceTimersByTimeAsync(600)
    const later = slots.take(undefined)
    await vi.advanceTimersByTimeAsync(400)
    await tooLong
    expect(slots.waiting).toBe(1)
    release()
    ;(await later)()
    expect(vi.getTimerCount()).toBe(0)
    expect(slots.running).toBe(0)
  })

  it('drops a call that is aborted, before and while it waits', async () => {
    const slots = createFairSemaphore({ limit: 1, queueLimit: 5, queueWaitMs: 1_000 })
    const release = await slots.take(undefined)
    await expect(slots.take(AbortSignal.abort())).rejects.toMatchObject({ kind: 'aborted', taken: 'no' })
    const client = new AbortController()
    const waiting = expect(slots.take(client.signal)).rejects.toMatchObject({ kind: 'aborted', taken: 'no' })
    client.abort()
    await waiting
    expect(slots).toMatchObject({ running: 1, waiting: 0 })
    expect(vi.getTimerCount()).toBe(0)
    release()
    expect(slots.running).toBe(0)
  })

  it('counts a released slot once, even when it is released twice', async () => {
    const slots = createFairSemaphore({ limit: 1, queueLimit: 5, queueWaitMs: 1_000 })
    const release = await slots.take(undefined)
    release()
    release()
    expect(slots.running).toBe(0)
    await slots.take(undefined)
    release()
    expect(slots.running).toBe(1)
  })

  it('limits one holder to its share, and serves other holders first', async () => {
    const slots = createFairSemaphore({ limit: 4, limitEach: 1, queueLimit: 10, queueWaitMs: 1_000 })
    const release = await slots.take(undefined, 'slow')
    const second = slots.take(undefined, 'slow')
    expect(slots.takeNow('slow')).toBeUndefined()
    const others = ['a', 'b', 'c'].map((holder) => slots.takeNow(holder))
    expect(others).not.toContain(undefined)
    expect(slots).toMatchObject({ running: 4, waiting: 1 })
    others[0]?.()
    // A slot is free, but not for a call whose holder has its share.
    expect(slots).toMatchObject({ running: 3, waiting: 1 })
    expect(slots.takeNow('a')).toBeTypeOf('function')
    const later = slots.take(undefined, 'd')
    others[1]?.()
    expect(await later).toBeTypeOf('function')
    release()
    ;(await second)()
    expect(slots).toMatchObject({ running: 3, waiting: 0, holders: 3 })
  })

  it('gives a slot to the holder that used less time when both have equally many slots', async () => {
    const used: Record<string, number> = { a: 20, b: 10 }
    const usedBy = (holder: string) => used[holder] ?? 0
    const slots = createFairSemaphore({ limit: 1, queueLimit: 10, queueWaitMs: 1_000, usedBy })
    const release = await slots.take(undefined, 'c')
    const order: string[] = []
    const waiting = ['a', 'b'].map(async (holder) => {
      const free = await slots.take(undefined, holder)
      order.push(holder)
      free()
    })
    release()
    await Promise.all(waiting)
    expect(order).toEqual(['b', 'a'])
  })

  it('gives one holder its share of the queue', async () => {
    const slots = createFairSemaphore({ limit: 1, queueLimit: 3, queueLimitEach: 2, queueWaitMs: 1_000 })
    const release = await slots.take(undefined, 'slow')
    const waiting = [slots.take(undefined, 'slow'), slots.take(undefined, 'slow')]
    await expect(slots.take(undefined, 'slow')).rejects.toMatchObject({ kind: 'busy', taken: 'no' })
    const other = slots.take(undefined, 'other')
    await expect(slots.take(undefined, 'third')).rejects.toMatchObject({ kind: 'busy' })
    release()
    for (const slot of [...waiting, other]) (await slot)()
    expect(slots).toMatchObject({ running: 0, waiting: 0, holders: 0 })
  })

  it.each([
    [16, 3],
    [64, 10],
    [256, 50],
  ])(
    'of %i slots, two greedy holders leave one for each of the others (%i holders in all)',
    (limit, count) => {
      const { each: limitEach, reserved } = sharesOf(limit, 4)
      const slots = createFairSemaphore({ limit, limitEach, reserved, queueLimit: 0, queueWaitMs: 0 })
      const taken = { first: 0, second: 0 }
      while (slots.takeNow('first') !== undefined) taken.first += 1
      while (slots.takeNow('second') !== undefined) taken.second += 1
      expect(taken).toEqual({ first: (limit * 3) / 4, second: Math.max(1, limit / 16) })
      for (let other = 2; other < count; other += 1) expect(slots.takeNow(`${other}`)).toBeTypeOf('function')
    },
  )

  it('gives a reserved slot only to a holder without a slot', async () => {
    const slots = createFairSemaphore({ limit: 4, reserved: 1, queueLimit: 10, queueWaitMs: 1_000 })
    const releases = [1, 2, 3].map(() => slots.takeNow('first'))
    const other = slots.takeNow('second')
    const more = slots.take(undefined, 'second')
    const newcomer = slots.take(undefined, 'third')
    releases[0]?.()
    const third = await newcomer
    expect(slots).toMatchObject({ running: 4, waiting: 1 })
    third()
    expect(slots).toMatchObject({ running: 3, waiting: 1 })
    releases[1]?.()
    ;(await more)()
    other?.()
    releases[2]?.()
    expect(slots).toMatchObject({ running: 0, waiting: 0, holders: 0 })
  })

  it('reserves the end of the queue for holders that do not wait yet', async () => {
    const slots = createFairSemaphore({ limit: 1, queueLimit: 3, queueReserved: 1, queueWaitMs: 1_000 })
    const release = slots.takeNow('first')
    const waiting = [slots.take(undefined, 'first'), slots.take(undefined, 'second')]
    await expect(slots.take(undefined, 'second')).rejects.toMatchObject({ kind: 'busy' })
    waiting.push(slots.take(undefined, 'third'))
    release?.()
    for (const slot of waiting) (await slot)()
    expect(slots).toMatchObject({ running: 0, waiting: 0, holders: 0 })
  })

  it('forgets a holder that has no slot and waits for none', async () => {
    const slots = createFairSemaphore({ limit: 1, queueLimit: 10, queueWaitMs: 1_000 })
    const release = await slots.take(undefined, 'first')
    const client = new AbortController()
    const gaveUp = expect(slots.take(client.signal, 'second')).rejects.toMatchObject({ kind: 'aborted' })
    const tooLong = expect(slots.take(undefined, 'third')).rejects.toMatchObject({ kind: 'busy' })
    expect(slots.takeNow('fourth')).toBeUndefined()
    expect(slots.holders).toBe(3)
    client.abort()
    await gaveUp
    expect(slots.holders).toBe(2)
    await vi.advanceTimersByTimeAsync(1_000)
    await tooLong
    release()
    expect(slots.holders).toBe(0)
  })

  it('never exceeds the limit, serves each holder in order and leaks nothing, in random runs', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('take' as const), holder: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ kind: fc.constant('release' as const), which: fc.nat(20) }),
      fc.record({ kind: fc.constant('abort' as const), which: fc.nat(20) }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(600) }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 5 }),
        fc.array(step, { maxLength: 60 }),
        async (limit, limitEach, queueLimit, steps) => {
          const slots = createFairSemaphore({ limit, limitEach, queueLimit, queueWaitMs: 500 })
          const inside = new Map<number, Release>()
          const waiting = new Map<number, AbortController>()
          const served: number[] = []
          const holderOf = (index: number) => {
            const step = steps[index]
            return step?.kind === 'take' ? step.holder : ''
          }
          const heldBy = (holder: string) =>
            [...inside.keys()].filter((index) => holderOf(index) === holder).length
          for (const [index, taken] of steps.entries()) {
            if (taken.kind === 'take') {
              const client = new AbortController()
              waiting.set(index, client)
              slots.take(client.signal, taken.holder).then(
                (release) => {
                  waiting.delete(index)
                  served.push(index)
                  inside.set(index, release)
                },
                () => waiting.delete(index),
              )
            }
            if (taken.kind === 'release') {
              const [key, release] = [...inside][taken.which % Math.max(1, inside.size)] ?? []
              if (key !== undefined) inside.delete(key)
              release?.()
            }
            if (taken.kind === 'abort')
              [...waiting.values()][taken.which % Math.max(1, waiting.size)]?.abort()
            await vi.advanceTimersByTimeAsync(taken.kind === 'wait' ? taken.ms : 0)
            expect(slots.running).toBe(inside.size)
            expect(slots.running).toBeLessThanOrEqual(limit)
            expect(slots.waiting).toBe(waiting.size)
            expect(slots.waiting).toBeLessThanOrEqual(queueLimit)
            for (const index of inside.keys()) expect(heldBy(holderOf(index))).toBeLessThanOrEqual(limitEach)
            const isIdle = (index: number) => slots.running < limit && heldBy(holderOf(index)) < limitEach
            expect([...waiting.keys()].filter(isIdle)).toEqual([])
            expect(slots.holders).toBe(new Set([...inside.keys(), ...waiting.keys()].map(holderOf)).size)
          }
          for (const holder of ['a', 'b', 'c']) {
            const own = served.filter((index) => holderOf(index) === holder)
            expect(own).toEqual(own.toSorted((a, b) => a - b))
          }
          for (const client of waiting.values()) client.abort()
          for (const release of inside.values()) release()
          expect(slots).toMatchObject({ running: 0, waiting: 0, holders: 0 })
          expect(vi.getTimerCount()).toBe(0)
        },
      ),
      runs(200),
    )
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fc, runs } from '../../../test/random/properties.ts'
import { createPlaces, type Leave } from './places.ts'

describe('places', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('gives so many and no more, then lets them wait in order', async () => {
    const places = createPlaces({ limit: 2, queueLimit: 10, queueWaitMs: 1_000 })
    const leaves = [await places.take(undefined), await places.take(undefined)]
    expect(places.takeNow()).toBeUndefined()
    const order: string[] = []
    const first = places.take(undefined).then((leave) => order.push('first') && leave)
    const second = places.take(undefined).then((leave) => order.push('second') && leave)
    leaves[0]?.()
    await first
    leaves[1]?.()
    await second
    expect(order).toEqual(['first', 'second'])
    expect(places).toMatchObject({ running: 2, waiting: 0 })
  })

  it('is busy at once when the queue is full', async () => {
    const places = createPlaces({ limit: 1, queueLimit: 1, queueWaitMs: 1_000 })
    const leave = await places.take(undefined)
    const waiting = places.take(undefined)
    await expect(places.take(undefined)).rejects.toMatchObject({ kind: 'busy', taken: 'no' })
    leave()
    ;(await waiting)()
    expect(places).toMatchObject({ running: 0, waiting: 0 })
  })

  it('is busy after the longest wait, and the queue moves up', async () => {
    const places = createPlaces({ limit: 1, queueLimit: 5, queueWaitMs: 1_000 })
    const leave = await places.take(undefined)
    const tooLong = expect(places.take(undefined)).rejects.toMatchObject({ kind: 'busy' })
    await vi.advanceTimersByTimeAsync(600)
    const later = places.take(undefined)
    await vi.advanceTimersByTimeAsync(400)
    await tooLong
    expect(places.waiting).toBe(1)
    leave()
    ;(await later)()
    expect(vi.getTimerCount()).toBe(0)
    expect(places.running).toBe(0)
  })

  it('lets go of one who gives up, before and while waiting', async () => {
    const places = createPlaces({ limit: 1, queueLimit: 5, queueWaitMs: 1_000 })
    const leave = await places.take(undefined)
    await expect(places.take(AbortSignal.abort())).rejects.toMatchObject({ kind: 'aborted', taken: 'no' })
    const client = new AbortController()
    const waiting = expect(places.take(client.signal)).rejects.toMatchObject({ kind: 'aborted', taken: 'no' })
    client.abort()
    await waiting
    expect(places).toMatchObject({ running: 1, waiting: 0 })
    expect(vi.getTimerCount()).toBe(0)
    leave()
    expect(places.running).toBe(0)
  })

  it('takes a place back once, however often it is given back', async () => {
    const places = createPlaces({ limit: 1, queueLimit: 5, queueWaitMs: 1_000 })
    const leave = await places.take(undefined)
    leave()
    leave()
    expect(places.running).toBe(0)
    await places.take(undefined)
    leave()
    expect(places.running).toBe(1)
  })

  it('gives one holder its share and lets the others pass it', async () => {
    const places = createPlaces({ limit: 4, limitEach: 1, queueLimit: 10, queueWaitMs: 1_000 })
    const leave = await places.take(undefined, 'slow')
    const second = places.take(undefined, 'slow')
    expect(places.takeNow('slow')).toBeUndefined()
    const others = ['a', 'b', 'c'].map((holder) => places.takeNow(holder))
    expect(others).not.toContain(undefined)
    expect(places).toMatchObject({ running: 4, waiting: 1 })
    others[0]?.()
    // A place is free, but not for one whose holder has its share.
    expect(places).toMatchObject({ running: 3, waiting: 1 })
    expect(places.takeNow('a')).toBeTypeOf('function')
    const later = places.take(undefined, 'd')
    others[1]?.()
    expect(await later).toBeTypeOf('function')
    leave()
    ;(await second)()
    expect(places).toMatchObject({ running: 3, waiting: 0, holders: 3 })
  })

  it('gives one holder its share of the queue', async () => {
    const places = createPlaces({ limit: 1, queueLimit: 3, queueLimitEach: 2, queueWaitMs: 1_000 })
    const leave = await places.take(undefined, 'slow')
    const waiting = [places.take(undefined, 'slow'), places.take(undefined, 'slow')]
    await expect(places.take(undefined, 'slow')).rejects.toMatchObject({ kind: 'busy', taken: 'no' })
    const other = places.take(undefined, 'other')
    await expect(places.take(undefined, 'third')).rejects.toMatchObject({ kind: 'busy' })
    leave()
    for (const place of [...waiting, other]) (await place)()
    expect(places).toMatchObject({ running: 0, waiting: 0, holders: 0 })
  })

  it('forgets a holder as soon as it neither has nor wants a place', async () => {
    const places = createPlaces({ limit: 1, queueLimit: 10, queueWaitMs: 1_000 })
    const leave = await places.take(undefined, 'first')
    const client = new AbortController()
    const gaveUp = expect(places.take(client.signal, 'second')).rejects.toMatchObject({ kind: 'aborted' })
    const tooLong = expect(places.take(undefined, 'third')).rejects.toMatchObject({ kind: 'busy' })
    expect(places.takeNow('fourth')).toBeUndefined()
    expect(places.holders).toBe(3)
    client.abort()
    await gaveUp
    expect(places.holders).toBe(2)
    await vi.advanceTimersByTimeAsync(1_000)
    await tooLong
    leave()
    expect(places.holders).toBe(0)
  })

  it('never runs more than the limit, serves each holder in order and leaks nothing, whatever happens', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('take' as const), holder: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ kind: fc.constant('leave' as const), which: fc.nat(20) }),
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
          const places = createPlaces({ limit, limitEach, queueLimit, queueWaitMs: 500 })
          const inside = new Map<number, Leave>()
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
              places.take(client.signal, taken.holder).then(
                (leave) => {
                  waiting.delete(index)
                  served.push(index)
                  inside.set(index, leave)
                },
                () => waiting.delete(index),
              )
            }
            if (taken.kind === 'leave') {
              const [key, leave] = [...inside][taken.which % Math.max(1, inside.size)] ?? []
              if (key !== undefined) inside.delete(key)
              leave?.()
            }
            if (taken.kind === 'abort')
              [...waiting.values()][taken.which % Math.max(1, waiting.size)]?.abort()
            await vi.advanceTimersByTimeAsync(taken.kind === 'wait' ? taken.ms : 0)
            expect(places.running).toBe(inside.size)
            expect(places.running).toBeLessThanOrEqual(limit)
            expect(places.waiting).toBe(waiting.size)
            expect(places.waiting).toBeLessThanOrEqual(queueLimit)
            for (const index of inside.keys()) expect(heldBy(holderOf(index))).toBeLessThanOrEqual(limitEach)
            const isIdle = (index: number) => places.running < limit && heldBy(holderOf(index)) < limitEach
            expect([...waiting.keys()].filter(isIdle)).toEqual([])
            expect(places.holders).toBe(new Set([...inside.keys(), ...waiting.keys()].map(holderOf)).size)
          }
          for (const holder of ['a', 'b', 'c']) {
            const own = served.filter((index) => holderOf(index) === holder)
            expect(own).toEqual(own.toSorted((a, b) => a - b))
          }
          for (const client of waiting.values()) client.abort()
          for (const leave of inside.values()) leave()
          expect(places).toMatchObject({ running: 0, waiting: 0, holders: 0 })
          expect(vi.getTimerCount()).toBe(0)
        },
      ),
      runs(200),
    )
  })
})

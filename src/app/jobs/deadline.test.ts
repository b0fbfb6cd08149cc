import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withDeadline } from './deadline.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('work that ends in time returns its value, and leaves no timer and no listener', async () => {
  const { signal } = new AbortController()
  expect(await withDeadline(Promise.resolve(1), { ms: 10, signal })).toEqual({ value: 1 })
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a value of undefined differs from a deadline that came first', async () => {
  expect(await withDeadline(Promise.resolve(undefined), { ms: 10 })).toEqual({ value: undefined })
})

test('work that fails in time rejects, and leaves no timer and no listener', async () => {
  const { signal } = new AbortController()
  const error = new Error('failed')
  await expect(withDeadline(Promise.reject(error), { ms: 10, signal })).rejects.toBe(error)
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('the wait ends at the deadline, and a later failure is not an unhandled rejection', async () => {
  const { signal } = new AbortController()
  const work = Promise.withResolvers<number>()
  const waiting = withDeadline(work.promise, { ms: 10, signal })
  vi.advanceTimersByTime(10)
  expect(await waiting).toBeUndefined()
  expect(getEventListeners(signal, 'abort')).toEqual([])
  work.reject(new Error('too late'))
  await work.promise.catch(() => {})
})

test('an abort ends the waiting, and clears the timer', async () => {
  const leaving = new AbortController()
  const waiting = withDeadline(new Promise(() => {}), { ms: 10, signal: leaving.signal })
  leaving.abort()
  expect(await waiting).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})

test('an aborted signal ends the wait immediately', async () => {
  const work = Promise.reject(new Error('not waited for'))
  expect(await withDeadline(work, { ms: 10, signal: AbortSignal.abort() })).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})

test('a deadline in the past is reached immediately', async () => {
  const waiting = withDeadline(new Promise(() => {}), { ms: -5 })
  vi.advanceTimersByTime(1)
  expect(await waiting).toBeUndefined()
})

import { expect, test } from 'vitest'
import { SILENT_LOG } from '../../../test/engines/store/silent-log.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { LogFields } from '../../ports/log.ts'
import { createInsistence } from './insist.ts'

/** Time passes only while somebody pauses. */
function openStory() {
  const time = { nowMs: 0 }
  const pauses: number[] = []
  const errors: LogFields[] = []
  const insistence = createInsistence({
    clock: { nowMs: () => time.nowMs, monotonicMs: () => time.nowMs },
    pause: async (ms) => {
      pauses.push(ms)
      time.nowMs += ms
    },
    log: { debug() {}, info() {}, warn() {}, error: (_event, fields = {}) => void errors.push(fields) },
  })
  return { insistence, pauses, errors, time }
}

const about = { taskId: 'task_1', forMs: 10_000 }

test('a write that works is made once', async () => {
  const { insistence, pauses } = openStory()
  let attempts = 0
  expect(await insistence.write(async () => ++attempts, about)).toBe(1)
  expect(pauses).toEqual([])
})

test('a store that is away is asked again, each time a little later', async () => {
  const { insistence, pauses } = openStory()
  let attempts = 0
  const write = async () => {
    attempts += 1
    if (attempts < 8) throw new Refusal('store_unavailable')
    return 'stored'
  }
  expect(await insistence.write(write, about)).toBe('stored')
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1_000, 1_000])
})

test('no longer than it is worth', async () => {
  const { insistence, time } = openStory()
  const write = () => Promise.reject(new Refusal('store_unavailable'))
  await expect(insistence.write(write, about)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(time.nowMs).toBeGreaterThanOrEqual(10_000)
  expect(time.nowMs).toBeLessThan(12_000)
})

test('any other failure is final', async () => {
  const { insistence, pauses } = openStory()
  const fault = new Error('a fault of ours')
  await expect(insistence.write(() => Promise.reject(fault), about)).rejects.toBe(fault)
  expect(pauses).toEqual([])
})

test('who waits for the next try when it is closed makes one more, at once', async () => {
  const paused = Promise.withResolvers<void>()
  const insistence = createInsistence({
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    pause: () => {
      paused.resolve()
      return new Promise(() => {})
    },
    log: SILENT_LOG,
  })
  let isAway = true
  let attempts = 0
  const write = async () => {
    attempts += 1
    if (isAway) throw new Refusal('store_unavailable')
    return 'stored'
  }
  const back = insistence.write(write, about)
  await paused.promise
  const lost = insistence.write(() => Promise.reject(new Refusal('store_unavailable')), about)
  const isLost = expect(lost).rejects.toMatchObject({ code: 'store_unavailable' })
  isAway = false
  await insistence.close()
  expect(attempts).toBe(2)
  expect(await back).toBe('stored')
  await isLost
})

test('a store that does not answer holds nobody up for ever', { timeout: 10_000 }, async () => {
  const { insistence } = openStory()
  void insistence.write(() => new Promise(() => {}), about).catch(() => {})
  await insistence.close()
})

test('nothing is tried again once it is closed', async () => {
  const { insistence, pauses } = openStory()
  await insistence.close()
  const write = () => Promise.reject(new Refusal('store_unavailable'))
  await expect(insistence.write(write, about)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(pauses).toEqual([])
})

import { expect, test } from 'vitest'
import { SILENT_LOG } from '../../../test/engines/store/silent-log.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { LogFields } from '../../ports/log.ts'
import { createWriteRetries } from './retry-write.ts'

/** Time passes only during a pause. */
function openScenario() {
  const time = { nowMs: 0 }
  const pauses: number[] = []
  const errors: LogFields[] = []
  const retries = createWriteRetries({
    clock: { nowMs: () => time.nowMs, monotonicMs: () => time.nowMs },
    pause: async (ms) => {
      pauses.push(ms)
      time.nowMs += ms
    },
    log: { debug() {}, info() {}, warn() {}, error: (_event, fields = {}) => void errors.push(fields) },
  })
  return { retries, pauses, errors, time }
}

const about = { taskId: 'task_1', forMs: 10_000 }

test('a write that works is made once', async () => {
  const { retries, pauses } = openScenario()
  let attempts = 0
  expect(await retries.retryUntilStored(async () => ++attempts, about)).toBe(1)
  expect(pauses).toEqual([])
})

test('an unreachable store is retried with growing pauses', async () => {
  const { retries, pauses } = openScenario()
  let attempts = 0
  const write = async () => {
    attempts += 1
    if (attempts < 8) throw new ApiError('store_unavailable')
    return 'stored'
  }
  expect(await retries.retryUntilStored(write, about)).toBe('stored')
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1_000, 1_000])
})

test('a write is retried no longer than `forMs`', async () => {
  const { retries, time } = openScenario()
  const write = () => Promise.reject(new ApiError('store_unavailable'))
  await expect(retries.retryUntilStored(write, about)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(time.nowMs).toBeGreaterThanOrEqual(10_000)
  expect(time.nowMs).toBeLessThan(12_000)
})

test('any other failure is final', async () => {
  const { retries, pauses } = openScenario()
  const fault = new Error('a fault of ours')
  await expect(retries.retryUntilStored(() => Promise.reject(fault), about)).rejects.toBe(fault)
  expect(pauses).toEqual([])
})

test('at the close, a waiting write is retried once more without a pause', async () => {
  const paused = Promise.withResolvers<void>()
  const retries = createWriteRetries({
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    pause: () => {
      paused.resolve()
      return new Promise(() => {})
    },
    log: SILENT_LOG,
  })
  let isUnreachable = true
  let attempts = 0
  const write = async () => {
    attempts += 1
    if (isUnreachable) throw new ApiError('store_unavailable')
    return 'stored'
  }
  const back = retries.retryUntilStored(write, about)
  await paused.promise
  const lost = retries.retryUntilStored(() => Promise.reject(new ApiError('store_unavailable')), about)
  const isLost = expect(lost).rejects.toMatchObject({ code: 'store_unavailable' })
  isUnreachable = false
  await retries.close()
  expect(attempts).toBe(2)
  expect(await back).toBe('stored')
  await isLost
})

test('a store without an answer does not delay the close', { timeout: 10_000 }, async () => {
  const { retries } = openScenario()
  void retries.retryUntilStored(() => new Promise(() => {}), about).catch(() => {})
  await retries.close()
})

test('nothing is retried after the close', async () => {
  const { retries, pauses } = openScenario()
  await retries.close()
  const write = () => Promise.reject(new ApiError('store_unavailable'))
  await expect(retries.retryUntilStored(write, about)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(pauses).toEqual([])
})

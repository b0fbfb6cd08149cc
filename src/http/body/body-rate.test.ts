import { expect, onTestFinished, test, vi } from 'vitest'
import { createBodyWatch } from './body-rate.ts'

const BODIES = 600

test('thousands of bodies that are too slow are ended in several turns, and one whose watch ended is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let nowMs = 0
  let ended = 0
  const watch = createBodyWatch({
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    bodyRateMin: 1_024,
  })
  const ends = Array.from({ length: BODIES }, () =>
    watch.begin(
      () => 0,
      () => {
        ended += 1
      },
    ),
  )
  nowMs = 20_000
  vi.advanceTimersByTime(1_000)
  expect(ended).toBe(32)
  ends.at(-1)?.()
  await expect.poll(() => ended).toBe(BODIES - 1)
  await new Promise(setImmediate)
  expect(ended).toBe(BODIES - 1)
})

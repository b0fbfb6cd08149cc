import type { Clock } from '../../../src/ports/clock.ts'
import { MORNING_MS } from '../store/sample-rows.ts'

export interface TestClock extends Clock {
  pass(ms: number): void
  /** Sets the wall clock to another time. The monotonic clock does not change. */
  jump(ms: number): void
}

/** Creates a clock that moves only when a test moves it. */
export function createTestClock(): TestClock {
  let passedMs = 0
  let jumpedMs = 0
  return {
    nowMs: () => MORNING_MS + passedMs + jumpedMs,
    monotonicMs: () => passedMs,
    pass: (ms) => {
      passedMs += ms
    },
    jump: (ms) => {
      jumpedMs += ms
    },
  }
}

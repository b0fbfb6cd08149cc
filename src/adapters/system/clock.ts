import type { Clock, Draw } from '../../ports/clock.ts'

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}

/** Good enough to share work out; nothing secret depends on it. */
export const systemDraw: Draw = () => Math.random()

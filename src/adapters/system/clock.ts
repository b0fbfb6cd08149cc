import type { Clock, Draw } from '../../ports/clock.ts'

export const systemClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }

/** Not for secrets: used to distribute work. */
export const systemDraw: Draw = () => Math.random()

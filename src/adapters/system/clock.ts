import type { Clock, Draw } from '../../ports/clock.ts'

export const systemClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }

/** Sum of the times in which this thread waited for events. */
export const systemIdleMs = (): number => performance.nodeTiming.idleTime

/** Not for secrets: used to distribute work. */
export const systemDraw: Draw = () => Math.random()

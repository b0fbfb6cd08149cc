import type { Clock, Draw } from '../../ports/clock.ts'

export const systemClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }

/** Sum of the times in which this thread waited for events. */
export const systemIdleMs = (): number => performance.nodeTiming.idleTime

/** Random numbers that distribute work, and are not for secrets. */
export const systemDraw: Draw = () => Math.random()

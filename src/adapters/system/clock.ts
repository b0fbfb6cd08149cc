import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Draw, Pause } from '../../ports/clock.ts'

export const systemClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }

/** Sum of the times in which this thread waited for events. */
export const systemIdleMs = (): number => performance.nodeTiming.idleTime

export const systemPause: Pause = (ms) => sleep(ms, undefined, { ref: false })

/** Random numbers that distribute work, and are not for secrets. */
export const systemDraw: Draw = () => Math.random()

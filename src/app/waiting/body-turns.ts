import { FairQueue } from '../../domain/fair-queue.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import type { Clock } from '../../ports/clock.ts'

/** Reading and converting a longer body may take tens of milliseconds of the thread that serves all requests. */
export const COSTLY_BYTES = 16 * 1024

/** How much of each new turn counts in the mean. */
const WEIGHT = 0.1

/**
 * One costly body in each turn of the event loop, and organizations by turns: however many bodies one of them sends at
 * once, the requests of the others wait for one of these and not for all.
 */
export function createBodyTurns(clock: Pick<Clock, 'monotonicMs'>): BodyTurns {
  const queue = new FairQueue<() => void>()
  let isTaken = false
  /** undefined: the turn before had no body. */
  let beganMs: number | undefined
  let meanTurnMs = 0

  /** What an immediate asks for as an immediate comes in the next turn. */
  function next(): void {
    const run = queue.shift()
    const nowMs = clock.monotonicMs()
    if (beganMs !== undefined) meanTurnMs += (nowMs - beganMs - meanTurnMs) * WEIGHT
    isTaken = run !== undefined
    beganMs = isTaken ? nowMs : undefined
    if (run === undefined) return
    setImmediate(next)
    run()
  }

  return {
    take(holder, run) {
      queue.push(holder, run)
      if (!isTaken) next()
    },
    waitMsOf: (holder) => queue.sizeOf(holder) * queue.holderCount * meanTurnMs,
  }
}

import { FairQueue } from '../../domain/fair-queue.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import type { Clock } from '../../ports/clock.ts'

/** Reading and converting a longer body may block the thread that serves all requests for tens of milliseconds. */
export const COSTLY_BYTES = 16 * 1024

/** Resolves when a body of this length may be read, converted or sent: a costly one waits for its turn. */
export async function turnFor(turns: Pick<BodyTurns, 'take'>, holder: string, length: number): Promise<void> {
  if (length > COSTLY_BYTES) await new Promise<void>((resolve) => turns.take(holder, resolve))
}

/** Weight of each new body in the mean. */
const WEIGHT = 0.1

/** Each group of refused requests adds one body to a turn, up to a maximum, and within this time. */
const REFUSED_PER_BODY = 4
const MORE_BODIES_MAX = 32
const TURN_MS_MAX = 8

/**
 * Runs one costly body in each turn of the event loop, and organizations take turns: when one organization sends many bodies
 * at once, requests of the others wait for one of them and not for all. After many refused requests a turn runs more bodies:
 * otherwise an overloaded process would only refuse requests.
 */
export function createBodyTurns(clock: Pick<Clock, 'monotonicMs'>): BodyTurns {
  const queue = new FairQueue<{ holder: string; run(): void }>()
  /** Mean time of a body by organization, as long as more of its bodies wait. */
  const meanMs = new Map<string, number>()
  let isTaken = false
  let refused = 0

  /** An immediate that is set by an immediate runs in the next turn. */
  function next(): void {
    isTaken = queue.size > 0
    const more = Math.min(Math.floor(refused / REFUSED_PER_BODY), MORE_BODIES_MAX)
    refused = 0
    if (!isTaken) return
    setImmediate(next)
    const untilMs = clock.monotonicMs() + TURN_MS_MAX
    takeBody()
    for (let left = more; left > 0 && clock.monotonicMs() < untilMs; left -= 1) takeBody()
  }

  function takeBody(): void {
    const body = queue.shift()
    if (body === undefined) return
    const { holder } = body
    const beganMs = clock.monotonicMs()
    body.run()
    const tookMs = clock.monotonicMs() - beganMs
    const mean = meanMs.get(holder) ?? tookMs
    if (queue.sizeOf(holder) === 0) meanMs.delete(holder)
    else meanMs.set(holder, mean + (tookMs - mean) * WEIGHT)
  }

  return {
    take(holder, run) {
      queue.push(holder, { holder, run })
      if (isTaken) return
      refused = 0
      next()
    },
    noteRefused() {
      refused += 1
    },
    waitMsOf: (holder) => queue.sizeOf(holder) * (meanMs.get(holder) ?? 0),
  }
}

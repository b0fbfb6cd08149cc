import { FairQueue } from '../../domain/fair-queue.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TimeBook } from '../../ports/time-book.ts'
import { createTimeBook } from './time-book.ts'

/** A longer body may take tens of milliseconds to read and convert, in which the thread serves no other request. */
export const COSTLY_BYTES = 16 * 1024

/** Resolves when a body of this length may be read, converted or sent: a costly one waits for its turn. */
export async function turnFor(turns: Pick<BodyTurns, 'take'>, holder: string, length: number): Promise<void> {
  if (length > COSTLY_BYTES) await new Promise<void>((resolve) => turns.take(holder, resolve))
}

/** Weight of each new piece in the mean. */
const WEIGHT = 0.1

/** Maximum time of a turn. */
const TURN_MS_MAX = 8

/** Maximum pieces of one turn that return `short`: work on a request of at most 16 KiB follows each of them. */
const SHORT_PER_TURN = 32

/**
 * Runs costly work in turns of the event loop. A turn runs at least one piece, and takes at most as long as other work
 * since the last turn. The organization that has used the least time is first, so its requests do not wait for all pieces
 * of a busy organization.
 */
export function createBodyTurns(
  clock: Pick<Clock, 'monotonicMs'>,
  book: TimeBook = createTimeBook({ clock }),
): BodyTurns {
  const queue = new FairQueue<{ holder: string; run(): unknown }>(book.usedMs)
  /** Mean time of a piece by organization, as long as more of its pieces wait. */
  const meanMs = new Map<string, number>()
  let isTaken = false
  let endedMs = 0

  /** An immediate that is set by an immediate runs in the next turn. */
  function next(): void {
    isTaken = queue.size > 0
    if (!isTaken) return
    setImmediate(next)
    const beganMs = clock.monotonicMs()
    const untilMs = beganMs + Math.min(beganMs - endedMs, TURN_MS_MAX)
    let shortLeft = SHORT_PER_TURN
    do {
      const end = runOne()
      if (end === 'short') shortLeft -= 1
      else if (end !== true) break
    } while (shortLeft > 0 && queue.size > 0 && clock.monotonicMs() < untilMs)
    endedMs = clock.monotonicMs()
  }

  function runOne(): unknown {
    const piece = queue.shift()
    if (piece === undefined) return
    const { holder } = piece
    book.begin(holder)
    const beganMs = clock.monotonicMs()
    const end = piece.run()
    const tookMs = clock.monotonicMs() - beganMs
    const mean = meanMs.get(holder) ?? tookMs
    if (queue.sizeOf(holder) === 0) meanMs.delete(holder)
    else meanMs.set(holder, mean + (tookMs - mean) * WEIGHT)
    return end
  }

  return {
    book,
    take(holder, run) {
      queue.push(holder, { holder, run })
      if (!isTaken) next()
    },
    waitMsOf: (holder) => queue.sizeOf(holder) * (meanMs.get(holder) ?? 0),
  }
}

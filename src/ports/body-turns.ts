import type { TimeBook } from './time-book.ts'

/** Schedules costly work on the main thread: bodies of requests and of vendors' replies, and requests that have to wait. */
export interface BodyTurns {
  readonly book: TimeBook
  /**
   * Calls `run` now if this event-loop turn has run nothing and nothing waits, else in a later turn. `run` returns true
   * when its work is over, and `short` when little work follows outside of `run`: the turn may then run the next work,
   * after `short` a limited number of times. Any other result means that much work follows, and ends the turn.
   */
  take(holder: string, run: () => unknown): void
  /** Estimated wait of the holder's next work, counting only the holder's own queue. */
  waitMsOf(holder: string): number
}

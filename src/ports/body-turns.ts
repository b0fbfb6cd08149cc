import type { TimeBook } from './time-book.ts'

/** Schedules costly work on the main thread: bodies of requests and of vendors' replies, and requests that have to wait. */
export interface BodyTurns {
  readonly book: TimeBook
  /**
   * Calls `run` now if this event-loop turn has run nothing and nothing waits, else in a later turn. The turn may go on
   * after a `run` that returns true, because its work is over. It may also go on after `short`, a limited number of
   * times. Any other result ends the turn, because more work follows outside of `run`, such as reading on.
   */
  take(holder: string, run: () => unknown): void
  /** Estimated wait of the holder's next work, counting only the holder's own queue. */
  waitMsOf(holder: string): number
}

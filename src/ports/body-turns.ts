import type { TimeBook } from './time-book.ts'

/** Schedules costly work on the main thread: bodies of requests and of vendors' replies, and requests that have to wait. */
export interface BodyTurns {
  readonly book: TimeBook
  /**
   * Calls `run` now if this event-loop turn has run nothing and nothing waits, else in a later turn. `run` returns true
   * when its work is over, and `short` when a short piece of it follows, of which a turn may have several; otherwise the
   * turn ends with work that follows, such as reading on.
   */
  take(holder: string, run: () => unknown): void
  /** Estimated wait of the holder's next work, counting only the holder's own queue. */
  waitMsOf(holder: string): number
}

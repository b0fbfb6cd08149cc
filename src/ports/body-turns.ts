/** Schedules costly bodies, of requests and of vendors' replies, on the main thread. */
export interface BodyTurns {
  /** Runs it now if this turn of the event loop has had none, else in one of the next turns. */
  take(holder: string, run: () => void): void
  /** Notes a request that was refused because of overload. */
  noteRefused(): void
  /** Estimated wait of one more body of the holder behind its own bodies. */
  waitMsOf(holder: string): number
}

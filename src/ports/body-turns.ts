/** Schedules the parsing of large bodies on the main thread. */
export interface BodyTurns {
  /** Calls `run` now if this event-loop turn has handled no body and no body waits, else in a later turn. */
  take(holder: string, run: () => void): void
  /** Notes a request that was refused because of overload. */
  noteRefused(): void
  /** Estimated wait of the holder's next body, counting only the holder's own queue. */
  waitMsOf(holder: string): number
}

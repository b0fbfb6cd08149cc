/** Schedules costly bodies, of requests and of vendors' replies, on the main thread. */
export interface BodyTurns {
  /** Runs `run` now if no body was handled in this event-loop turn and none waits, else in one of the next turns. */
  take(holder: string, run: () => void): void
  /** Notes a request that was refused because of overload. */
  noteRefused(): void
  /** Estimated wait of the organization's next body, counting only its own queue. */
  waitMsOf(holder: string): number
}

/** Who reads or converts a costly body on the main thread, of a request or of a vendor's reply, and when. */
export interface BodyTurns {
  /** Runs it now if this turn of the event loop has had none, else in one of the next turns. */
  take(holder: string, run: () => void): void
  /** A request was refused because there is too much to do. */
  noteRefused(): void
  /** How long one more body of the holder would wait for those of its own, by how long they take now. */
  waitMsOf(holder: string): number
}

/** Each method drops or clears rows by their age, at most `limit`, oldest first, and returns their number. */
export interface RetentionStore {
  /**
   * Drops tasks that ended before `beforeMs`, with their snapshots, callbacks and attempts. A task stays while its hold
   * is open, its callback waits, its `Idempotency-Key` is valid or its charge is not summed. Ledger and sums stay.
   */
  dropTasks(pass: { beforeMs: number; limit: number }): Promise<number>
  /** Clears the links of tasks that ended before `beforeMs`. The tasks stay. */
  dropContentLinks(pass: { beforeMs: number; limit: number }): Promise<number>
  /** Drops audit rows from before `beforeMs`, except those that prove an entry of the ledger. */
  dropAudits(pass: { beforeMs: number; limit: number }): Promise<number>
}

/** Drops rows by their age, at most `limit` of them, the oldest first. Each returns how many were dropped. */
export interface RetentionStore {
  /**
   * Tasks that ended before that moment, with their snapshots, callbacks and attempts. A task stays while its hold is open,
   * its callback waits, its `Idempotency-Key` is replayed, or its charge is not in the sums. Ledger and sums stay.
   */
  dropTasks(pass: { beforeMs: number; limit: number }): Promise<number>
  /** The links of tasks that ended before that moment. The tasks stay. */
  dropContentLinks(pass: { beforeMs: number; limit: number }): Promise<number>
  /** Audit rows from before that moment, but for those that prove an entry of the ledger. */
  dropAudits(pass: { beforeMs: number; limit: number }): Promise<number>
}

/** Functions over bytes that run on another thread, by name. */
export type ThreadJobs = Record<string, (bytes: Buffer, args: never) => unknown>

/** Result of a job, and its bytes, which the thread had meanwhile. */
export type JobEnd<Result> = { bytes: Buffer; result: Result } | { bytes: Buffer; refused: Error }

/** Runs on another thread the work that would block every other request. */
export interface Threads<Jobs extends ThreadJobs> {
  /**
   * Runs one job at a time for each holder, and holders take turns. The caller has no access to the bytes until the job
   * ends. Rejects when too many jobs wait, the signal aborts before the job begins, or the thread dies or is too slow.
   */
  run<Name extends keyof Jobs & string>(
    name: Name,
    bytes: Buffer,
    args: Parameters<Jobs[Name]>[1],
    options: {
      holder: string
      signal: AbortSignal
      /** Set for a vendor's reply, which is charged: the job is queued without a limit. */
      isReply?: boolean
    },
  ): Promise<JobEnd<ReturnType<Jobs[Name]>>>
}

/** Functions over bytes that are run on another thread, by name. */
export type ThreadJobs = Record<string, (bytes: Buffer, args: never) => unknown>

/** What came of a job, and its bytes, which were with the thread meanwhile. */
export type JobEnd<Result> = { bytes: Buffer; result: Result } | { bytes: Buffer; refused: Error }

/** Work that would hold up every other request, on a thread of its own. */
export interface Threads<Jobs extends ThreadJobs> {
  /**
   * One at a time for each holder, and holders take turns. The bytes are gone for the caller until they come back. Rejects
   * when too much waits, when the signal aborts before the job began, and when the thread dies of it.
   */
  run<Name extends keyof Jobs & string>(
    name: Name,
    bytes: Buffer,
    args: Parameters<Jobs[Name]>[1],
    options: {
      holder: string
      signal: AbortSignal
      /** The bytes are a vendor's reply, which is charged: the job waits however much waits. */
      isReply?: boolean
    },
  ): Promise<JobEnd<ReturnType<Jobs[Name]>>>
}

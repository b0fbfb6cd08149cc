/** Books the working time of the main thread to the organizations that it serves. Booked time fades within seconds. */
export interface TimeBook {
  /** From now on the thread works for this organization; empty: for none. */
  begin(holder: string): void
  /** The work since the last `begin` is for this organization, which was not known then. */
  claim(holder: string): void
  /** Books the work of another thread. */
  add(holder: string, ms: number): void
  usedMs(holder: string): number
  /** Whether other organizations were served a moment ago. */
  hasOthers(holder: string): boolean
  /** Takes a sample of the lag of the event loop. */
  observeLag(lagMs: number): void
  /** The lag is above its limit. */
  readonly isLate: boolean
  /** Whether one more request would put the organization above an equal part of the time. */
  isAbove(holder: string): boolean
  /** Whether the organization's work has to wait, because the thread has little time left and others need their part. */
  mustWait(holder: string): boolean
}

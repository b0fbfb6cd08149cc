/** Counts the outcomes of the text vendor's calls, for tests that check that a hang-up arrived here. */
export interface Tally {
  counts(): { open: number; finished: number; aborted: number }
  /**
   * Returns a function for the end of the call, to be called once: it counts `aborted` when the client has left by
   * then.
   */
  begin(signal: AbortSignal): () => void
}

export function createTally(): Tally {
  let open = 0
  let finished = 0
  let aborted = 0
  return {
    counts: () => ({ open, finished, aborted }),
    begin(signal) {
      open += 1
      return () => {
        open -= 1
        if (signal.aborted) aborted += 1
        else finished += 1
      }
    },
  }
}

/** How the calls of the text vendor ended, for tests that check that a hang-up arrived here. */
export interface Tally {
  counts(): { open: number; finished: number; aborted: number }
  /** Returns what is to be called at the end, once: `aborted` when the client was gone by then. */
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

/** A worker that dies this soon after its start did not die of its work. */
export const EARLY_DEATH_MS = 5_000
export const DEATHS_WHILE_STARTING_MAX = 5
const RESTART_DELAY_MS = 500
const RESTART_DELAY_MS_MAX = 10_000

export type Next = { kind: 'give-up' } | { kind: 'restart'; delayMs: number }

/** A worker that ended by itself with this code has reported why it cannot serve; another one would fail the same way. */
const FATAL_EXIT_CODE = 1

/**
 * Decides what the primary does after a worker's death. Before all workers have listened once, a worker that ends by itself
 * has found a fatal error, and one that is killed may be restarted a few times. Later the healthy ones continue to serve,
 * and the others are restarted, more slowly the more often they die young.
 */
export function decideWorkerRestart({
  starting,
  deaths,
  livedMs,
  exitCode,
}: {
  starting: boolean
  deaths: number
  livedMs: number
  /** null: a signal ended it. */
  exitCode: number | null
}): {
  /** Passed in at the next death; 0 when serving begins. */
  deaths: number
  next: Next
} {
  if (starting) {
    const next: Next =
      exitCode === FATAL_EXIT_CODE || deaths + 1 >= DEATHS_WHILE_STARTING_MAX
        ? { kind: 'give-up' }
        : { kind: 'restart', delayMs: RESTART_DELAY_MS }
    return { deaths: deaths + 1, next }
  }
  if (livedMs >= EARLY_DEATH_MS) return { deaths: 0, next: { kind: 'restart', delayMs: RESTART_DELAY_MS } }
  const delayMs = Math.min(RESTART_DELAY_MS * 2 ** deaths, RESTART_DELAY_MS_MAX)
  return { deaths: deaths + 1, next: { kind: 'restart', delayMs } }
}

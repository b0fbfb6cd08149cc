/** A worker that ends sooner after its start counts as an early death, whose cause is not its work. */
export const EARLY_DEATH_MS = 5_000
export const DEATHS_WHILE_STARTING_MAX = 5
const RESTART_DELAY_MS = 500
const RESTART_DELAY_MS_MAX = 10_000

export type Next = { kind: 'give-up' } | { kind: 'restart'; delayMs: number }

/** Exit code of a worker that has reported why it cannot serve. Another worker would fail equally. */
const FATAL_EXIT_CODE = 1

/**
 * Decides the primary's reaction to a worker's death. Before all workers have listened once, exit code 1 means a fatal
 * error, and a worker that died otherwise is restarted a few times. Later the healthy workers continue to serve, and
 * dead workers are restarted, with a longer delay after each early death.
 */
export function decideWorkerRestart(input: {
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
  const { starting, deaths, livedMs, exitCode } = input
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

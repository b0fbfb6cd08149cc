/** A worker that dies this soon after its start did not die of its work. */
export const EARLY_DEATH_MS = 5_000
export const DEATHS_WHILE_STARTING_MAX = 5
const RESTART_DELAY_MS = 500
const RESTART_DELAY_MS_MAX = 10_000

export type Next = { kind: 'give-up' } | { kind: 'restart'; delayMs: number }

/** A worker that ended by itself with this code has said why it cannot serve; another one would say the same. */
const SAID_WHY = 1

/**
 * What the primary does about a worker's death. Before all workers have ever listened, one that ends by itself has
 * found a fatal error, and one that is killed may come back a few times. Later the healthy ones serve on, whatever happens to
 * the others: those come back, and more slowly the more often they die young.
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
  /** To be given back at the next death; 0 when serving begins. */
  deaths: number
  next: Next
} {
  if (starting) {
    const next: Next =
      exitCode === SAID_WHY || deaths + 1 >= DEATHS_WHILE_STARTING_MAX
        ? { kind: 'give-up' }
        : { kind: 'restart', delayMs: RESTART_DELAY_MS }
    return { deaths: deaths + 1, next }
  }
  if (livedMs >= EARLY_DEATH_MS) return { deaths: 0, next: { kind: 'restart', delayMs: RESTART_DELAY_MS } }
  const delayMs = Math.min(RESTART_DELAY_MS * 2 ** deaths, RESTART_DELAY_MS_MAX)
  return { deaths: deaths + 1, next: { kind: 'restart', delayMs } }
}

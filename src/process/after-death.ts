/** A worker that dies this soon after its start did not die of its work. */
export const EARLY_DEATH_MS = 5_000
export const DEATHS_WHILE_STARTING_MAX = 5
const RESTART_DELAY_MS = 500
const RESTART_DELAY_MS_MAX = 10_000

export type Next = { kind: 'give-up' } | { kind: 'restart'; delayMs: number }

/**
 * What the primary does about a worker's death. Before all workers have ever listened, deaths mean that something is
 * wrong with how they start, however long each took to find out. Later the healthy ones serve on, whatever happens to
 * the others: those come back, and more slowly the more often they die young.
 */
export function afterDeath({
  starting,
  deaths,
  livedMs,
}: {
  starting: boolean
  deaths: number
  livedMs: number
}): {
  /** To be given back at the next death; 0 when serving begins. */
  deaths: number
  next: Next
} {
  if (starting) {
    const next: Next =
      deaths + 1 >= DEATHS_WHILE_STARTING_MAX
        ? { kind: 'give-up' }
        : { kind: 'restart', delayMs: RESTART_DELAY_MS }
    return { deaths: deaths + 1, next }
  }
  if (livedMs >= EARLY_DEATH_MS) return { deaths: 0, next: { kind: 'restart', delayMs: RESTART_DELAY_MS } }
  const delayMs = Math.min(RESTART_DELAY_MS * 2 ** deaths, RESTART_DELAY_MS_MAX)
  return { deaths: deaths + 1, next: { kind: 'restart', delayMs } }
}

/** ISO 8601, UTC. */
export function presentTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

export function unixSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1_000)
}

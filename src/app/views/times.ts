/** ISO 8601, UTC. */
export function presentTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

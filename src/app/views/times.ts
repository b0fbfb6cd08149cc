/** ISO 8601, UTC. */
export function presentTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

export function timeOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : presentTime(timeMs)
}

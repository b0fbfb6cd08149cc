/** Returns the candidate that was most likely meant, or undefined when none is close. */
export function closestName(given: string, candidates: readonly string[]): string | undefined {
  const nearest = candidates
    .map((candidate) => ({ candidate, edits: countEdits(plain(given), plain(candidate)) }))
    .sort((a, b) => a.edits - b.edits)[0]
  if (nearest === undefined) return undefined
  return nearest.edits <= Math.max(1, Math.floor(given.length / 3)) ? nearest.candidate : undefined
}

/** `apiKey`, `api-key` and `API_KEY` are the same name to a person. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, '')
}

function countEdits(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row++) {
    const next = [row]
    rows.push(next)
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next.push(
        Math.min(
          at(row - 1, column - 1) + (same ? 0 : 1),
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(from.length, to.length)
}

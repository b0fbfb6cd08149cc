/** Label of all values beyond the limit. */
export const OTHER = 'other'

/**
 * Counts values beyond `max` together, because every label value is a line of each scrape. The first values
 * keep their names until the process ends.
 */
export function boundedLabel(max: number): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (known.has(value)) return value
    if (known.size >= max) return OTHER
    known.add(value)
    return value
  }
}

/** Label of all values beyond the limit. */
export const OTHER = 'other'

/** Counts values beyond the first `max` together, because each value is a line of every scrape. */
export function boundedLabel(max: number): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (known.has(value)) return value
    if (known.size >= max) return OTHER
    known.add(value)
    return value
  }
}

/** Returns a function that replaces values beyond the first `max` by `other`, because each value is a line of a scrape. */
export function boundedLabel(max: number, other = 'other'): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (known.has(value)) return value
    if (known.size >= max) return other
    known.add(value)
    return value
  }
}

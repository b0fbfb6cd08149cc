/** Label value for all values beyond the limit. */
export const OTHER = 'other'

/**
 * Every value of a label is a line of each scrape on every replica: values beyond `max` are counted together. The first
 * ones keep their names until the process ends.
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

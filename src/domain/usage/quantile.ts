/** How many values were at most so large, and larger than the bound before. null: all above the last bound. */
export type Histogram = readonly { upToMs: number | null; count: number }[]

/**
 * The value below which this share lies, as if values were spread evenly between two bounds. Beyond the last bound
 * nothing is known but that: it is the answer then. null where nothing was counted.
 */
export function quantile(histogram: Histogram, share: number): number | null {
  const total = histogram.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  const rank = share * total
  let below = 0
  let boundMs = 0
  for (const { upToMs, count } of histogram) {
    if (upToMs === null) return boundMs
    if (count > 0 && below + count >= rank)
      return Math.round(boundMs + ((upToMs - boundMs) * Math.max(0, rank - below)) / count)
    below += count
    boundMs = upToMs
  }
  return boundMs
}

/** Counts of values above the bound before and up to `upToMs`; null: above the last bound. */
export type Histogram = readonly { upToMs: number | null; count: number }[]

/**
 * The value below which this share lies, with values spread evenly between two bounds. A value beyond the last bound is
 * unknown, and counts as that bound. null: too few values were counted for one to lie above the share.
 */
export function quantile(histogram: Histogram, share: number): number | null {
  const total = histogram.reduce((sum, { count }) => sum + count, 0)
  if (Math.round(total * (1 - share)) === 0) return null
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

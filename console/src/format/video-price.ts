interface Price {
  unit?: unknown
  resolution?: unknown
  video_input?: unknown
  audio?: unknown
  [amount: string]: unknown
}

export interface VideoWish {
  seconds: number
  resolution: string
  hasAudio: boolean
}

const EXAMPLE_SECONDS = 5

/**
 * Approximate cost of a video, in micros: by a price per second, else in proportion to the catalog's example of 5 seconds
 * at 720p.
 */
export function estimateVideo(
  prices: readonly Price[],
  example: { cost_micros: number } | null,
  { seconds, resolution, hasAudio }: VideoWish,
): number | undefined {
  const fits = prices.filter(
    (price) =>
      price.unit === 'second' &&
      (price.resolution === null || price.resolution === resolution) &&
      price.video_input !== true &&
      (price.audio === null || price.audio === undefined || price.audio === hasAudio),
  )
  const usd = fits.map((price) => price.usd).find((amount) => typeof amount === 'number')
  if (typeof usd === 'number') return Math.round(usd * 1_000_000 * seconds)
  return example === null || resolution !== '720p'
    ? undefined
    : Math.round((example.cost_micros * seconds) / EXAMPLE_SECONDS)
}

/** The resolutions that a model's prices name, and 720p in any case, sorted by their number. */
export function resolutionsOf(prices: readonly Price[]): string[] {
  const named = prices.map(({ resolution }) => resolution).filter((one) => typeof one === 'string')
  return [...new Set(['720p', ...named])].toSorted(
    (one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10),
  )
}

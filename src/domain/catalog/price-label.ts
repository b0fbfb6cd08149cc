import type { PriceRow } from './price-row.ts'
import { plainResolution } from './resolution.ts'

/** What a row is the price of: `second, resolution=1080p, video_input=true`. No two rows of a model share it. */
export function priceLabel(row: Omit<PriceRow, 'priceMicros'>): string {
  return [row.unit, ...attributesOf(row)].join(', ')
}

/** The attributes a row names, each spelled as in a catalog file. */
export function attributesOf({
  resolution,
  videoInput,
  audio,
}: Pick<PriceRow, 'resolution' | 'videoInput' | 'audio'>): string[] {
  return [
    resolution === null ? undefined : `resolution=${plainResolution(resolution)}`,
    videoInput === null ? undefined : `video_input=${videoInput}`,
    audio === null ? undefined : `audio=${audio}`,
  ].filter((attribute) => attribute !== undefined)
}

import type { PriceRow, PriceUnit } from './price-row.ts'
import { plainResolution } from './resolution.ts'

/** What is about to be paid for. */
export interface PricedUse {
  unit: PriceUnit
  /** null where there is no picture. */
  resolution: string | null
  videoInput: boolean
  audio: boolean
}

/**
 * The row that holds for a use: each attribute it names must be the use's, and the row that names most wins.
 * Between rows that name equally many, resolution counts before video input, and video input before audio.
 *
 * Seconds are sold by resolution, and a vendor takes resolutions that the catalog has not heard of: one that no row
 * names costs as much as the dearest row does, whatever its resolution.
 *
 * undefined: no price, and so no service.
 */
export function choosePrice(rows: readonly PriceRow[], use: PricedUse): PriceRow | undefined {
  const resolution = use.resolution === null ? null : plainResolution(use.resolution)
  const candidates = rows.filter((row) => row.unit === use.unit && suits(row, use))
  if (use.unit === 'second' && !rows.some((row) => row.unit === 'second' && names(row, resolution))) {
    return best(candidates, (row) => row.priceMicros)
  }
  return best(
    candidates.filter((row) => row.resolution === null || names(row, resolution)),
    specificity,
  )
}

function suits(row: PriceRow, { videoInput, audio }: PricedUse): boolean {
  return (
    (row.videoInput === null || row.videoInput === videoInput) && (row.audio === null || row.audio === audio)
  )
}

function names(row: PriceRow, resolution: string | null): boolean {
  return row.resolution !== null && plainResolution(row.resolution) === resolution
}

/** How many attributes a row names; the smaller part decides between equals. */
function specificity({ resolution, videoInput, audio }: PriceRow): number {
  const named = [resolution !== null, videoInput !== null, audio !== null].map(Number)
  const [byResolution = 0, byVideoInput = 0, byAudio = 0] = named
  return 8 * (byResolution + byVideoInput + byAudio) + 4 * byResolution + 2 * byVideoInput + byAudio
}

function best(rows: readonly PriceRow[], score: (row: PriceRow) => number): PriceRow | undefined {
  return rows.reduce<PriceRow | undefined>(
    (winner, row) => (winner === undefined || score(row) > score(winner) ? row : winner),
    undefined,
  )
}

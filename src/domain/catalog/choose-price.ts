import { type PriceRow, type PriceUnit, plainResolution } from './price-row.ts'

export interface PricedUse {
  unit: PriceUnit
  /** null where there is no picture. */
  resolution: string | null
  videoInput: boolean
  audio: boolean
}

/**
 * Chooses the price row for a use. Each attribute that a row names must match, and the row that names the most attributes
 * wins. Between equals, resolution counts before video input, and video input before audio. A vendor that sells seconds
 * may accept resolutions that the catalog lacks: if every matching row names a resolution, an unknown one costs as much
 * as the most expensive of them. undefined: the use has no price and is not served.
 */
export function choosePrice(rows: readonly PriceRow[], use: PricedUse): PriceRow | undefined {
  const resolution = use.resolution === null ? null : plainResolution(use.resolution)
  const ofUnit = rows.filter((row) => row.unit === use.unit)
  const candidates = ofUnit.filter((row) => suits(row, use))
  const fitting = candidates.filter((row) => row.resolution === null || names(row, resolution))
  if (fitting.length > 0) return best(fitting, specificity)
  const isUnknown = use.unit === 'second' && !ofUnit.some((row) => names(row, resolution))
  return isUnknown ? best(candidates, (row) => row.priceMicros) : undefined
}

function suits(row: PriceRow, { videoInput, audio }: PricedUse): boolean {
  return (
    (row.videoInput === null || row.videoInput === videoInput) && (row.audio === null || row.audio === audio)
  )
}

function names(row: PriceRow, resolution: string | null): boolean {
  return row.resolution !== null && plainResolution(row.resolution) === resolution
}

/** Score of a row by the attributes that it names; between rows that name equally many, the lower summands decide. */
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

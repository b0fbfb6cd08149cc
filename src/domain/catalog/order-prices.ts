import { PRICE_UNITS, type PriceRow } from './price-row.ts'

/** Orders price rows equally everywhere: by unit, small resolutions first, rows for any value first. */
export function orderPrices(rows: readonly PriceRow[]): PriceRow[] {
  return rows.toSorted(
    (a, b) =>
      PRICE_UNITS.indexOf(a.unit) - PRICE_UNITS.indexOf(b.unit) ||
      lines(a.resolution) - lines(b.resolution) ||
      compareTexts(a.resolution ?? '', b.resolution ?? '') ||
      rank(a.videoInput) - rank(b.videoInput) ||
      rank(a.audio) - rank(b.audio),
  )
}

/** The number at the beginning of a resolution; one without a number comes last. */
function lines(resolution: string | null): number {
  if (resolution === null) return -1
  const number = Number.parseInt(resolution, 10)
  return Number.isNaN(number) ? Number.MAX_SAFE_INTEGER : number
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function rank(attribute: boolean | null): number {
  if (attribute === null) return 0
  return attribute ? 2 : 1
}

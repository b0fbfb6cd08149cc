const HOUR_MS = 3_600_000
const CLOCKS_APART_MS = 60_000

/** Signed links work for about twelve hours. One that a client is given must have some of them left. */
const FRESH_MS = 6 * HOUR_MS
const USABLE_MS = 11 * HOUR_MS

interface DatedUrl {
  urlAtMs: number | null
}

/** Good enough to be given away without asking the vendor for another. */
export function isFreshUrl({ urlAtMs }: DatedUrl, nowMs: number): boolean {
  return urlAtMs !== null && isYounger(nowMs - urlAtMs, FRESH_MS)
}

/** Good enough for a vendor that fetches it soon. */
export function isUsableUrl({ urlAtMs }: DatedUrl, nowMs: number): boolean {
  return urlAtMs !== null && isYounger(nowMs - urlAtMs, USABLE_MS)
}

/** One from the future is of a clock that has gone back since: how old it is, is not known. */
function isYounger(ageMs: number, limitMs: number): boolean {
  return ageMs > -CLOCKS_APART_MS && ageMs < limitMs
}

const HOUR_MS = 3_600_000
const CLOCKS_APART_MS = 60_000

/** Signed links work for about twelve hours, and a client must have some hours left. */
const FRESH_MS = 6 * HOUR_MS
const USABLE_MS = 11 * HOUR_MS

interface DatedUrl {
  urlAtMs: number | null
}

/** Whether the URL can be sent to a client without asking the vendor for a new one. */
export function isFreshUrl({ urlAtMs }: DatedUrl, nowMs: number): boolean {
  return urlAtMs !== null && isYounger(nowMs - urlAtMs, FRESH_MS)
}

/** Whether the URL is good enough for a vendor that fetches it soon. */
export function isUsableUrl({ urlAtMs }: DatedUrl, nowMs: number): boolean {
  return urlAtMs !== null && isYounger(nowMs - urlAtMs, USABLE_MS)
}

/** A URL dated more than a minute in the future counts as old, because a clock has gone back. */
function isYounger(ageMs: number, limitMs: number): boolean {
  return ageMs > -CLOCKS_APART_MS && ageMs < limitMs
}

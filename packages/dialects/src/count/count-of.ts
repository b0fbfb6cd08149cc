/**
 * Reads a vendor's count in whole tokens. undefined: it is no number of tokens, and the gateway counts by itself. An absurd
 * count is one: it is cut later, to what the request could use.
 */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0
    ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER)
    : undefined
}

/**
 * Reads a vendor's count in whole tokens. undefined: the value is not a count, and the gateway counts itself. An absurdly
 * large count is accepted here; a later step bounds it by the request.
 */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0
    ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER)
    : undefined
}

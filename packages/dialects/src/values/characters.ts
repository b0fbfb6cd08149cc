/** Counts code points, as JSON Schema does: a letter or an ideograph outside the first plane is one. */
export function hasAtMost(charactersMax: number, text: string): boolean {
  if (text.length <= charactersMax) return true
  // A code point has one or two units, so a very long text need not be split.
  return text.length <= 2 * charactersMax && [...text].length <= charactersMax
}

/** Counted in code points, as JSON Schema counts: a letter or an ideograph outside the first plane is one. */
export function hasAtMost(charactersMax: number, text: string): boolean {
  if (text.length <= charactersMax) return true
  // A code point has one or two units, so that a very long text need not be taken apart.
  return text.length <= 2 * charactersMax && [...text].length <= charactersMax
}

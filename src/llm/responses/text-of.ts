/** A text field that may be missing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Whether it is a list with something in it. */
export function hasAny(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}

/** Clients write null for what they leave out. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

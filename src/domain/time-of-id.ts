/** The time that our ids begin with, in milliseconds; undefined for what cannot be one of them. */
export function timeOfId(id: string): number | undefined {
  const digits = /^[a-z]+_([0-9a-f]{12})[0-9a-f]{20}$/.exec(id)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}

/** Creation time in an id of the gateway, in milliseconds; undefined for other texts. */
export function timeOfId(id: string): number | undefined {
  const digits = /^[a-z]+_([0-9a-f]{12})[0-9a-f]{20}$/.exec(id)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}

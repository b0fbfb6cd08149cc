/** What JSON spells; undefined, which no JSON spells, when it is none. */
export function parseOrNone(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

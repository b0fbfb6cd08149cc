/** Parses JSON; undefined, which no JSON stands for, when it is invalid. */
export function parseOrNone(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

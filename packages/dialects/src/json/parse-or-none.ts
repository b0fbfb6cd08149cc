/** Parses JSON. undefined, which is never a value of JSON: the text is invalid. */
export function parseOrNone(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** What an answer's body holds; undefined when it is not JSON. A byte order mark and bad UTF-8 are forgiven. */
export function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

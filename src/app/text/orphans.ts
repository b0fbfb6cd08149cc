/** More would be one API key's way to hold every place of a provider. */
const ORPHANS_PER_KEY_MAX = 8

/** Requests that are heard out though their client has left, counted by API key. */
export interface Orphans {
  /** Gives what to call when it is over; undefined when the key has as many as it may. */
  take(keyId: string): (() => void) | undefined
}

export function createOrphans(): Orphans {
  const counts = new Map<string, number>()
  const countOf = (keyId: string) => counts.get(keyId) ?? 0
  return {
    take(keyId) {
      if (countOf(keyId) >= ORPHANS_PER_KEY_MAX) return undefined
      counts.set(keyId, countOf(keyId) + 1)
      return () => {
        const left = countOf(keyId) - 1
        if (left > 0) counts.set(keyId, left)
        else counts.delete(keyId)
      }
    },
  }
}

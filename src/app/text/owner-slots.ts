/** How many of something each owner, an organization or an API key, has at once. */
export interface OwnerSlots {
  /** A slot, given back by calling it once; undefined when the owner has all of its slots. */
  take(owner: string): (() => void) | undefined
}

export function createOwnerSlots({ perOwnerMax }: { perOwnerMax: number }): OwnerSlots {
  const counts = new Map<string, number>()
  const countOf = (owner: string) => counts.get(owner) ?? 0
  return {
    take(owner) {
      if (countOf(owner) >= perOwnerMax) return undefined
      counts.set(owner, countOf(owner) + 1)
      return () => {
        const left = countOf(owner) - 1
        if (left > 0) counts.set(owner, left)
        else counts.delete(owner)
      }
    },
  }
}

export function createOwnerSlots({ perOwnerMax }: { perOwnerMax: number }) {
  const counts = new Map<string, number>()
  const countOf = (owner: string) => counts.get(owner) ?? 0
  return {
    /** Returns a function that frees the slot, to be called once; undefined when the owner has no slot left. */
    take(owner: string): (() => void) | undefined {
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

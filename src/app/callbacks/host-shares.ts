/** How many callbacks are on their way to each host. */
export interface HostShares {
  /** A place for one to this address; undefined when its host has its share already. */
  enter(url: string): Leave | undefined
}

type Leave = () => void

/** Customers may share a receiver. One that hangs holds this many of the places, and no more. */
export function createHostShares(shareMax: number): HostShares {
  const counts = new Map<string, number>()

  return {
    enter(url) {
      const host = URL.parse(url)?.hostname ?? ''
      const count = counts.get(host) ?? 0
      if (count >= shareMax) return undefined
      counts.set(host, count + 1)
      return () => leave(host)
    },
  }

  function leave(host: string): void {
    const left = (counts.get(host) ?? 0) - 1
    if (left > 0) counts.set(host, left)
    else counts.delete(host)
  }
}

import type { Clock } from '../../ports/clock.ts'

export interface RecentValues {
  get(key: string): string | undefined
  set(key: string, value: string, ttlMs: number): void
  delete(key: string): void
  clear(): void
}

/** Values with a life span, within a bound on memory: what was not used for longest goes first. */
export function createRecentValues({ clock, maxBytes }: { clock: Clock; maxBytes: number }): RecentValues {
  /** A Map keeps the order of insertion: the first entry is the one used longest ago. */
  const entries = new Map<string, Entry>()
  let bytes = 0

  const remove = (key: string, entry: Entry) => {
    entries.delete(key)
    bytes -= entry.bytes
  }
  const removeIfPresent = (key: string) => {
    const entry = entries.get(key)
    if (entry !== undefined) remove(key, entry)
  }
  return {
    get: (key) => {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (entry.expiresAtMs <= clock.monotonicMs()) {
        remove(key, entry)
        return undefined
      }
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set: (key, value, ttlMs) => {
      if (!Number.isFinite(ttlMs)) throw new RangeError('ttlMs must be a number of milliseconds.')
      removeIfPresent(key)
      const entry = { value, expiresAtMs: clock.monotonicMs() + ttlMs, bytes: bytesOf(key, value) }
      entries.set(key, entry)
      bytes += entry.bytes
      for (const [oldestKey, oldest] of entries) {
        if (bytes <= maxBytes) break
        remove(oldestKey, oldest)
      }
    },
    delete: removeIfPresent,
    clear: () => {
      entries.clear()
      bytes = 0
    },
  }
}

interface Entry {
  value: string
  expiresAtMs: number
  bytes: number
}

/** What the map and the entry's own fields take besides the two strings. */
const ENTRY_OVERHEAD_BYTES = 120

/** A string takes at most two bytes for each of its units. */
function bytesOf(key: string, value: string): number {
  return 2 * (key.length + value.length) + ENTRY_OVERHEAD_BYTES
}

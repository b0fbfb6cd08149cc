import type { CacheShare, ValueLife } from '../../ports/cache.ts'
import type { Clock } from '../../ports/clock.ts'

export interface RecentValues {
  get(key: string): string | undefined
  set(key: string, value: string, life: ValueLife): void
  delete(key: string): void
  deleteShare(name: string): void
  clear(): void
}

/**
 * Values with a life span, within a bound on memory: what was not used for longest goes first. A share has a bound of its
 * own; where all of them together are too large, the largest one gives way.
 */
export function createRecentValues({ clock, maxBytes }: { clock: Clock; maxBytes: number }): RecentValues {
  const shelves = new Map<string, Shelf>()
  const shelfOfKey = new Map<string, Shelf>()
  let bytes = 0

  const remove = (key: string) => {
    const shelf = shelfOfKey.get(key)
    const entry = shelf?.entries.get(key)
    if (shelf === undefined || entry === undefined) return
    shelfOfKey.delete(key)
    shelf.entries.delete(key)
    shelf.bytes -= entry.bytes
    bytes -= entry.bytes
    if (shelf.entries.size === 0) shelves.delete(shelf.name)
  }
  const removeOldest = (shelf: Shelf) => {
    for (const key of shelf.entries.keys()) return remove(key)
  }
  const shelfFor = (name: string): Shelf => {
    const known = shelves.get(name)
    if (known !== undefined) return known
    const shelf: Shelf = { name, entries: new Map(), bytes: 0 }
    shelves.set(name, shelf)
    return shelf
  }
  return {
    get: (key) => {
      const entries = shelfOfKey.get(key)?.entries
      const entry = entries?.get(key)
      if (entries === undefined || entry === undefined) return undefined
      if (entry.expiresAtMs <= clock.monotonicMs()) {
        remove(key)
        return undefined
      }
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set: (key, value, { ttlMs, share = NO_SHARE }) => {
      if (!Number.isFinite(ttlMs)) throw new RangeError('ttlMs must be a number of milliseconds.')
      remove(key)
      const entry = { value, expiresAtMs: clock.monotonicMs() + ttlMs, bytes: bytesOf(key, value) }
      const bytesMax = Math.min(share.bytesMax, maxBytes)
      if (entry.bytes > bytesMax) return
      const shelf = shelfFor(share.name)
      shelf.entries.set(key, entry)
      shelf.bytes += entry.bytes
      shelfOfKey.set(key, shelf)
      bytes += entry.bytes
      while (shelf.bytes > bytesMax) removeOldest(shelf)
      while (bytes > maxBytes) removeOldest(largestOf(shelves))
    },
    delete: remove,
    deleteShare: (name) => {
      for (const key of [...(shelves.get(name)?.entries.keys() ?? [])]) remove(key)
    },
    clear: () => {
      shelves.clear()
      shelfOfKey.clear()
      bytes = 0
    },
  }
}

/** The values of one share. A Map keeps the order of insertion: the first entry is the one used longest ago. */
interface Shelf {
  name: string
  entries: Map<string, Entry>
  bytes: number
}

interface Entry {
  value: string
  expiresAtMs: number
  bytes: number
}

const NO_SHARE: CacheShare = { name: '', bytesMax: Number.POSITIVE_INFINITY }

/** Looked for only when the engine is full; there is one for each organization that was served lately. */
function largestOf(shelves: ReadonlyMap<string, Shelf>): Shelf {
  let largest: Shelf | undefined
  for (const shelf of shelves.values()) if (shelf.bytes > (largest?.bytes ?? 0)) largest = shelf
  if (largest === undefined) throw new Error('no share holds the bytes that are counted')
  return largest
}

/** What the map and the entry's own fields take besides the two strings. */
const ENTRY_OVERHEAD_BYTES = 120

/** A string takes at most two bytes for each of its units. */
function bytesOf(key: string, value: string): number {
  return 2 * (key.length + value.length) + ENTRY_OVERHEAD_BYTES
}

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
 * Values with a lifetime and a limit on memory, of which the least recently used are dropped first. A share
 * has its own limit. When all shares together are too large, the largest one loses values.
 */
export function createRecentValues({ clock, maxBytes }: { clock: Clock; maxBytes: number }): RecentValues {
  const shares = new Map<string, StoredShare>()
  const shareOfKey = new Map<string, StoredShare>()
  let bytes = 0

  const remove = (key: string) => {
    const stored = shareOfKey.get(key)
    const entry = stored?.entries.get(key)
    if (stored === undefined || entry === undefined) return
    shareOfKey.delete(key)
    stored.entries.delete(key)
    stored.bytes -= entry.bytes
    bytes -= entry.bytes
    if (stored.entries.size === 0) shares.delete(stored.name)
  }
  const removeOldest = (stored: StoredShare) => {
    for (const key of stored.entries.keys()) return remove(key)
  }
  const findOrAddShare = (name: string): StoredShare => {
    const known = shares.get(name)
    if (known !== undefined) return known
    const stored: StoredShare = { name, entries: new Map(), bytes: 0 }
    shares.set(name, stored)
    return stored
  }
  return {
    get: (key) => {
      const entries = shareOfKey.get(key)?.entries
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
      const stored = findOrAddShare(share.name)
      stored.entries.set(key, entry)
      stored.bytes += entry.bytes
      shareOfKey.set(key, stored)
      bytes += entry.bytes
      while (stored.bytes > bytesMax) removeOldest(stored)
      while (bytes > maxBytes) removeOldest(largestOf(shares))
    },
    delete: remove,
    deleteShare: (name) => {
      for (const key of [...(shares.get(name)?.entries.keys() ?? [])]) remove(key)
    },
    clear: () => {
      shares.clear()
      shareOfKey.clear()
      bytes = 0
    },
  }
}

/** Values of one share. The first entry of the Map is the least recently used. */
interface StoredShare {
  name: string
  entries: Map<string, StoredValue>
  bytes: number
}

interface StoredValue {
  value: string
  expiresAtMs: number
  bytes: number
}

const NO_SHARE: CacheShare = { name: '', bytesMax: Number.POSITIVE_INFINITY }

/** Finds the largest share when the cache is full. Few organizations have a share at the same time. */
function largestOf(shares: ReadonlyMap<string, StoredShare>): StoredShare {
  let largest: StoredShare | undefined
  for (const stored of shares.values()) if (stored.bytes > (largest?.bytes ?? 0)) largest = stored
  if (largest === undefined) throw new Error('no share holds the bytes that are counted')
  return largest
}

/** Memory of an entry without its two strings. */
const ENTRY_OVERHEAD_BYTES = 120

/** A string takes at most two bytes per code unit. */
function bytesOf(key: string, value: string): number {
  return 2 * (key.length + value.length) + ENTRY_OVERHEAD_BYTES
}

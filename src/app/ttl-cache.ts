import type { Clock } from '../ports/clock.ts'

export interface TtlCache<T> {
  get(key: string, read: () => Promise<T>): T | Promise<T>
  /** Whether a value of any age is cached; a cached miss does not count. */
  holds(key: string): boolean
  /** The next `get` reads again, and the result of a running read is not kept. */
  forget(key: string): void
  /** Forgets the matching values, all misses, and the results of running reads. Checks every value. */
  forgetWhere(matches: (value: T) => boolean): void
}

interface TtlCacheOptions {
  clock: Clock
  /** Up to this age a value is returned as it is. An older one is returned too, but read again in the background. */
  freshMs?: number
  /** Above this age the caller waits for a new read. */
  trustMs?: number
  /** Maximum age of a value that is returned when the new read fails. */
  graceMs: number
  /** Above this number, entries that were not used lately are dropped first. */
  maxEntries: number
}

/** While the store is reachable, a change of a row is seen within 5 s, even without a message about the change. */
const FRESH_MS = 2_000
export const TRUST_MS = 4_500

const SPARED_MS = 1_000
/** Misses have their own map, so that lookups of unknown keys evict no value. */
const MISSES_MAX = 1_000

interface CachedValue<T> {
  value: T
  readAtMs: number
  /** Before this time no caller waits for another read, because an unreachable store often takes long to fail. */
  retryAfterMs: number
  /** Whether `get` returned the entry since `makeRoom` last saw it. A hot `get` writes only this flag, which is cheap. */
  wasUsed: boolean
}

/** Caches values of the store for hot requests. A miss is kept only for `freshMs`, because rows may be added. */
export function createTtlCache<T>(options: TtlCacheOptions): TtlCache<T> {
  const { clock, freshMs = FRESH_MS, trustMs = TRUST_MS, graceMs } = options
  const values = new Map<string, CachedValue<T>>()
  const readings = new Map<string, Promise<T>>()
  const misses = new Map<string, number>()

  return {
    get(key, read) {
      const cached = values.get(key)
      if (cached === undefined) return recallMiss(key, read)
      const nowMs = clock.monotonicMs()
      const ageMs = nowMs - cached.readAtMs
      if (ageMs < freshMs || (nowMs < cached.retryAfterMs && ageMs < graceMs)) return give(cached)
      if (ageMs < trustMs) {
        readOnce(key, read).catch(() => {})
        return give(cached)
      }
      return readOnce(key, read).catch((error: unknown) => {
        // A value that was forgotten meanwhile must not come back.
        if (values.get(key) !== cached || ageMs >= graceMs) throw error
        cached.retryAfterMs = clock.monotonicMs() + SPARED_MS
        return cached.value
      })
    },
    holds: (key) => values.has(key),
    forget(key) {
      readings.delete(key)
      values.delete(key)
      misses.delete(key)
    },
    forgetWhere(matches) {
      readings.clear()
      misses.clear()
      for (const [key, { value }] of values) if (matches(value)) values.delete(key)
    },
  }

  function recallMiss(key: string, read: () => Promise<T>): T | Promise<T> {
    const readAtMs = misses.get(key)
    const isFresh = readAtMs !== undefined && clock.monotonicMs() - readAtMs < freshMs
    return isFresh ? (undefined as T) : readOnce(key, read)
  }

  function give(cached: CachedValue<T>): T {
    cached.wasUsed = true
    return cached.value
  }

  function readOnce(key: string, read: () => Promise<T>): Promise<T> {
    const running = readings.get(key)
    if (running !== undefined) return running
    const reading = readAndKeep(key, read, () => readings.get(key) === reading)
    readings.set(key, reading)
    return reading
  }

  async function readAndKeep(key: string, read: () => Promise<T>, stillWanted: () => boolean): Promise<T> {
    const readAtMs = clock.monotonicMs()
    try {
      const value = await read()
      if (stillWanted()) keep(key, { value, readAtMs, retryAfterMs: 0, wasUsed: false })
      return value
    } finally {
      if (stillWanted()) readings.delete(key)
    }
  }

  function keep(key: string, cached: CachedValue<T>): void {
    values.delete(key)
    misses.delete(key)
    if (cached.value === undefined) keepMiss(key, cached.readAtMs)
    else values.set(key, cached)
    if (values.size > options.maxEntries) makeRoom()
  }

  function keepMiss(key: string, readAtMs: number): void {
    misses.set(key, readAtMs)
    const [oldest] = misses.keys()
    if (misses.size > MISSES_MAX && oldest !== undefined) misses.delete(oldest)
  }

  /** Evicts the oldest entry that was not used. A used entry loses its flag and moves to the end. */
  function makeRoom(): void {
    for (const [key, cached] of values) {
      values.delete(key)
      if (!cached.wasUsed) return
      cached.wasUsed = false
      values.set(key, cached)
    }
  }
}

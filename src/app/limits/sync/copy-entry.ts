import type { Cache } from '../../../ports/cache.ts'

/** Entries are copies for other programs. The gateway itself never reads them, so they may expire. */
const ENTRY_LIFE_MS = 24 * 3_600_000

/** Bounds the loop for a row that changes all the time. */
const ATTEMPTS_MAX = 5

/**
 * Copies a stored row into the cache, or removes its entry, and then reads the store again. When two copies of a row run
 * at once, the copy with the older row may write last; it then sees the newer row and writes again.
 */
export async function copyEntry(input: {
  cache: Pick<Cache, 'set' | 'delete'>
  key: string
  read(): Promise<object | undefined>
}): Promise<void> {
  const { cache, key, read } = input
  let stored = await readText()
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (stored === undefined) await cache.delete(key)
    else await cache.set(key, stored, { ttlMs: ENTRY_LIFE_MS })
    const written = stored
    stored = await readText()
    if (stored === written) return
  }

  async function readText(): Promise<string | undefined> {
    const entry = await read()
    return entry && JSON.stringify(entry)
  }
}

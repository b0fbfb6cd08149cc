import type { Cache } from '../ports/cache.ts'
import type { Store } from '../ports/store.ts'

export interface Readiness {
  /** Without the store nothing can be served. */
  store: 'up' | 'down'
  /** Without the cache we serve on, under local bounds. */
  cache: 'up' | 'down'
}

const PATIENCE_MS = 2_000

/** Asks both engines, and takes silence for "down". */
export function checkReadiness({ store, cache }: { store: Store; cache: Cache }): () => Promise<Readiness> {
  return async () => {
    const [storeUp, cacheUp] = await Promise.all([answers(store.ping()), answers(cache.ping())])
    return { store: storeUp ? 'up' : 'down', cache: cacheUp ? 'up' : 'down' }
  }
}

async function answers(ping: Promise<void>): Promise<boolean> {
  const silence = Promise.withResolvers<false>()
  const timer = setTimeout(() => silence.resolve(false), PATIENCE_MS)
  try {
    return await Promise.race([ping.then(() => true), silence.promise])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

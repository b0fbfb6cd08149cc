import { vi } from 'vitest'
import { createMemoryCache } from '../../../src/adapters/memory/memory-cache.ts'
import { openRedisCache } from '../../../src/adapters/redis/redis-cache.ts'
import type { Cache } from '../../../src/ports/cache.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { createLogBook } from './log-book.ts'

/** Parts of an engine for the contract: the cache as two replicas see it, and a way to let time pass. */
export interface CacheEngine {
  cache: Cache
  replica: Cache
  /** Moves a clock that stands still; a real one moves by itself. */
  passTime(ms: number): void
  close(): Promise<void>
}

export const CACHE_ENGINES: Readonly<Record<string, () => Promise<CacheEngine>>> = {
  memory: async () => {
    let atMs = 1_000
    const clock = { nowMs: () => 0, monotonicMs: () => atMs }
    const cache = createMemoryCache({ clock, maxBytes: 1_000_000, log: createLogBook() })
    return {
      cache,
      replica: cache,
      passTime: (ms) => {
        atMs += ms
      },
      close: () => cache.close(),
    }
  },
  redis: async () => {
    const redis = await freshRedis()
    return openRedisEngine(redis.url, redis.close)
  },
}

/** `end` gives the server back. */
export async function openRedisEngine(url: string, end: () => Promise<void>): Promise<CacheEngine> {
  const [cache, replica] = await Promise.all([
    openRedisCache({ url, log: createLogBook() }),
    openRedisCache({ url, log: createLogBook() }),
  ])
  // On a busy machine a cache is ready before it has a connection, and works without Redis until then.
  for (const { ping } of [cache, replica]) await vi.waitFor(ping, 60_000)
  return {
    cache,
    replica,
    passTime: () => {},
    close: async () => {
      await Promise.all([cache.close(), replica.close()])
      await end()
    },
  }
}

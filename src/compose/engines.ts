import { createMemoryDayBuckets } from '../adapters/memory/day-buckets.ts'
import { createMemoryCache } from '../adapters/memory/memory-cache.ts'
import { createMemoryRateMeter } from '../adapters/memory/rate-meter.ts'
import { confirmSecret } from '../app/access/confirm-secret.ts'
import { createLiveRequests } from '../app/live-requests.ts'
import { ApiError } from '../domain/api-error.ts'
import type { Cache } from '../ports/cache.ts'
import { passCheckpoint } from '../ports/checkpoint.ts'
import type { Clock } from '../ports/clock.ts'
import type { DayBuckets } from '../ports/day-buckets.ts'
import type { KeptValues } from '../ports/kept-values.ts'
import type { RateMeter } from '../ports/rate-meter.ts'
import type { Store } from '../ports/store.ts'
import type { Config } from './config.ts'
import { openTools, type Tools } from './tools.ts'

const MEMORY_CACHE_BYTES_MAX = 64 * 1024 * 1024

export async function openStore(
  { engines }: Config,
  { log, metrics, holders, book }: Pick<Tools, 'log' | 'metrics' | 'holders'> & Partial<Pick<Tools, 'book'>>,
  role: 'server' | 'beside',
): Promise<Store> {
  if (engines.databaseUrl !== undefined) {
    const { openPostgresStore } = await import('../adapters/postgres/open-store.ts')
    const url = engines.databaseUrl.reveal()
    const { databasePoolSize: maxConnections } = engines
    const holder = holders?.current
    return openPostgresStore({ url, role, log, metrics, maxConnections, holder, book })
  }
  const { openSqliteStore } = await import('../adapters/sqlite/open-store.ts')
  return openSqliteStore({ dataDir: engines.dataDir, role, log, metrics })
}

export async function openCache({ engines }: Config, { clock, log, metrics }: Tools): Promise<Cache> {
  if (engines.redisUrl === undefined)
    return createMemoryCache({ clock, log, maxBytes: MEMORY_CACHE_BYTES_MAX })
  const { openRedisCache } = await import('../adapters/redis/redis-cache.ts')
  return openRedisCache({ url: engines.redisUrl.reveal(), log, metrics })
}

/** Keeps replies in Redis, or else in the store, because they must outlive the process. */
export function openKeptValues(
  { engines }: Config,
  { store, cache, clock }: { store: Pick<Store, 'keptValues'>; cache: Cache; clock: Clock },
): KeptValues {
  return engines.redisUrl !== undefined ? cachedValues(cache) : storedValues({ ...store, clock })
}

/** Keeps values in the cache. A failure has the store's error code, so that a client tries again. */
function cachedValues(cache: KeptValues): KeptValues {
  const unavailable = (cause: unknown): never => {
    throw new ApiError('store_unavailable', { cause })
  }
  return {
    get: (key) => cache.get(key).catch(unavailable),
    set: (key, value, life) => cache.set(key, value, life).catch(unavailable),
    delete: (key) => cache.delete(key).catch(unavailable),
    deleteShare: (name) => cache.deleteShare(name).catch(unavailable),
  }
}

export function storedValues(input: Pick<Store, 'keptValues'> & { clock: Clock }): KeptValues {
  const { keptValues, clock } = input
  return {
    get: (key) => keptValues.find({ key, nowMs: clock.nowMs() }),
    set: (key, value, { ttlMs, share }) =>
      keptValues.keep({ key, value, expiresAtMs: clock.nowMs() + ttlMs, share }),
    delete: (key) => keptValues.remove(key),
    deleteShare: (name) => keptValues.removeShare(name),
  }
}

export interface LimitEngines {
  rateMeter: RateMeter
  dayBuckets: DayBuckets
  close(): Promise<void>
}

export async function openLimits({ engines }: Config, { clock, log }: Tools): Promise<LimitEngines> {
  if (engines.redisUrl === undefined) {
    return {
      rateMeter: createMemoryRateMeter({ clock }),
      dayBuckets: createMemoryDayBuckets({ clock }),
      close: async () => {},
    }
  }
  const { openRedisLimits } = await import('../adapters/redis/redis-limits.ts')
  return openRedisLimits({ url: engines.redisUrl.reveal(), log })
}

/** Rejects when the SQLite store does not exist. A missing PostgreSQL store is found when it is opened. */
export async function requireStore({ engines }: Config): Promise<void> {
  if (engines.databaseUrl !== undefined) return
  const { findDataFiles } = await import('../adapters/sqlite/data-files.ts')
  findDataFiles(engines.dataDir)
}

/** Migrates or creates the store, and binds it to the secret. Returns the applied migrations. */
export async function migrateStore(config: Config): Promise<string[]> {
  const applied = await migrateTables(config)
  const tools = openTools(config, { checkpoint: passCheckpoint, inCluster: false, makesSecret: true })
  const store = await openStore(config, tools, 'beside')
  try {
    await confirmSecret({ ...store, ...tools })()
  } finally {
    await store.close()
    await tools.log.flush()
  }
  return applied
}

async function migrateTables({ engines }: Config): Promise<string[]> {
  if (engines.databaseUrl !== undefined) {
    const { migratePostgres } = await import('../adapters/postgres/migrate.ts')
    return migratePostgres({ url: engines.databaseUrl.reveal() })
  }
  const { migrateSqlite } = await import('../adapters/sqlite/migrate.ts')
  return migrateSqlite({ dataDir: engines.dataDir })
}

/** Opens the feed of finished requests for operators. Replicas with an admin API share it through Redis. */
export async function openLive({ engines, secrets }: Config, { clock, newId }: Tools, cache: Cache) {
  const isShared = engines.redisUrl !== undefined && secrets.adminApiKey !== undefined
  const live = createLiveRequests({ clock, replica: isShared ? { id: newId('req'), cache } : undefined })
  await live.join()
  return live
}

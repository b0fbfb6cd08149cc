import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import { storeOn } from '../sql/store.ts'
import { postgresEngine } from './engine.ts'
import { migratePostgres } from './migrate.ts'
import { openPool } from './pool.ts'

export interface PostgresStoreOptions {
  url: string
  /** A server brings the tables up to date; the command line works with them as they are. */
  role: 'server' | 'beside'
  log: Log
  metrics: Metrics
  /** For this process; all replicas together must stay below the server's own limit. */
  maxConnections?: number
}

const MAX_CONNECTIONS_DEFAULT = 10

export async function openPostgresStore({
  url,
  role,
  log,
  metrics,
  maxConnections = MAX_CONNECTIONS_DEFAULT,
}: PostgresStoreOptions): Promise<Store> {
  await migratePostgres({ url, changes: role === 'server' ? 'any-store' : 'none' })
  const pool = openPool({ url, log, maxConnections })
  metrics.watchPool('postgres', () => ({
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }))
  return storeOn(postgresEngine({ url, pool }))
}

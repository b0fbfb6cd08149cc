import { Client, Pool, type PoolClient } from 'pg'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { TimeBook } from '../../ports/time-book.ts'
import { storeOn } from '../sql/store-on.ts'
import { postgresEngine } from './engine.ts'
import { migratePostgres } from './migrate.ts'
import { type SharedPool, shareConnections } from './share-connections.ts'
import { VALUE_PARSERS } from './value-parsers.ts'

export interface PostgresStoreOptions {
  url: string
  /** `server` migrates the tables. `beside` is for commands, and does not migrate. */
  role: 'server' | 'beside'
  log: Log
  metrics: Metrics
  /** Limit of this process. All replicas together must stay below the server's own limit. */
  maxConnections?: number
  /** Returns the holder (organization) that the running code serves; left out: all requests are of one holder. */
  holder?: (() => string) | undefined
  /** Books the time that replies take. */
  book?: Pick<TimeBook, 'begin'> | undefined
}

const MAX_CONNECTIONS_DEFAULT = 10

export async function openPostgresStore(input: PostgresStoreOptions): Promise<Store> {
  const { url, role, log, metrics, holder, book, maxConnections = MAX_CONNECTIONS_DEFAULT } = input
  await migratePostgres({ url, changes: role === 'server' ? 'any-store' : 'none' })
  const setsTimeouts = await acceptsTimeouts(url)
  if (!setsTimeouts) log.warn('store.timeouts_not_set', { engine: 'postgres' })
  const pool = openPool({ url, log, maxConnections, setsTimeouts, holder, book })
  metrics.watchPool('postgres', () => pool.counts)
  return storeOn(postgresEngine({ url, pool }))
}

/** Maximum wait of a request for a free or new connection. */
const CONNECT_TIMEOUT_MS = 2_000
/** The server ends a statement first. The lease limits the wait for a server that does not answer. */
const STATEMENT_TIMEOUT_MS = 5_000
const LEASE_MS = 6_000
/** Ends transactions of a stopped replica, whose locks others wait for. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000

const TIMEOUTS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
}

/** Tells whether connections may set timeouts, which a pooler such as PgBouncer may refuse. */
async function acceptsTimeouts(url: string): Promise<boolean> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...TIMEOUTS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    return !(error instanceof Error && error.message.includes('unsupported startup parameter'))
  } finally {
    await client.end().catch(() => {})
  }
}

export function openPool(
  tools: Omit<PostgresStoreOptions, 'role' | 'metrics'> & { maxConnections: number; setsTimeouts?: boolean },
): SharedPool {
  const { url, log, maxConnections, setsTimeouts = true, holder = () => '', book } = tools
  const pool = new Pool({
    connectionString: url,
    application_name: 'sluice',
    max: maxConnections,
    types: VALUE_PARSERS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(setsTimeouts && TIMEOUTS),
  })
  handleConnectionErrors(pool, log)
  limitLeases(pool)
  return shareConnections(pool, {
    ...{ holder, waitMs: CONNECT_TIMEOUT_MS },
    onReply: (name) => book?.begin(name),
  })
}

/** Listens to `error` events of idle and busy connections, which would end the process. */
function handleConnectionErrors(pool: Pool, log: Log): void {
  pool.on('error', (error) => log.warn('store.connection_lost', { engine: 'postgres', error }))
  pool.on('connect', (client) => client.on('error', () => {}))
}

/** Closes a connection that an operation keeps too long: the callers get an error, and the pool opens another one. */
function limitLeases(pool: Pool): void {
  const leases = new Map<PoolClient, NodeJS.Timeout>()
  pool.on('acquire', (client) => {
    leases.set(client, setTimeout(cut, LEASE_MS, client))
  })
  pool.on('release', (_error, client) => {
    clearTimeout(leases.get(client))
    leases.delete(client)
  })
}

function cut(client: PoolClient): void {
  if (client instanceof Client) client.end().catch(() => {})
}

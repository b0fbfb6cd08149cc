import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { DatabaseError, Pool, type PoolConfig } from 'pg'
import type { ColumnTypes } from '../sql/column-types.ts'
import { type AllowedChanges, migrate } from '../sql/migrate.ts'
import type { Tables } from '../sql/tables.ts'
import { rethrow } from './failure.ts'

const CONNECT_TIMEOUT_MS = 5_000
/**
 * Time for which a migration waits for a lock. Older replicas still write: a migration that waits for a table blocks all
 * later statements, and can cause a deadlock when it has locked another table already. The migration therefore gives up
 * before the server checks for deadlocks (after one second by default), and is retried.
 */
const LOCK_TIMEOUT_MS = 500
const PAUSE_MS = 250
const TRIES_MAX = 120

/**
 * Returns the names of the migrations that ran. Replicas that start together take turns by an advisory lock.
 * The connection has no statement timeout, because a migration may take long.
 */
export async function migratePostgres(input: { url: string; changes?: AllowedChanges }): Promise<string[]> {
  const { url, changes = 'any-store' } = input
  const options = { connectionString: url, application_name: 'sluice-migrate' }
  return onOwnConnection(options, (db) => migrateAmongWriters(db, changes).catch(rethrow))
}

/** Uses a connection outside the pool, whose timeouts are for requests. */
export async function onOwnConnection<T>(
  options: PoolConfig,
  run: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const fixed = { max: 1, keepAlive: true, connectionTimeoutMillis: CONNECT_TIMEOUT_MS }
  const pool = new Pool({ ...options, ...fixed })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    return await run(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }))
  } finally {
    await pool.end()
  }
}

async function migrateAmongWriters(db: Kysely<Tables>, changes: AllowedChanges): Promise<string[]> {
  const prepare = async (transaction: Kysely<unknown>) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction)
    // A write of usage rows reads organizations first, so it waits for this lock before it locks another table.
    const { rows } = await sql<{ name: string | null }>`
      select to_regclass('organizations')::text as name`.execute(transaction)
    if (rows[0]?.name != null)
      await sql`lock table organizations in access exclusive mode`.execute(transaction)
  }
  for (let tries = 1; ; tries += 1) {
    try {
      return await migrate(db, { columns: POSTGRES_COLUMNS, changes, prepare })
    } catch (error) {
      if (tries >= TRIES_MAX || !isLockConflict(error)) throw error
      await wait(PAUSE_MS)
    }
  }
}

/** Tells whether the error is `lock_not_available` or `deadlock_detected`. */
function isLockConflict(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '55P03' || error.code === '40P01')
}

export const POSTGRES_COLUMNS: ColumnTypes = {
  id: 'text collate "C"',
  text: 'text',
  integer: 'bigint',
  decimal: 'double precision',
  usd: 'numeric(20, 6)',
  boolean: 'boolean',
  no: 'false',
  computed: 'stored',
  strict: '',
  clustered: '',
  isNumber: () => 'true',
  isBoolean: () => 'true',
  hasSixDecimals: (column) => `round(${column}, 6) = ${column}`,
}

import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import type { ColumnTypes } from '../sql/column-types.ts'
import { type AllowedChanges, migrate } from '../sql/migrate.ts'
import type { Tables } from '../sql/tables.ts'
import { rethrow } from './failure.ts'

const CONNECT_TIMEOUT_MS = 5_000

/**
 * Returns the names of the migrations that ran now. Replicas that start together take turns by an advisory lock. It has
 * a connection of its own without a limit on statements: a migration may take its time.
 */
export async function migratePostgres({
  url,
  changes = 'any-store',
}: {
  url: string
  changes?: AllowedChanges
}): Promise<string[]> {
  const pool = new Pool({
    connectionString: url,
    application_name: 'sluice-migrate',
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await migrate(db, { columns: POSTGRES_COLUMNS, changes }).catch(rethrow)
  } finally {
    await pool.end()
  }
}

export const POSTGRES_COLUMNS: ColumnTypes = {
  id: sql`text collate "C"`,
  text: 'text',
  integer: 'bigint',
  decimal: 'double precision',
  usd: 'numeric(20, 6)',
  boolean: 'boolean',
  no: sql`false`,
  strict: sql``,
  isNumber: () => sql`true`,
  isBoolean: () => sql`true`,
  hasSixDecimals: (column) => sql`round(${sql.ref(column)}, 6) = ${sql.ref(column)}`,
}

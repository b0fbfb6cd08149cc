import { sql } from 'kysely'
import type { ColumnTypes } from '../sql/column-types.ts'
import { type AllowedChanges, migrate } from '../sql/migrate.ts'
import { openForWriting } from './connection.ts'
import { findDataFiles, prepareDataFiles } from './data-files.ts'
import { queryBuilder } from './query-builder.ts'
import { presentFailure } from './sent-error.ts'

/** Migrates the store, or creates it if changes are allowed. Returns the applied migrations. */
export async function migrateSqlite(input: { dataDir: string; changes?: AllowedChanges }): Promise<string[]> {
  const { dataDir, changes = 'any-store' } = input
  const { database: path } = changes === 'none' ? findDataFiles(dataDir) : prepareDataFiles(dataDir)
  try {
    return await migrateFile(path, changes)
  } catch (error) {
    throw presentFailure(error)
  }
}

async function migrateFile(path: string, changes: AllowedChanges): Promise<string[]> {
  const database = openForWriting(path)
  try {
    return await migrate(queryBuilder(database), { columns: SQLITE_COLUMNS, changes })
  } finally {
    database.close()
  }
}

export const SQLITE_COLUMNS: ColumnTypes = {
  id: sql`text`,
  text: sql`text`,
  integer: sql`integer`,
  decimal: sql`real`,
  usd: sql`numeric`,
  boolean: sql`integer`,
  no: sql`0`,
  computed: sql`virtual`,
  strict: sql`strict`,
  clustered: sql`strict, without rowid`,
  isNumber: (column) => sql`typeof(${sql.ref(column)}) in ('integer', 'real', 'null')`,
  isBoolean: (column) => sql`${sql.ref(column)} in (0, 1)`,
  // Rounding errors of a sum or product are far below a billionth, and a tiny price must not count as zero.
  hasSixDecimals: (column) => {
    const value = sql.ref(column)
    return sql`abs(round(${value}, 6) - ${value}) < 1e-9 and (${value} = 0 or abs(${value}) > 5e-7)`
  },
}

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
  id: 'text',
  text: 'text',
  integer: 'integer',
  decimal: 'real',
  usd: 'numeric',
  boolean: 'integer',
  no: '0',
  computed: 'virtual',
  strict: 'strict',
  clustered: 'strict, without rowid',
  isNumber: (column) => `typeof(${column}) in ('integer', 'real', 'null')`,
  isBoolean: (column) => `${column} in (0, 1)`,
  // Rounding errors of a sum or product are far below a billionth, and a tiny price must not count as zero.
  hasSixDecimals: (column) =>
    `abs(round(${column}, 6) - ${column}) < 1e-9 and (${column} = 0 or abs(${column}) > 5e-7)`,
}

import { type AllowedChanges, migrate } from '../sql/migrate.ts'
import { SQLITE_COLUMNS } from './column-types.ts'
import { openForWriting } from './connection.ts'
import { findDataFiles, prepareDataFiles } from './data-files.ts'
import { presentFailure } from './failure.ts'
import { queryBuilder } from './query-builder.ts'

/** Makes the store when there is none and changes are allowed. Returns the names of the migrations that ran now. */
export async function migrateSqlite({
  dataDir,
  changes = 'any-store',
}: {
  dataDir: string
  changes?: AllowedChanges
}): Promise<string[]> {
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

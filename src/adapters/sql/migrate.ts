import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { ApiError } from '../../domain/api-error.ts'
import { MissingStore } from '../../domain/missing-store.ts'
import type { ColumnTypes } from './column-types.ts'
import { migrationsWith, refusalOf } from './migrations/index.ts'
import type { Db } from './tables.ts'

const MIGRATION_TABLE = 'sluice_migrations'

/** `none`: for commands, which must not migrate the tables of a running server nor create a store. */
export type AllowedChanges = 'any-store' | 'none'

/**
 * Migrates the store to this version and returns the names of the applied migrations. Programs that start at
 * the same time wait for each other; the later programs find nothing to do.
 */
export async function migrate(
  db: Db,
  {
    columns,
    changes,
    prepare = async () => {},
  }: {
    columns: ColumnTypes
    changes: AllowedChanges
    /** Runs before each migration, in its transaction. */
    prepare?: (db: Kysely<unknown>) => Promise<void>
  },
): Promise<string[]> {
  const known = migrationsWith(columns)
  const applied = await appliedMigrations(db)
  const refusal = refusalOf(applied)
  if (refusal !== undefined) throw new ApiError('store_unavailable', { message: refusal })
  if (Object.keys(known).every((name) => applied.includes(name))) return []
  if (changes === 'none')
    throw applied.length === 0 ? new MissingStore('This database has no Sluice store.') : olderStore()
  const { error, results } = await new Migrator({
    db,
    provider: {
      // Kysely requires each migration that the store has, and does not run it again.
      getMigrations: async () => ({
        ...Object.fromEntries(applied.map((name) => [name, { up: async () => {} }])),
        ...Object.fromEntries(Object.entries(known).map(([name, one]) => [name, prepared(one, prepare)])),
      }),
    },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: `${MIGRATION_TABLE}_lock`,
    // Kysely checks the order by clock times, and the clock may have jumped between two migrations.
    allowUnorderedMigrations: true,
  }).migrateToLatest()
  if (error !== undefined) throw error
  return (results ?? []).map(({ migrationName }) => migrationName)
}

function prepared({ up }: Migration, prepare: (db: Kysely<unknown>) => Promise<void>): Migration {
  return {
    up: async (db) => {
      await prepare(db)
      await up(db)
    },
  }
}

async function appliedMigrations(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === MIGRATION_TABLE)) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)}`.execute(db)
  return rows.map(({ name }) => name)
}

function olderStore(): ApiError {
  return new ApiError('store_unavailable', {
    message:
      'This store is of an older Sluice. Run "sluice migrate", or start the new server, and try again.',
  })
}

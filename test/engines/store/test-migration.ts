import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { test } from 'vitest'
import { POSTGRES_COLUMNS } from '../../../src/adapters/postgres/migrate.ts'
import type { ColumnTypes } from '../../../src/adapters/sql/column-types.ts'
import { migrationsWith } from '../../../src/adapters/sql/migrations/index.ts'
import type { Tables } from '../../../src/adapters/sql/tables.ts'
import { SQLITE_COLUMNS } from '../../../src/adapters/sqlite/migrate.ts'
import { queryBuilder } from '../../../src/adapters/sqlite/query-builder.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'

interface MigrationTest {
  /** Writes what the program before left, beside the organization `org_1`. */
  fill(db: Kysely<Tables>): Promise<void>
  /** Looks at it after this migration and all later ones. */
  check(db: Kysely<Tables>): Promise<void>
}

/** A store as the program before a migration left it, brought up to this one, on both engines. */
export function testMigration(name: string, title: string, { fill, check }: MigrationTest): void {
  async function walk(db: Kysely<Tables>, columns: ColumnTypes): Promise<void> {
    const known = Object.entries(migrationsWith(columns))
    for (const [each, { up }] of known) if (each < name) await up(db)
    await sql`
      insert into organizations (id, name, billing, webhook_secret, created_at_ms)
      values ('org_1', '', 'prepaid', '', 1)`.execute(db)
    await fill(db)
    for (const [each, { up }] of known) if (each >= name) await up(db)
    await check(db)
  }

  test(`${title}, on SQLite`, async () => {
    const database = new DatabaseSync(':memory:')
    await walk(queryBuilder(database), SQLITE_COLUMNS)
    database.close()
  })

  test(`${title}, on PostgreSQL`, async () => {
    const { url, drop } = await freshDatabase()
    const pool = new Pool({ connectionString: url, max: 1 })
    // Its end does not wait for its connections, and the drop ends those that are left.
    pool.on('error', () => {})
    await walk(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), POSTGRES_COLUMNS)
    await pool.end()
    await drop()
  })
}

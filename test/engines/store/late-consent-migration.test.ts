import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { POSTGRES_COLUMNS } from '../../../src/adapters/postgres/migrate.ts'
import type { ColumnTypes } from '../../../src/adapters/sql/column-types.ts'
import { migrationsWith } from '../../../src/adapters/sql/migrations/index.ts'
import { unchainedRevocationsQuery } from '../../../src/adapters/sql/receipts.ts'
import type { Tables } from '../../../src/adapters/sql/tables.ts'
import { SQLITE_COLUMNS } from '../../../src/adapters/sqlite/migrate.ts'
import { queryBuilder } from '../../../src/adapters/sqlite/query-builder.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'

const NAME = '0061-late-consent'

/** A store as the program before left it: of two revocations one has its entry in the chain. */
async function expectMarked(db: Kysely<Tables>, columns: ColumnTypes): Promise<void> {
  const known = Object.entries(migrationsWith(columns))
  for (const [name, { up }] of known) if (name < NAME) await up(db)
  await sql`
    insert into organizations (id, name, billing, webhook_secret, created_at_ms)
    values ('org_1', '', 'prepaid', '', 1)`.execute(db)
  await sql`
    insert into revocations (group_id, organization_id, verified_at_ms, revoked_at_ms)
    values ('group_1', 'org_1', 1, 2), ('group_2', 'org_1', 1, 3)`.execute(db)
  await sql`
    insert into receipts (id, organization_id, number, hash, jws, made_at_ms)
    values ('group_1', 'org_1', 1, 'x', '{}', 4)`.execute(db)
  for (const [name, { up }] of known) if (name >= NAME) await up(db)
  const marked = await sql`select group_id from revocations where has_receipt`.execute(db)
  expect(marked.rows).toEqual([{ group_id: 'group_1' }])
  const { rows } = await unchainedRevocationsQuery({ limit: 9 }).execute(db)
  expect(rows).toMatchObject([{ groupId: 'group_2' }])
}

test('revocations of before owe an entry only where they have none, on SQLite', async () => {
  const database = new DatabaseSync(':memory:')
  await expectMarked(queryBuilder(database), SQLITE_COLUMNS)
  database.close()
})

test('and on PostgreSQL', async () => {
  const { url, drop } = await freshDatabase()
  const pool = new Pool({ connectionString: url, max: 1 })
  // Its end does not wait for its connections, and the drop ends those that are left.
  pool.on('error', () => {})
  await expectMarked(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), POSTGRES_COLUMNS)
  await pool.end()
  await drop()
})

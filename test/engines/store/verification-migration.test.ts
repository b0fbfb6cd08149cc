import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { POSTGRES_COLUMNS } from '../../../src/adapters/postgres/migrate.ts'
import type { ColumnTypes } from '../../../src/adapters/sql/column-types.ts'
import { migrationsWith } from '../../../src/adapters/sql/migrations/index.ts'
import type { Tables } from '../../../src/adapters/sql/tables.ts'
import { SQLITE_COLUMNS } from '../../../src/adapters/sqlite/migrate.ts'
import { queryBuilder } from '../../../src/adapters/sqlite/query-builder.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'

const NAME = '0011-verification-ends'

/** A store as the program before left it, with an open verification and an ended one, brought up to this one. */
async function expectOpenTokensKept(db: Kysely<Tables>, columns: ColumnTypes): Promise<void> {
  const known = Object.entries(migrationsWith(columns))
  for (const [name, { up }] of known) if (name < NAME) await up(db)
  await sql`
    insert into organizations (id, name, billing, webhook_secret, created_at_ms)
    values ('org_1', '', 'prepaid', '', 1)`.execute(db)
  await sql`
    insert into verifications
      (id, organization_id, provider, state_digest, sealed_token, sealed_callback_url, created_at_ms, expires_at_ms,
      sealed_redirect, ended_at_ms)
    values ('ver_1', 'org_1', 'vendorA', 'd1', 'token-1', 'callback', 1, 2, null, null),
      ('ver_2', 'org_1', 'vendorA', 'd2', 'token-2', 'callback', 1, 2, 'redirect', 2)`.execute(db)
  for (const [name, { up }] of known) if (name >= NAME) await up(db)
  const rows = await db
    .selectFrom('verifications')
    .select(['id', 'sealed_token', 'sealed_redirect', 'language'])
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { id: 'ver_1', sealed_token: 'token-1', sealed_redirect: null, language: null },
    { id: 'ver_2', sealed_token: null, sealed_redirect: 'redirect', language: null },
  ])
}

test('verifications of before keep their tokens only while they are open, on SQLite', async () => {
  const database = new DatabaseSync(':memory:')
  await expectOpenTokensKept(queryBuilder(database), SQLITE_COLUMNS)
  database.close()
})

test('and on PostgreSQL', async () => {
  const { url, drop } = await freshDatabase()
  const pool = new Pool({ connectionString: url, max: 1 })
  // Its end does not wait for its connections, and the drop ends those that are left.
  pool.on('error', () => {})
  await expectOpenTokensKept(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), POSTGRES_COLUMNS)
  await pool.end()
  await drop()
})

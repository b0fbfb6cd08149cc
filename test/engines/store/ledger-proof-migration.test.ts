import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { POSTGRES_COLUMNS } from '../../../src/adapters/postgres/migrate.ts'
import { VALUE_PARSERS } from '../../../src/adapters/postgres/value-parsers.ts'
import type { ColumnTypes } from '../../../src/adapters/sql/column-types.ts'
import { checkLedger, countUnmeasured } from '../../../src/adapters/sql/ledger/check-ledger.ts'
import { migrationsWith } from '../../../src/adapters/sql/migrations/index.ts'
import type { Tables } from '../../../src/adapters/sql/tables.ts'
import { SQLITE_COLUMNS } from '../../../src/adapters/sqlite/migrate.ts'
import { queryBuilder } from '../../../src/adapters/sqlite/query-builder.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'

const NAME = '0016-ledger-proof'

/** A demo of 100 micros and a credit of 50; 60 charged, all of it refunded, while the day kept its 60 and 5 of text. */
const OLD_ROWS = [
  `insert into organizations (id, name, billing, balance_micros, webhook_secret, created_at_ms)
   values ('org_1', '', 'prepaid', 145, '', 1)`,
  `insert into holds (id, organization_id, kind, user_id, day, task_id, amount_micros, state, created_at_ms,
     expires_at_ms, ended_at_ms)
   values ('hold_1', 'org_1', 'task', 'usr_1', '2023-11-14', 'task_1', 60, 'settled', 1, 2, 2)`,
  `insert into ledger_entries (id, organization_id, kind, amount_micros, hold_id, created_at_ms)
   values ('ent_1', 'org_1', 'credit', 100, null, 1), ('ent_2', 'org_1', 'credit', 50, null, 1),
     ('ent_3', 'org_1', 'settlement', -60, 'hold_1', 1), ('ent_4', 'org_1', 'refund', 60, 'hold_1', 1),
     ('ent_5', 'org_1', 'usage', -5, null, 1)`,
  `insert into text_usage (id, organization_id, user_id, api_key_id, model, day, input_tokens, cached_input_tokens,
     cache_write_tokens, output_tokens, cost_micros, outcome, duration_ms, entry_id, created_at_ms)
   values ('use_1', 'org_1', 'usr_1', 'key_1', 'm', '2023-11-14', 1, 0, 0, 1, 5, 'completed', 1, 'ent_5', 1)`,
  `insert into user_days (user_id, day, used_micros, version)
   values ('usr_1', '2023-11-14', 65, 4), ('usr_2', '2023-11-14', 0, 2)`,
  `insert into audit_events (id, at_ms, actor, action, organization_id, subject, detail)
   values ('aud_1', 1, 'gateway', 'demo.create', 'org_1', 'org_1', '{"credit_micros":100}'),
     ('aud_2', 1, 'cli', 'credit.add', 'org_1', 'org_1', '{"entry_id":"ent_2","amount_micros":50}'),
     ('aud_3', 1, 'cli', 'ledger.refund', 'org_1', 'task_1', '{"entry_id":"ent_4","amount_micros":60}'),
     ('aud_4', 1, 'cli', 'key.revoke', 'org_1', 'key_1', '{}')`,
]

async function expectSoundAfterwards(db: Kysely<Tables>, columns: ColumnTypes): Promise<void> {
  const known = Object.entries(migrationsWith(columns))
  for (const [name, { up }] of known) if (name < NAME) await up(db)
  for (const text of OLD_ROWS) await sql.raw(text).execute(db)
  for (const [name, { up }] of known) if (name >= NAME) await up(db)
  expect(await checkLedger(db, { nowMs: 1, limit: 10 })).toEqual({ violations: [], unchecked: [] })
  expect(await countUnmeasured(db)).toBe(2)
  const days = await db.selectFrom('user_days').selectAll().orderBy('user_id').execute()
  expect(days.map(({ used_micros, version }) => [used_micros, version])).toEqual([
    [5, 5],
    [0, 2],
  ])
}

test('a store from before is sound afterwards, on SQLite', async () => {
  const database = new DatabaseSync(':memory:')
  await expectSoundAfterwards(queryBuilder(database), SQLITE_COLUMNS)
  database.close()
})

test('and on PostgreSQL', async () => {
  const { url, drop } = await freshDatabase()
  const pool = new Pool({ connectionString: url, max: 1, types: VALUE_PARSERS })
  // Its end does not wait for its connections, and the drop ends those that are left.
  pool.on('error', () => {})
  await expectSoundAfterwards(
    new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    POSTGRES_COLUMNS,
  )
  await pool.end()
  await drop()
})

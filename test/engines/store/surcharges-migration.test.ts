import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { migratePostgres } from '../../../src/adapters/postgres/migrate.ts'
import { migrateSqlite } from '../../../src/adapters/sqlite/migrate.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'

/** Rows of an older store: the table is created again with its rows, its checks and its reference. */
const BEFORE = [
  "insert into models (model_id, name, created_at_ms) values (7, 'acme/m', 1)",
  "insert into model_prices (model_id, unit, resolution, price) values (7, 'second', '1080p', 0.350001)",
  "insert into model_prices (model_id, unit, price) values (7, 'input_token', 2)",
]
const SELECT =
  'select model_id, unit, resolution, video_input, audio, cast(price as text) as price from model_prices order by unit'
const WIDER = "insert into model_prices (model_id, unit, price) values (7, 'priority_tier', 1.75)"
const WRONG = "insert into model_prices (model_id, unit, price) values (7, 'dream_call', 1)"
const KEPT = [
  { model_id: 7, unit: 'input_token', resolution: '*', video_input: '*', audio: '*', price: '2' },
  { model_id: 7, unit: 'second', resolution: '1080p', video_input: '*', audio: '*', price: '0.350001' },
]

test('prices outlive the migration that widens their units, on SQLite', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-migrate-'))
  await migrateSqlite({ dataDir })
  const database = new DatabaseSync(join(dataDir, 'sluice.db'))
  for (const statement of [...BACK, NARROW, ...BEFORE]) database.exec(statement)
  database.close()
  expect(await migrateSqlite({ dataDir })).toEqual(['0015-surcharges'])
  const after = new DatabaseSync(join(dataDir, 'sluice.db'))
  expect(after.prepare(SELECT).all()).toEqual(KEPT)
  after.exec(WIDER)
  expect(() => after.exec(WRONG)).toThrow(/CHECK/)
  after.exec('pragma foreign_keys = on')
  after.exec('delete from models where model_id = 7')
  expect(after.prepare(SELECT).all()).toEqual([])
  after.close()
  rmSync(dataDir, { recursive: true })
})

test('prices outlive the migration that widens their units, on PostgreSQL', async () => {
  const { url, drop } = await freshDatabase()
  await migratePostgres({ url })
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const statement of [...BACK, NARROW, ...BEFORE]) await client.query(statement)
  expect(await migratePostgres({ url })).toEqual(['0015-surcharges'])
  expect((await client.query(SELECT)).rows).toEqual(KEPT)
  await client.query(WIDER)
  await expect(client.query(WRONG)).rejects.toThrow(/check/)
  await client.query('delete from models where model_id = 7')
  expect((await client.query(SELECT)).rows).toEqual([])
  await client.end()
  await drop()
})

/** Takes the migration back by hand. */
const BACK = [
  "delete from sluice_migrations where name = '0015-surcharges'",
  'drop table model_prices',
  'alter table models drop column fallback_price',
  'alter table models drop column long_context_tokens',
  'alter table text_usage drop column asked_model',
  'alter table text_usage drop column price_lines',
]
const COLUMNS =
  "unit text not null, resolution text not null default '*', video_input text not null default '*', audio text not null default '*', price numeric not null"
const NARROW = `create table model_prices (model_id integer not null references models (model_id) on delete cascade, ${COLUMNS}, primary key (model_id, unit, resolution, video_input, audio))`

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { migratePostgres } from '../../../src/adapters/postgres/migrate.ts'
import { migrateSqlite } from '../../../src/adapters/sqlite/migrate.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'

const NAME = '0065-erased-users'
const BACK = [
  `delete from sluice_migrations where name = '${NAME}'`,
  'alter table users drop column erased_at_ms',
]
const user = (id: string, name: string, disabledAtMs: number | 'null') =>
  `insert into users (id, organization_id, name, created_at_ms, disabled_at_ms) values ('${id}', 'org_1', '${name}', 1, ${disabledAtMs})`
const erasure = (id: string) =>
  `insert into audit_events (id, at_ms, actor, action, subject, detail) values ('aud_${id}', 5, 'cli', 'user.erase', '${id}', '{}')`
/** Only the first one is erased: the others are disabled, without a name, or enabled again. */
const BEFORE = [
  "insert into organizations (id, name, billing, webhook_secret, created_at_ms) values ('org_1', 'Acme', 'prepaid', 'whsec', 1)",
  ...[user('usr_1', '', 5), user('usr_2', '', 5), user('usr_3', 'Ada', 5), user('usr_4', '', 'null')],
  ...['usr_1', 'usr_3', 'usr_4'].map(erasure),
]
const SELECT = 'select id from users where erased_at_ms is not null'

test('users who were erased before are known as such, on SQLite', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-migrate-'))
  await migrateSqlite({ dataDir })
  const database = new DatabaseSync(join(dataDir, 'sluice.db'))
  for (const statement of [...BACK, ...BEFORE]) database.exec(statement)
  database.close()
  expect(await migrateSqlite({ dataDir })).toEqual([NAME])
  const after = new DatabaseSync(join(dataDir, 'sluice.db'))
  expect(after.prepare(SELECT).all()).toEqual([{ id: 'usr_1' }])
  after.close()
  rmSync(dataDir, { recursive: true })
})

test('users who were erased before are known as such, on PostgreSQL', async () => {
  const { url, drop } = await freshDatabase()
  await migratePostgres({ url })
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const statement of [...BACK, ...BEFORE]) await client.query(statement)
  expect(await migratePostgres({ url })).toEqual([NAME])
  expect((await client.query(SELECT)).rows).toEqual([{ id: 'usr_1' }])
  await client.end()
  await drop()
})

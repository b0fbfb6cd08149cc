import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migratePostgres } from '../../../src/adapters/postgres/migrate.ts'
import { migrateSqlite } from '../../../src/adapters/sqlite/migrate.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'

interface Engine {
  /** Runs statements in a store of this test, which is empty before. */
  run(statements: string): Promise<void>
  migrate(): Promise<string[]>
  /** Sorted lines about columns, constraints and indexes. */
  schema(): Promise<string[]>
}

const NEW = ['0080-demo', '0081-clips-of-assets', '0082-carried-budgets']
const ENGINES = { SQLite: openSqlite, PostgreSQL: openPostgres }

describe.each(Object.entries(ENGINES))('on %s', (name, open) => {
  const released = () => readFileSync(dumps[name as keyof typeof dumps], 'utf8')

  test('a store of 0.2.0 gets the tables of a new store', async () => {
    const [fresh, old] = [await open(), await open()]
    expect(await fresh.migrate()).toEqual(['0021-like-model', ...NEW])
    await old.run(released())
    expect(await old.migrate()).toEqual(NEW)
    expect(await old.schema()).toEqual(await fresh.schema())
    expect(await old.migrate()).toEqual([])
  })

  test('a store older than 0.2.0 is refused and stays unchanged', async () => {
    const store = await open()
    await store.run(released())
    await store.run("delete from sluice_migrations where name >= '0020'")
    const before = await store.schema()
    await expect(store.migrate()).rejects.toThrow(
      'This store is older than Sluice 0.2.0. Open it with Sluice 0.2.0 first, then with this one.',
    )
    expect(await store.schema()).toEqual(before)
  })

  test('a store with only some migrations of 0.3.0 is refused, and a store with all is accepted', async () => {
    const store = await open()
    await store.migrate()
    const insert = (names: string[]) =>
      `insert into sluice_migrations values ${names.map((each) => `('${each}', '2026-11-17')`).join(', ')}`
    await store.run(insert(['0001-tenants', '0022-usage-rollups', '0071-events']))
    expect(await store.migrate()).toEqual([])
    await store.run("delete from sluice_migrations where name = '0080-demo'")
    await expect(store.migrate()).rejects.toThrow(
      'This store is of an unreleased Sluice between 0.2.0 and 0.3.0. Restore a backup of a release.',
    )
  })

  test('copies of videos survive the migration that lets assets have copies', async () => {
    const store = await open()
    await store.migrate()
    const insert = () =>
      store.run(`insert into clips (id, task_id, organization_id, api_key_id, provider, model, kind, state, consent,
          created_at_ms, attempts_allowed, next_attempt_at_ms)
        values ('clip_1', 'task_1', 'org_1', 'key_1', 'vendorA', 'm', 'video', 'kept', 'none', 1, 1, 1)`)
    await insert()
    // Before the migration, the constraint of the table has this name.
    if (name === 'PostgreSQL')
      await store.run('alter table clips rename constraint clips_of_subject to clips_of_task')
    await store.run("delete from sluice_migrations where name = '0081-clips-of-assets'")
    expect(await store.migrate()).toEqual(['0081-clips-of-assets'])
    await expect(insert()).rejects.toThrow(/unique/i)
  })

  test('prices have known units, and are deleted with their model', async () => {
    const store = await open()
    await store.migrate()
    const price = (unit: string) =>
      store.run(`insert into model_prices (model_id, unit, price) values (7, '${unit}', 1.75)`)
    await store.run("insert into models (model_id, name, created_at_ms) values (7, 'acme/m', 1)")
    await price('priority_tier')
    await expect(price('dream_call')).rejects.toThrow(/check/i)
    await store.run('delete from models where model_id = 7')
    await expect(price('second')).rejects.toThrow(/foreign key/i)
  })
})

const dumps = {
  SQLite: new URL('../../fixtures/released-store/sqlite.sql', import.meta.url),
  PostgreSQL: new URL('../../fixtures/released-store/postgres.sql', import.meta.url),
}

async function openSqlite(): Promise<Engine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-migrate-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const using = <Result>(work: (database: DatabaseSync) => Result): Result => {
    const database = new DatabaseSync(join(dataDir, 'sluice.db'))
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  return {
    run: async (statements) => using((database) => database.exec(statements)),
    migrate: () => migrateSqlite({ dataDir }),
    schema: async () =>
      using((database) => {
        const objects = database.prepare('select type, name, sql from sqlite_master order by name').all()
        return objects.map(({ type, name, sql }) => {
          const parts = String(sql).replaceAll('"', '').toLowerCase().split(',').map(sortedWords)
          return `${name}: ${(type === 'table' ? parts.toSorted() : parts).join(', ')}`
        })
      }),
  }
}

/** Sorts the words, because the dump has columns and their clauses in another order. */
function sortedWords(text: string): string {
  return text
    .split(/[\s()]+/)
    .toSorted()
    .join(' ')
    .trim()
}

async function openPostgres(): Promise<Engine> {
  const { url, drop } = await freshDatabase()
  onTestFinished(drop)
  const query = async (text: string) => {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      return await client.query(text)
    } finally {
      await client.end()
    }
  }
  return {
    run: async (statements) => void (await query(statements)),
    migrate: () => migratePostgres({ url }),
    schema: async () => {
      const { rows } = await query(SCHEMA)
      return rows.map((row) => JSON.stringify(row))
    },
  }
}

const SCHEMA = `
  select table_name || '.' || column_name as name,
    concat_ws(' ', data_type, numeric_precision, numeric_scale, is_nullable, column_default, collation_name, generation_expression) as what
  from information_schema.columns where table_schema = 'public'
  union all
  select conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) from pg_constraint
  where connamespace = 'public'::regnamespace
  union all
  select tablename || '.' || indexname, indexdef from pg_indexes where schemaname = 'public'
  order by 1, 2`

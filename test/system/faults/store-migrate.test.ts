import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { migratePostgres } from '../../../src/adapters/postgres/migrate.ts'
import { migrationsWith } from '../../../src/adapters/sql/migrations/index.ts'
import { migrateSqlite, SQLITE_COLUMNS } from '../../../src/adapters/sqlite/migrate.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'
import { startStoreProgram } from './store-program.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 120_000 })

const NAMES = Object.keys(migrationsWith(SQLITE_COLUMNS))

describe('programs that migrate at the same time all succeed', () => {
  test('on SQLite', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sluice-migrate-'))
    const programs = Array.from({ length: 6 }, () => startStoreProgram('sqlite-beside', dataDir, 'open'))
    for (const program of programs) expect([await program.exitCode(), program.errors()]).toEqual([0, ''])
    const database = new DatabaseSync(join(dataDir, 'sluice.db'))
    const names = database.prepare('select name from sluice_migrations order by name').all()
    expect(names.map(({ name }) => name)).toEqual(NAMES)
    database.close()
    expect(await migrateSqlite({ dataDir })).toEqual([])
    rmSync(dataDir, { recursive: true })
  })

  test('on PostgreSQL', async () => {
    const { url, drop } = await freshDatabase()
    const programs = Array.from({ length: 6 }, () => startStoreProgram('postgres', url, 'open'))
    for (const program of programs) expect([await program.exitCode(), program.errors()]).toEqual([0, ''])
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query('select name from sluice_migrations order by name')
    expect(rows.map(({ name }) => name)).toEqual(NAMES)
    await client.end()
    expect(await migratePostgres({ url })).toEqual([])
    await drop()
  })
})

describe('a migration says what it did', () => {
  test('on SQLite', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sluice-migrate-'))
    expect(await migrateSqlite({ dataDir })).toEqual(NAMES)
    expect(await migrateSqlite({ dataDir })).toEqual([])
    rmSync(dataDir, { recursive: true })
  })

  test('on PostgreSQL', async () => {
    const { url, drop } = await freshDatabase()
    expect(await migratePostgres({ url })).toEqual(NAMES)
    expect(await migratePostgres({ url })).toEqual([])
    await drop()
  })
})

test('a migration that fails on SQLite leaves nothing half done', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-migrate-'))
  const path = join(dataDir, 'sluice.db')
  const operator = new DatabaseSync(path)
  operator.exec('create table models (mine)')
  await expect(migrateSqlite({ dataDir })).rejects.toThrow(/models/)
  const tables = operator
    .prepare("select name from sqlite_master where name in ('organizations', 'users')")
    .all()
  expect(tables).toEqual([])
  operator.exec('drop table models')
  expect(await migrateSqlite({ dataDir })).toEqual(NAMES)
  operator.close()
  rmSync(dataDir, { recursive: true })
})

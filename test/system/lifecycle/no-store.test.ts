import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { dataFolder } from './data-folder.ts'
import { runToItsEnd } from './run-to-its-end.ts'
import { scaledEnvironment } from './scaled-environment.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 120_000 })

const COMMANDS = [
  ['org', 'list'],
  ['org', 'create', '--name', 'A', '--prepaid'],
  ['ledger', 'check'],
  ['doctor'],
]

test.each(COMMANDS)('%s %s makes no store where none exists, and names the folder', async (...words) => {
  const dataDir = join(dataFolder(), 'data')
  const { code, output } = await runToItsEnd(words, { DATA_DIR: dataDir })
  expect(existsSync(dataDir)).toBe(false)
  expect(output).toContain(`There is no store in ${resolve(dataDir)}. "npx sluice migrate" makes one`)
  expect(code).toBe(words[0] === 'doctor' ? 0 : 1)
})

test('an existing folder stays empty', async () => {
  const dataDir = join(dataFolder(), 'data')
  mkdirSync(dataDir)
  expect(await runToItsEnd(['org', 'list'], { DATA_DIR: dataDir })).toMatchObject({ code: 1 })
  expect(readdirSync(dataDir)).toEqual([])
})

test.each(COMMANDS)('%s %s makes no table in an empty database', async (...words) => {
  const env = await scaledEnvironment()
  const { output } = await runToItsEnd(words, env)
  expect(output).toContain('This database has no Sluice store. "npx sluice migrate" makes one')
  const client = new Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  const { rows } = await client.query("select count(*)::int as n from pg_tables where schemaname = 'public'")
  await client.end()
  expect(rows).toEqual([{ n: 0 }])
})

test('after "migrate" commands work, and name their store', async () => {
  const dataDir = join(dataFolder(), 'data')
  expect(await runToItsEnd(['migrate'], { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
  expect(await runToItsEnd(['org', 'list'], { DATA_DIR: dataDir })).toMatchObject({
    code: 0,
    output: expect.stringContaining(`Store: SQLite in ${resolve(dataDir)}\n`),
  })
})

test('doctor writes nothing into an existing store', async () => {
  const dataDir = join(dataFolder(), 'data')
  const env = { DATA_DIR: dataDir, SANDBOX: 'on' }
  expect(await runToItsEnd(['migrate'], env)).toMatchObject({ code: 0 })
  const files = () => readdirSync(dataDir).map((name) => [name, readFileSync(join(dataDir, name), 'base64')])
  const before = files()
  expect(await runToItsEnd(['doctor'], env)).toMatchObject({ code: 0 })
  expect(files()).toEqual(before)
})

test('exported variables for clients do not disturb commands', async () => {
  const dataDir = join(dataFolder(), 'data')
  const exported = {
    SLUICE_URL: 'http://127.0.0.1:8080',
    SLUICE_API_KEY: 'sk-sluice-x',
    SLUICE_ADMIN_KEY: 'x',
  }
  expect(await runToItsEnd(['migrate'], { DATA_DIR: dataDir, ...exported })).toMatchObject({ code: 0 })
})

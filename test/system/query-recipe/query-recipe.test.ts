import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { dataFolder } from '../lifecycle/data-folder.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const run = promisify(execFile)
const REPOSITORY = join(import.meta.dirname, '../../..')

const PORT = 'src/ports/audit.ts'
const TABLE = 'src/adapters/sql/audit/audits.ts'

const METHODS = `export interface AuditStore {
  countBy(actor: string): Promise<number>
  renameActor(change: { from: string; to: string }): Promise<bigint>`

const STATEMENTS = `import { read } from '../statement.ts'
export const AUDIT = {
  countBy: read(async (db, actor) => {
    const rows = await db.selectFrom('audit_events').select('id').where('actor', '=', actor).execute()
    return rows.length
  }),
  renameActor: single(async (db, { from, to }) => {
    const change = db.updateTable('audit_events').set({ actor: to }).where('actor', '=', from)
    return (await change.executeTakeFirst()).numUpdatedRows
  }),`

let tree: string
beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'sluice-query-'))
  for (const part of ['package.json', 'tsconfig.json', 'types', 'src'])
    cpSync(join(REPOSITORY, part), join(tree, part), { recursive: true })
  symlinkSync(join(REPOSITORY, 'node_modules'), join(tree, 'node_modules'))
})
afterAll(() => rmSync(tree, { recursive: true, force: true }))

test('a method and its statement are a query, on both threads of SQLite', async () => {
  edit({ methods: METHODS, statements: STATEMENTS })
  expect(await compile()).toBe('')
  writeFileSync(join(tree, 'ask.ts'), ASK)
  const { stdout } = await run(process.execPath, ['ask.ts', dataFolder()], { cwd: tree })
  expect(JSON.parse(stdout)).toEqual({ before: 1, renamed: '1', after: 0 })
})

test.each([
  ['a method without a statement', { methods: METHODS }, /: countBy, renameActor/],
  ['a statement without a method', { statements: STATEMENTS }, /does not exist in type 'StatementsOf<Audit/],
  [
    'another signature',
    { methods: METHODS.replace('<number>', '<string>'), statements: STATEMENTS },
    /Type 'number' is not assignable to type 'string'/,
  ],
  [
    'an argument that may be left out',
    { methods: METHODS.replace('actor:', 'actor?:'), statements: STATEMENTS },
    /a method of a store has no optional argument/,
  ],
])('the compiler refuses %s', async (_what, edits, message) => {
  edit(edits)
  expect(await compile()).toMatch(message)
})

const ASK = `
import { openSqliteStore } from './src/adapters/sqlite/open-store.ts'
const log = { debug() {}, info() {}, warn() {}, error() {} }
const store = await openSqliteStore({ dataDir: process.argv[2], role: 'server', log })
await store.audit.add({
  id: 'aud_1', atMs: 1, actor: 'cli', action: 'credit.add', organizationId: null, subject: '', detail: {},
})
const before = await store.audit.countBy('cli')
const renamed = String(await store.audit.renameActor({ from: 'cli', to: 'gateway' }))
console.log(JSON.stringify({ before, renamed, after: await store.audit.countBy('cli') }))
await store.close()
`

/** The two edits of the recipe, each in the file as it is. */
function edit({ methods = '', statements = '' }: { methods?: string; statements?: string }): void {
  insert(PORT, 'export interface AuditStore {', methods)
  insert(TABLE, 'export const AUDIT = {', statements)
}

function insert(path: string, line: string, withMore: string): void {
  const text = readFileSync(join(REPOSITORY, path), 'utf8')
  expect(text).toContain(line)
  writeFileSync(join(tree, path), withMore === '' ? text : text.replace(line, withMore))
}

/** Errors of the compiler for the store, with the options of the project. */
async function compile(): Promise<string> {
  const path = join(tree, 'tsconfig.store.json')
  const files = ['src/adapters/sql/store-on.ts']
  writeFileSync(path, JSON.stringify({ extends: './tsconfig.json', include: ['types'], files }))
  const call = ['node_modules/typescript/bin/tsc', '-p', path]
  // A compiler that refuses says why on its standard output.
  const { stdout } = await run(process.execPath, call, { cwd: tree }).catch((error) => error)
  return stdout
}

import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const MAKE = `await (await import('./bin/make-bundle.js')).makeBundle()`
const TELL = `
const { programUrl } = await import('./bin/program.js')
const { main } = await import(programUrl('main'))
console.log(JSON.stringify({ isBundle: programUrl('main').href.includes('.cache'), said: await main() }))
`

const { ENTRIES } = await import(new URL('../../../bin/program.js', import.meta.url).href)
let tree: string

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'sluice-bundle-'))
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }))
  cpSync(join(REPOSITORY, 'bin'), join(tree, 'bin'), { recursive: true })
  writeFileSync(join(tree, 'package.json'), '{ "type": "module" }')
  mkdirSync(join(tree, 'node_modules'))
  symlinkSync(join(REPOSITORY, 'node_modules/rolldown'), join(tree, 'node_modules/rolldown'))
  write('src/main.ts', `import { word } from './word.ts'\nexport const main = (): string => word`)
  write('src/word.ts', `export const word: string = 'one'`)
  for (const entry of Object.values<string>(ENTRIES)) if (entry !== 'src/main.ts') write(entry, 'export {}')
})

test('a bundle is used once it is made', async () => {
  expect(await tell()).toEqual({ isBundle: false, said: 'one' })
  await node(MAKE)
  expect(await tell()).toEqual({ isBundle: true, said: 'one' })
})

test('a source that changed after the bundle runs, and the next bundle has it', async () => {
  await node(MAKE)
  // The length stays, so that only the time shows the change.
  write('src/word.ts', `export const word: string = 'two'`, new Date())
  expect(await tell()).toEqual({ isBundle: false, said: 'two' })
  await node(MAKE)
  expect(await tell()).toEqual({ isBundle: true, said: 'two' })
})

test('an older source of another length replaces the bundle', async () => {
  await node(MAKE)
  write('src/word.ts', `export const word: string = 'three'`)
  expect(await tell()).toEqual({ isBundle: false, said: 'three' })
})

test('a bundle with a deleted source is not used', async () => {
  await node(MAKE)
  write('src/main.ts', `export const main = (): string => 'alone'`)
  rmSync(join(tree, 'src/word.ts'))
  expect(await tell()).toEqual({ isBundle: false, said: 'alone' })
})

test('a copy of the tree that shares the dependencies runs its own sources', async () => {
  await node(MAKE)
  const copy = mkdtempSync(join(tmpdir(), 'sluice-bundle-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  for (const part of ['bin', 'src', 'package.json']) {
    cpSync(join(tree, part), join(copy, part), { recursive: true, preserveTimestamps: true })
  }
  symlinkSync(join(tree, 'node_modules'), join(copy, 'node_modules'))
  expect(await tell(copy)).toEqual({ isBundle: false, said: 'one' })
})

test.each([
  [
    'text, templates, patterns and names',
    "'—€😀é' + `→←` + /^[一-龥😀]$/u.test('😀') + ((naïveΩ: string) => naïveΩ)('ω')",
  ],
  ['text behind a backslash', "'\\—'"],
])('characters of %s are the same in a bundle', async (_where, spelled) => {
  write('src/word.ts', `export const word: string = ${spelled}`)
  const before = await tell()
  await node(MAKE)
  expect(before).toMatchObject({ isBundle: false })
  expect(await tell()).toEqual({ ...Object(before), isBundle: true })
})

test('a bundle reads of a module of Node only the exports that it uses', async () => {
  const isLoaded = `Reflect.get(process, 'moduleLoadList').includes('NativeModule internal/deps/undici/undici')`
  write(
    'src/main.ts',
    `import { STATUS_CODES } from 'node:http'\nexport const main = () => [STATUS_CODES[200], ${isLoaded}]`,
  )
  expect(await tell()).toEqual({ isBundle: false, said: ['OK', true] })
  await node(MAKE)
  expect(await tell()).toEqual({ isBundle: true, said: ['OK', false] })
})

test('a stack trace of a bundle names the lines of the sources', async () => {
  write(
    'src/word.ts',
    `export const traces: unknown[] = []\n\nexport function note(text: string): void {
  traces.push(new Error(text).stack)
  traces.push(text)
}`,
  )
  write(
    'src/main.ts',
    `import { note, traces } from './word.ts'\n\nexport function main(): unknown {
  note('one')
  return traces
}`,
  )
  await node(MAKE)
  const said = await node(`process.setSourceMapsEnabled(true)${TELL}`)
  expect(said).toMatch(/"isBundle":true.*\/src\/word\.ts:4:.*\/src\/main\.ts:4:/)
})

test('without a bundler the sources run', async () => {
  rmSync(join(tree, 'node_modules/rolldown'))
  await promisify(execFile)(process.execPath, ['bin/warm-up.js'], { cwd: tree })
  expect(await tell()).toEqual({ isBundle: false, said: 'one' })
})

/** Writes a file that is a minute old by default, because a newer one makes the bundle wait. */
function write(path: string, text: string, at = new Date(Date.now() - 60_000)): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
  utimesSync(join(tree, path), at, at)
}

async function tell(cwd = tree): Promise<unknown> {
  return JSON.parse(await node(TELL, cwd))
}

async function node(script: string, cwd = tree): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script.replaceAll("'./bin/", `'${cwd}/bin/`)],
    { cwd },
  )
  return stdout
}

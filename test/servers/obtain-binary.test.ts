import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { obtainBinary } from './obtain-binary.ts'

const WANTED = {
  binaries: ['sluice-no-such-server'],
  debianPackage: 'no-such-package',
  homebrewPackage: 'no-such-formula',
  variable: 'TEST_NOTHING_URL',
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-test-obtain-'))
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

function addProgram(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
}

test('uses a program in PATH', () => {
  addProgram('sluice-no-such-server', 'exit 0')
  vi.stubEnv('PATH', folder)
  expect(obtainBinary(WANTED)).toBe(join(folder, 'sluice-no-such-server'))
})

test('names the package and the variable where nothing can be installed', () => {
  vi.stubEnv('PATH', folder)
  expect(() => obtainBinary(WANTED)).toThrow(
    /sluice-no-such-server.*\n.*apt-get install no-such-package.*\n.*TEST_NOTHING_URL/,
  )
})

test('names no variable for a program that is no server', () => {
  vi.stubEnv('PATH', folder)
  const { variable: _none, ...program } = WANTED
  expect(() => obtainBinary(program)).toThrow(/Install it \(.*no-such-formula\)\.$/)
})

test('installs the package if allowed, and reports it', () => {
  addProgram('sudo', 'shift; exec "$@"')
  addProgram(
    'apt-get',
    `case "$*" in
      *install*no-such-package*) cp "$0" "${folder}/sluice-no-such-server";;
    esac`,
  )
  vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`)
  expect(obtainBinary(WANTED)).toBe(join(folder, 'sluice-no-such-server'))
  expect(process.stderr.write).toHaveBeenCalledWith(expect.stringContaining('no-such-package'))
})

test('two simultaneous installations do not disturb each other', async () => {
  addProgram('sudo', 'shift; exec "$@"')
  addProgram(
    'apt-get',
    `mkdir "${folder}/busy" || exit 100
    sleep 0.3
    rmdir "${folder}/busy"
    case "$*" in
      *install*) cp "$0" "${folder}/sluice-no-such-server";;
    esac`,
  )
  const script = `const { obtainBinary } = await import(${JSON.stringify(import.meta.resolve('./obtain-binary.ts'))})
  console.log(obtainBinary(${JSON.stringify(WANTED)}))`
  const environment = { ...process.env, PATH: `${folder}:/usr/bin:/bin` }
  const obtain = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env: environment })
  const both = await Promise.all([obtain(), obtain()])
  expect(both.map(({ stdout }) => stdout)).toEqual(Array(2).fill(`${folder}/sluice-no-such-server\n`))
})

test('reports why the installation failed', () => {
  addProgram('sudo', 'shift; exec "$@"')
  addProgram('apt-get', 'exit 100')
  vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`)
  expect(() => obtainBinary(WANTED)).toThrow(/apt-get failed/)
})

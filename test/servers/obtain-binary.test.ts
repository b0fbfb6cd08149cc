import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

test('takes what is in PATH', () => {
  addProgram('sluice-no-such-server', 'exit 0')
  vi.stubEnv('PATH', folder)
  expect(obtainBinary(WANTED)).toBe(join(folder, 'sluice-no-such-server'))
})

test('says how to get it where nothing can be installed', () => {
  vi.stubEnv('PATH', folder)
  expect(() => obtainBinary(WANTED)).toThrow(
    /sluice-no-such-server.*\n.*apt-get install no-such-package.*\n.*TEST_NOTHING_URL/,
  )
})

test('names no variable for what is no server', () => {
  vi.stubEnv('PATH', folder)
  const { variable: _none, ...program } = WANTED
  expect(() => obtainBinary(program)).toThrow(/Install it \(.*no-such-formula\)\.$/)
})

test('installs the package where it may, and says so', () => {
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

test('tells why installing failed', () => {
  addProgram('sudo', 'shift; exec "$@"')
  addProgram('apt-get', 'exit 100')
  vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`)
  expect(() => obtainBinary(WANTED)).toThrow(/apt-get failed/)
})

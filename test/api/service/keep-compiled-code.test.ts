import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the flag is one that this Node knows', () => {
  const program = `
    const { keepCompiledCode } = await import(${JSON.stringify(new URL('../../../src/process/serve-until-signal.ts', import.meta.url).href)})
    keepCompiledCode()`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the flags are ones that this Node knows', () => {
  const program = `
    const { tuneEngine } = await import(${JSON.stringify(new URL('../../../src/process/serve-until-signal.ts', import.meta.url).href)})
    tuneEngine()`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

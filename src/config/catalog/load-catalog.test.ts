import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { explainError } from '../../cli/run-command-line.ts'
import { loadCatalog } from './load-catalog.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-catalog-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const reported = (path: string) => {
  try {
    loadCatalog(path)
  } catch (error) {
    return explainError(error)
  }
  return 'nothing'
}

test('reads a file', () => {
  const path = join(folder, 'good.yaml')
  writeFileSync(path, 'models: [{ model_id: 1, name: a/b }]')
  expect(loadCatalog(path)).toMatchObject([{ modelId: 1, name: 'a/b' }])
})

test('reports all faults, and changes nothing', () => {
  const path = join(folder, 'bad.yaml')
  writeFileSync(path, 'models: [{ model_id: 0, name: ab }]')
  expect(reported(path)).toBe(
    [
      'bad.yaml has 2 faults; nothing was changed:',
      '  bad.yaml:1:22 models.0.model_id: "0" is below 1.',
      '    Use a whole number from 1 to 2147483647.',
      '  bad.yaml:1:31 models.0.name: "ab" has no slash.',
      '    Use a name of the form provider/model, such as vendorC/model-4.1.',
    ].join('\n'),
  )
})

test('reports a missing file', () => {
  expect(reported(join(folder, 'none.yaml'))).toMatch(
    /^none\.yaml has a fault; .*\n.*none\.yaml: there is no such file\./,
  )
  expect(reported(folder)).toMatch(/it is a folder\./)
})

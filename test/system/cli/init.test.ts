import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { realServices } from '../../../src/cli/services.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { loadCatalog } from '../../../src/config/catalog/load-catalog.ts'
import { run } from './run.ts'

const services = realServices
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-init-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('init without a preset lists the presets and writes nothing', async () => {
  const { exitCode, result } = await run(['init', '--dir', folder], services)
  expect(exitCode).toBe(0)
  expect(result).toMatch(/^openai +OpenAI +OPENAI_API_KEY +\d+ +20\d\d-\d\d-\d\d$/m)
  expect(result).toContain('sluice init --preset')
  expect(readdirSync(folder)).toEqual([])
  const json = JSON.parse((await run(['init', '--json'], services)).result)
  expect(json).toContainEqual(
    expect.objectContaining({
      name: 'ollama',
      variable: null,
      prices_taken: null,
      models: ['ollama/llama3.2'],
    }),
  )
})

test('init --preset writes a providers file and a catalog that load, and says what to run', async () => {
  const dir = join(folder, 'new')
  const words = ['init', '--preset', 'openai, anthropic,openai', '--dir', dir]
  const { exitCode, result } = await run(words, services)
  expect(exitCode).toBe(0)
  expect(result).toContain(`sluice apply ${join(dir, 'catalog.yaml')}`)
  expect(result).toContain('export ANTHROPIC_API_KEY=')
  expect(result).toMatch(/taken 20\d\d-\d\d-\d\d\): check them first/)
  const { providers } = readConfig({
    environment: { SLUICE_CONFIG: 'sluice.yaml', OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' },
    readFile: (name) => readFileSync(join(dir, name), 'utf8'),
  })
  const served = providers.flatMap(({ name, models }) =>
    [...(models?.keys() ?? [])].map((own) => `${name}/${own}`),
  )
  const listed = loadCatalog(join(dir, 'catalog.yaml')).map(({ name }) => name)
  expect(served.toSorted()).toEqual(listed.toSorted())
})

test.each(['sluice.yaml', 'catalog.yaml'])(
  'init writes nothing where there is a %s, except with --force',
  async (name) => {
    writeFileSync(join(folder, name), 'mine')
    const words = ['init', '--preset', 'ollama', '--dir', folder]
    const refused = await run(words, services)
    expect(refused).toMatchObject({ exitCode: 1, result: '', notice: expect.stringContaining('--force') })
    expect(readdirSync(folder)).toEqual([name])
    expect(readFileSync(join(folder, name), 'utf8')).toBe('mine')
    expect(await run([...words, '--force'], services)).toMatchObject({ exitCode: 0 })
    expect(readFileSync(join(folder, name), 'utf8')).toContain('ollama')
  },
)

test.each([
  ['opena', 'Did you mean openai?'],
  ['openai,', 'There is no preset "".'],
  ['nothing-like-it', 'There are anthropic, deepseek'],
])('init --preset %s is a fault of usage', async (preset, fault) => {
  const { exitCode, notice } = await run(['init', '--preset', preset, '--dir', folder], services)
  expect(exitCode).toBe(2)
  expect(notice).toContain(fault)
  expect(readdirSync(folder)).toEqual([])
})

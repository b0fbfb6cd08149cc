import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

test('init --preset writes a providers file and a catalog that load, and names the next command', async () => {
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

test('every preset makes files that load, and byteplus speaks the API of family A', async () => {
  const presets: { name: string; variable: string | null; models: string[] }[] = JSON.parse(
    (await run(['init', '--json'], services)).result,
  )
  const names = presets.map(({ name }) => name)
  expect((await run(['init', '--preset', names.join(), '--dir', folder], services)).exitCode).toBe(0)
  const keys = presets.flatMap(({ variable }) => (variable === null ? [] : [[variable, 'k']]))
  const { providers } = readConfig({
    environment: { SLUICE_CONFIG: 'sluice.yaml', ...Object.fromEntries(keys) },
    readFile: (name) => readFileSync(join(folder, name), 'utf8'),
  })
  expect(providers.map(({ name }) => name).toSorted()).toEqual(names)
  expect(providers.find(({ name }) => name === 'byteplus')?.driver).toBe('vendor-a')
  const listed = loadCatalog(join(folder, 'catalog.yaml')).map(({ name }) => name)
  expect(listed.toSorted()).toEqual(presets.flatMap(({ models }) => models).toSorted())
})

const OWN_PROVIDERS = `# mine
providers:
  # our own
  acme: { driver: text, base_url: "https://acme.example", api_key: \${ACME_KEY}, models: { m: chat } }
  openai: { driver: text, base_url: "https://proxy.example", api_key: k, models: { gpt-5: chat } }
`
const OWN_CATALOG = `models:
  - { model_id: 1101, name: acme/m, prices: [] } # ours
  - model_id: 7001
    name: openai/gpt-5
    prices: [{ unit: input_token, usd_per_million: 9 }, { unit: output_token, usd_per_million: 9 }]
`

test('init adds a preset to existing files: their rows and comments stay', async () => {
  writeFileSync(join(folder, 'sluice.yaml'), OWN_PROVIDERS)
  writeFileSync(join(folder, 'catalog.yaml'), OWN_CATALOG)
  const words = ['init', '--preset', 'openai,anthropic', '--dir', folder]
  const { exitCode, result } = await run(words, services)
  expect(exitCode).toBe(0)
  expect(result).toContain(
    `Left as they were: openai in ${join(folder, 'sluice.yaml')}, openai/gpt-5 in ${join(folder, 'catalog.yaml')}.`,
  )
  const [providers, catalog] = ['sluice.yaml', 'catalog.yaml'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  )
  for (const line of OWN_PROVIDERS.trimEnd().split('\n')) expect(providers).toContain(line)
  expect(catalog).toContain('# ours')
  const rows = loadCatalog(join(folder, 'catalog.yaml'))
  expect(rows.find(({ name }) => name === 'openai/gpt-5')?.prices?.[0]?.priceMicros).toBe(9_000_000)
  expect(rows.find(({ name }) => name === 'anthropic/claude-sonnet-4-5')?.modelId).toBe(7002)
  expect(rows.map(({ name }) => name)).toContain('openai/gpt-5-mini')
  const again = await run(words, services)
  expect(again.exitCode).toBe(0)
  expect(readFileSync(join(folder, 'catalog.yaml'), 'utf8')).toBe(catalog)
  expect(readFileSync(join(folder, 'sluice.yaml'), 'utf8')).toBe(providers)
})

test('init fills the files of init --compose', async () => {
  await run(['init', '--compose', '--dir', folder], services)
  expect(await run(['init', '--preset', 'ollama', '--dir', folder], services)).toMatchObject({ exitCode: 0 })
  expect(readFileSync(join(folder, 'sluice.yaml'), 'utf8')).toMatch(/^providers:\n( +#.*\n)? +ollama:\n/m)
})

test.each(['sluice.yaml', 'catalog.yaml'])(
  'init writes nothing if %s cannot be read, except with --force',
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

test.each<[string[], number, RegExp]>([
  [[], 1_250_000, /They equal the vendor's: you earn nothing/],
  [['--markup', '20'], 1_500_000, /They are 20 % above the vendor's\./],
  [['--markup', '0.01'], 1_250_125, /They are 0\.01 % above/],
])('init %j charges %i micro-USD for a million tokens that cost 1,250,000', async (more, resale, note) => {
  const { result } = await run(['init', '--preset', 'openai', '--dir', folder, ...more], services)
  expect(result).toMatch(note)
  const row = loadCatalog(join(folder, 'catalog.yaml')).find(({ name }) => name === 'openai/gpt-5')
  const priceOf = (unit: string, rows = row?.prices) =>
    rows?.find((price) => price.unit === unit)?.priceMicros
  expect(priceOf('input_token')).toBe(resale)
  expect(priceOf('input_token', row?.vendorPrices)).toBe(1_250_000)
  expect(priceOf('long_context_input')).toBe(1_000_000)
  expect(row?.pricesTaken).toMatch(/^20\d\d-\d\d-\d\d$/)
})

test('init reports prices of new models only, when the catalog has others', async () => {
  const init = async (...more: string[]) =>
    (await run(['init', '--dir', folder, '--preset', ...more], services)).result
  await init('openai', '--markup', '20')
  expect(await init('openai', '--markup', '30')).toMatch(
    /others in \S+catalog\.yaml\.\nNo model is new: the prices in catalog\.yaml stay as they were\.\n/,
  )
  const row = loadCatalog(join(folder, 'catalog.yaml')).find(({ name }) => name === 'openai/gpt-5')
  expect(row?.prices?.find(({ unit }) => unit === 'input_token')?.priceMicros).toBe(1_500_000)
  expect(await init('anthropic')).toMatch(
    /\(those of new models taken [\d-]+\): check them first\. These equal the vendor's/,
  )
})

test('init --markup with a word is a usage error', async () => {
  const { exitCode } = await run(
    ['init', '--preset', 'openai', '--dir', folder, '--markup', 'much'],
    services,
  )
  expect(exitCode).toBe(2)
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['opena', 'Did you mean openai?'],
  ['openai,', 'There is no preset "".'],
  ['nothing-like-it', 'There are anthropic, byteplus, deepseek'],
])('init --preset %s is a usage error', async (preset, fault) => {
  const { exitCode, notice } = await run(['init', '--preset', preset, '--dir', folder], services)
  expect(exitCode).toBe(2)
  expect(notice).toContain(fault)
  expect(readdirSync(folder)).toEqual([])
})

test('the files of init contain commands that can be pasted, and keep comments of others', async () => {
  const [own, merged, compose] = ['own', 'merged', 'compose'].map((name) => join(folder, name))
  const read = (dir = '', name = '') => readFileSync(join(dir, name), 'utf8')
  const write = (...words: string[]) => run(['init', ...words], services, { program: 'npx sluice' })
  await write('--preset', 'openai', '--dir', String(own))
  expect(read(own, 'sluice.yaml')).toContain('# Written by "npx sluice init --preset openai".')
  expect(read(own, 'catalog.yaml')).toContain('for "npx sluice apply".')
  await write('--compose', '--dir', String(compose))
  expect(read(compose, 'sluice.yaml')).toContain('"npx sluice init --preset openai" shows how')
  mkdirSync(String(merged))
  writeFileSync(join(String(merged), 'sluice.yaml'), '# Ask Ana before "sluice apply".\nproviders: {}\n')
  await write('--preset', 'openai', '--dir', String(merged))
  expect(read(merged, 'sluice.yaml')).toContain('# Ask Ana before "sluice apply".')
})

test('init --compose writes a compose.yaml for an image, and keeps one that builds it', async () => {
  const write = async () => (await run(['init', '--compose', '--dir', folder], services)).result
  const path = join(folder, 'compose.yaml')
  const printed = await write()
  expect(printed).toContain('  echo SLUICE_IMAGE=... >> .env\n  docker compose up -d\n')
  expect(printed).toContain(
    '  sluice init --preset openai\n  echo OPENAI_API_KEY=... >> .env\n  docker compose up -d --force-recreate sluice\n  docker compose exec -T sluice sluice apply - < catalog.yaml\n',
  )
  // zsh takes a comment for words of the command.
  expect(printed).not.toContain('#')
  expect(readFileSync(path, 'utf8')).toMatch(/^ {4}image: \$\{SLUICE_IMAGE:-sluice\}$/m)
  expect(readFileSync(path, 'utf8')).not.toContain('build')
  // The file has no build on the second run either.
  expect((await write()).replace(/^.*\n/, '')).toBe(printed.replace(/^.*\n/, ''))
  const own = 'services:\n  sluice:\n    build: .\n'
  writeFileSync(path, own)
  expect(await write()).toContain('  docker compose up --build -d\n')
  expect(readFileSync(path, 'utf8')).toBe(own)
})

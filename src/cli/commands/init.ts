import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { mergeCatalog, mergeProviders } from '../../config/presets/merge-presets.ts'
import { loadPresets, type Preset } from '../../config/presets/presets.ts'
import { pasteable } from '../../config/program-name.ts'
import { closestName } from '../../domain/closest-name.ts'
import { formatTable } from '../present/format-table.ts'
import type { Services } from '../services.ts'
import type { Verb } from '../verb.ts'

interface InitOptions {
  preset?: string
  dir: string
  force?: true
  markup?: number
  compose?: true
}

export const init: Verb = {
  path: 'init',
  usage: '[--preset <names> [--markup <percent>] | --compose] [--dir <folder>] [--force] [--json]',
  summary:
    'Write sluice.yaml and catalog.yaml for real vendors, from presets with models and prices, or add to the files that are there; with --compose what "docker compose up" needs. Without either it lists the presets.',
  example: 'sluice init --preset openai,anthropic',
  next: 'export the keys it names, then: sluice migrate && sluice apply catalog.yaml && sluice doctor',
  define(command, { services, program, print }) {
    command
      .option('--preset <names>', 'the vendors, by the names of their presets, with commas between them')
      .option('--dir <folder>', 'where the files are written', '.')
      .option('--markup <percent>', 'charge so much more than the vendor, such as 20', readPercent)
      .option('--force', 'replace files that are there instead of adding to them')
      .option(
        '--compose',
        'write .env with new secrets, compose.yaml and an empty sluice.yaml; none is ever replaced',
      )
      .action(({ preset, dir, force, markup, compose }: InitOptions) => {
        if (compose) {
          if (preset !== undefined) command.error('--compose and --preset cannot be combined: run init twice')
          const files = writeComposeFiles(dir, program, services)
          const steps = composeSteps(dir, BUILD.test(services.readFile(join(dir, 'compose.yaml'))))
          const lines = [
            ...[...sentence('Written', files.written), ...sentence('Left as they are', files.kept)],
            ...['Next, with the image of a release or your own:', ...steps.next.map(indent)],
            ...['Later, to replace the sandbox by a vendor:', ...steps.later.map(indent)],
          ]
          print({ json: { ...files, ...steps }, text: lines.join('\n') })
          return
        }
        const presets = loadPresets()
        if (preset === undefined) {
          print({
            json: presets.map(({ name, title, variable = null, prices, models }) => ({
              name,
              title,
              variable,
              prices_taken: prices?.taken ?? null,
              models,
            })),
            text: listPresets(presets),
          })
          return
        }
        const chosen = choose(preset, presets, (fault) => command.error(fault))
        const existing = (name: string) => {
          const path = join(dir, name)
          return force || !services.hasFile(path)
            ? undefined
            : { name: path, source: services.readFile(path) }
        }
        // Both files are merged before either is written, because one file alone is of no use.
        const providers = mergeProviders(chosen, existing('sluice.yaml'))
        const catalog = mergeCatalog(chosen, { existing: existing('catalog.yaml'), markupPercent: markup })
        const hasOlderRows = existing('catalog.yaml') !== undefined
        const files = [
          { path: join(dir, 'sluice.yaml'), isNew: existing('sluice.yaml') === undefined, ...providers },
          { path: join(dir, 'catalog.yaml'), isNew: !hasOlderRows, ...catalog },
        ]
        const written = files.map(({ path }) => path)
        for (const { path, text, isNew } of files)
          services.writeFile(path, isNew ? pasteable(text, program) : text)
        const kept = files.flatMap(({ path, kept: names }) => names.map((name) => `${name} in ${path}`))
        const variables = chosen.flatMap(({ variable }) => variable ?? [])
        const steps = nextSteps(written, variables, dir)
        print({
          json: { written, kept, variables, next: steps },
          text: [
            `Written: ${written.join(', ')}.`,
            ...sentence('Left as they were', files.flatMap(inShort)),
            ...pricesNote(chosen, { markup, hasOlderRows, kept: catalog.kept }),
            'Next:',
            ...steps.map(indent),
          ].join('\n'),
        })
      })
  },
}

function listPresets(presets: readonly Preset[]): string {
  const rows = presets.map(({ name, title, variable, prices, models }) => ({
    PRESET: name,
    VENDOR: title,
    KEY: variable ?? '-',
    MODELS: String(models.length),
    PRICES: prices?.taken ?? '-',
  }))
  return `${formatTable(rows, { none: 'There is no preset.' })}\n\nChoose with: sluice init --preset openai,anthropic`
}

function choose(wanted: string, presets: readonly Preset[], refuse: (fault: string) => never): Preset[] {
  const names = wanted.split(',').map((name) => name.trim())
  return [...new Set(names)].map((name) => {
    const found = presets.find((preset) => preset.name === name)
    if (found !== undefined) return found
    const known = presets.map((preset) => preset.name)
    const meant = closestName(name, known)
    return refuse(
      `There is no preset "${name}". ${meant === undefined ? `There are ${known.join(', ')}.` : `Did you mean ${meant}?`}`,
    )
  })
}

function pricesNote(
  chosen: readonly Preset[],
  given: { markup: number | undefined; hasOlderRows: boolean; kept: readonly string[] },
): string[] {
  const { markup, hasOlderRows, kept } = given
  if (chosen.every(({ models }) => models.every((name) => kept.includes(name))))
    return ['No model is new: the prices in catalog.yaml stay as they were.']
  const oldest = chosen
    .flatMap(({ prices }) => prices?.taken ?? [])
    .sort()
    .at(0)
  if (oldest === undefined) return ['Customers are charged by the prices in catalog.yaml: check them first.']
  const [those, they] = hasOlderRows ? ['those of new models taken', 'These'] : ['taken', 'They']
  const resale =
    markup === undefined
      ? `${they} equal the vendor's: you earn nothing (--markup 20 charges 20 % more).`
      : `${they} are ${markup} % above the vendor's.`
  return [
    `Customers are charged by the prices in catalog.yaml (${those} ${oldest}): check them first. ${resale}`,
  ]
}

function readPercent(text: string): number {
  if (/^\d{1,4}(\.\d{1,2})?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Write a number of percent with at most two decimals, such as 20.')
}

function nextSteps(written: readonly string[], variables: readonly string[], dir: string): string[] {
  const [providers = '', catalog = ''] = written
  return [
    ...variables.map((variable) => `export ${variable}=...`),
    ...(dir === '.' ? [] : [`export SLUICE_CONFIG=${providers}`]),
    'sluice migrate',
    `sluice apply ${catalog}`,
    'sluice doctor',
    'sluice serve',
  ]
}

function sentence(start: string, paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`${start}: ${paths.join(', ')}.`]
}

/** Describes the names that a file had before; of more than three it shows the first. */
function inShort({ path, kept }: { path: string; kept: readonly string[] }): string[] {
  const [first] = kept
  return kept.length > 3
    ? [`${first} and ${kept.length - 1} others in ${path}`]
    : kept.map((name) => `${name} in ${path}`)
}

function indent(line: string): string {
  return `  ${line}`
}

const COMPOSE_FILE = join(import.meta.dirname, '../../../compose.yaml')

/** Writes files for `docker compose up`. Existing files stay, because `.env` may have the secret of stored data. */
function writeComposeFiles(
  dir: string,
  program: string,
  { hasFile, writeFile, randomSecret }: Pick<Services, 'hasFile' | 'writeFile' | 'randomSecret'>,
): { written: string[]; kept: string[] } {
  const files = [
    { path: join(dir, '.env'), text: environment(randomSecret), mode: 0o600 },
    // The container's user, who is not the owner of the file, has to read it.
    { path: join(dir, 'sluice.yaml'), text: pasteable(NO_PROVIDERS, program), mode: 0o644 },
    { path: join(dir, 'compose.yaml'), text: composeFile(), mode: 0o644 },
  ]
  const kept = files.filter(({ path }) => hasFile(path))
  const missing = files.filter((file) => !kept.includes(file))
  for (const { path, text, mode } of missing) writeFile(path, text, mode)
  return { written: missing.map(({ path }) => path), kept: kept.map(({ path }) => path) }
}

const BUILD = /^ +build:.*\n/m

/** Removes the build of the image, which needs a clone of the repository. */
function composeFile(): string {
  return readFileSync(COMPOSE_FILE, 'utf8').replace(BUILD, '').replace('up --build', 'up')
}

function environment(randomSecret: () => string): string {
  return `# Settings of compose.yaml. Keep a copy: without SLUICE_SECRET the stored data cannot be read.
SLUICE_SECRET=${randomSecret()}
POSTGRES_PASSWORD=${randomSecret()}
# Signs in to the console at http://127.0.0.1:8080/console, and is sent as X-Admin-Key.
ADMIN_API_KEY=${randomSecret()}
# Vendors that make up replies, until sluice.yaml has a provider. Then remove this line.
SANDBOX=on
`
}

const NO_PROVIDERS = `# Providers. "sluice init --preset openai" shows how one is written; docs/configuration.md has every key.
# Keys stand in .env: \${NAME} takes the variable NAME.
providers: {}
`

/** The commands have no comments, because zsh would run them. `later` replaces the sandbox by a vendor. */
function composeSteps(dir: string, hasBuild: boolean): { next: string[]; later: string[] } {
  const start = `docker compose up ${hasBuild ? '--build ' : ''}-d`
  return {
    next: [
      ...(dir === '.' ? [] : [`cd ${dir}`]),
      ...(hasBuild ? [] : ['echo SLUICE_IMAGE=... >> .env']),
      start,
      'docker compose exec sluice sluice doctor',
      'docker compose exec sluice sluice org create --name first --prepaid',
    ],
    later: [
      'sluice init --preset openai',
      'echo OPENAI_API_KEY=... >> .env',
      `${start} --force-recreate sluice`,
      'docker compose exec -T sluice sluice apply - < catalog.yaml',
    ],
  }
}

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writePage } from '../reliability/page.ts'
import { readRecords } from '../reliability/record.ts'
import { DRIVERS } from '../src/adapters/providers/drivers.ts'
import type { ConfigField, ConfigFields } from '../src/config/read-fields.ts'
import { SETTING_GROUPS, SETTINGS, type Setting } from '../src/config/settings/settings.ts'
import { LOSSES } from '../src/llm/canonical/losses.ts'
import { billingCasesPage } from './billing-cases-page.ts'
import { compatibilityPage, readCompatibilityRecords } from './compatibility/page.ts'
import { errorsPage } from './errors-page.ts'

/** The pages that are written from the program's own tables, by their path in the repository. */
export function generatePages(): Record<string, string> {
  return {
    'docs/configuration.md': configurationPage(),
    'docs/errors.md': `${NOTE}\n\n${errorsPage()}`,
    'docs/losses.md': lossesPage(),
    'docs/billing-cases.md': billingCasesPage(),
    'docs/compatibility.md': compatibilityPage(readCompatibilityRecords()),
    'docs/reliability.md': writePage(readRecords()),
  }
}

/** The pages whose file is missing or says something else. */
export function stalePages(): string[] {
  return Object.entries(generatePages())
    .filter(([path, page]) => readIfThere(path) !== page)
    .map(([path]) => path)
}

const NOTE = '<!-- Written by "npm run docs". Change the tables in src/, not this page. -->'

function configurationPage(): string {
  const groups = Object.entries(SETTING_GROUPS).map(([group, title]) => {
    const settings: [string, Setting][] = Object.entries(SETTINGS)
    const rows = settings.filter(([, setting]) => setting.group === group)
    return `### ${title}\n\n${fieldTable(rows)}`
  })
  return `${NOTE}

# Configuration

Nothing has to be set: \`npm start\` runs on SQLite, with sandbox vendors. Settings for the deployment come from the environment,
providers from one YAML file. Both are read once, at the start. All faults are told together, and then nothing is started.

- A variable that is set to nothing counts as unset.
- A variable that begins with \`SLUICE_\` and is not listed here is an error, so that a slip of the pen is noticed.
- *Not yet in force* marks settings that are read and checked today and take effect with a later version.
- \`npx sluice doctor\` reads the same settings and checks what they point to.

## Environment

${groups.join('\n\n')}

## Providers file

\`./sluice.yaml\`, or the file that \`SLUICE_CONFIG\` names. [sluice.example.yaml](../sluice.example.yaml) is one to start from.
Without providers the sandbox vendors answer; with at least one, models of providers that are not listed answer 503.

- \`\${NAME}\` within a value is replaced by the environment variable \`NAME\`, which must be set. This happens after the file was
  parsed: whatever the variable holds, it stays one value.
- A key that is not listed here is an error.

\`providers\` maps names to providers. A name is the first part of the model ids that clients use: \`vendorA\` serves \`vendorA/gen-2.0\`.
Each provider has a \`driver\`, which says what API it speaks.

${Object.entries(DRIVERS).map(driverSection).join('\n\n')}
`
}

function driverSection([name, { reference }]: [
  string,
  { reference: readonly (string | ConfigFields)[] },
]): string {
  const parts = reference.map((part) => (typeof part === 'string' ? part : fieldTable(Object.entries(part))))
  return [`### Driver \`${name}\``, ...parts].join('\n\n')
}

function fieldTable(rows: [string, ConfigField][]): string {
  const lines = rows.map(
    ([name, field]) => `| \`${name}\` | ${defaultOf(field)} | ${field.kind.takes} | ${field.meaning} |`,
  )
  return ['| Name | Default | Takes | Meaning |', '|---|---|---|---|', ...lines].join('\n')
}

function defaultOf({ default: given, required }: ConfigField): string {
  if (given !== undefined) return `\`${given}\``
  return required ? 'required' : 'unset'
}

function lossesPage(): string {
  const rows = Object.entries(LOSSES).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`)
  return `${NOTE}

# Losses

Where client and provider speak the same dialect, the bytes pass, and at most a \`foreign_seal\` is lost. Where they do not, a
request and its reply are converted, and what the other side has no place for is left out, adapted, or refused with a 400. Nothing vanishes without a word:

- An answer names what was lost of its request in the \`x-sluice-losses\` header, separated by commas; a whole reply also what was
  lost of itself. The same names stand in the usage row of the request.
- With \`x-sluice-strict: true\` a request that would lose something is refused instead, before it costs anything.

| Name | What is lost, and why |
|---|---|
${rows.join('\n')}
`
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(inRepository(path), 'utf8')
  } catch {
    return undefined
  }
}

function inRepository(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url))
}

function main(): void {
  if (process.argv.includes('--check')) {
    const stale = stalePages()
    for (const path of stale) process.stderr.write(`${path} is out of date: run "npm run docs".\n`)
    process.exitCode = stale.length === 0 ? 0 : 1
    return
  }
  for (const [path, page] of Object.entries(generatePages())) writeFileSync(inRepository(path), page)
}

if (import.meta.main) main()

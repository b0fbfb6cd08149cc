import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { LOSSES } from '@sluice/dialects/canonical/losses'
import { writePage } from '../reliability/page.ts'
import { readRecords } from '../reliability/record.ts'
import { DRIVERS } from '../src/adapters/providers/drivers.ts'
import type { ConfigField, ConfigFields } from '../src/config/read-fields.ts'
import { SETTING_GROUPS, SETTINGS, type Setting } from '../src/config/settings/settings.ts'
import { billingCasesPage } from './billing-cases-page.ts'
import { clientTypes } from './client-types.ts'
import { compatibilityPage, readCompatibilityRecords } from './compatibility/page.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'

/** The pages that are written from the program's own tables, by their path in the repository. */
export function generatePages(): Record<string, string> {
  return {
    'docs/configuration.md': configurationPage(),
    'docs/errors.md': `${NOTE}\n\n${errorsPage()}`,
    'docs/events.md': `${NOTE}\n\n${eventsPage()}`,
    'docs/losses.md': lossesPage(),
    'docs/billing-cases.md': billingCasesPage(),
    'docs/compatibility.md': compatibilityPage(readCompatibilityRecords()),
    'docs/reliability.md': writePage(readRecords()),
    'packages/client/src/api-types.ts': clientTypes(),
  }
}

/** The pages whose file is missing or says something else. */
export function stalePages(): string[] {
  return Object.entries(generatePages())
    .filter(([path, page]) => readIfThere(path) !== page)
    .map(([path]) => path)
}

const NOTE = '<!-- Written by "npm run docs". Change the tables in the sources, not this page. -->'

function configurationPage(): string {
  const groups = Object.entries(SETTING_GROUPS).map(([group, title]) => {
    const settings: [string, Setting][] = Object.entries(SETTINGS)
    const rows = settings.filter(([, setting]) => setting.group === group)
    return [`| **${title}** | | |`, ...fieldRows(rows)].join('\n')
  })
  return `${NOTE}

# Configuration

For operators who change a setting: find it below, set it, run \`npx sluice doctor\`, and restart.
Nothing has to be set: \`npm start\` runs on SQLite with sandbox vendors. The environment has the settings of the deployment,
one YAML file the providers. Both are read once, at the start, which lists all faults together and then ends.

- An empty variable counts as unset. An unknown variable that begins with \`SLUICE_\` is an error.
- A range such as "1 to 10" takes a whole number. A *URL* is an http:// or https:// address without credentials, query and fragment.
  A *key* is a secret text of plain ASCII without spaces.

## Environment

${TABLE_HEAD}
${groups.join('\n')}

## Providers file

The file is \`./sluice.yaml\`, or the one that \`SLUICE_CONFIG\` names; start from [sluice.example.yaml](../sluice.example.yaml).
Without providers the sandbox vendors answer; with at least one, here or in the store ([operations.md](operations.md#providers-in-the-store)), models of unlisted providers answer 503.

- \`\${NAME}\` within a value is replaced by the environment variable \`NAME\`, which must be set. It stays one value, whatever it holds.
- An unknown key is an error.

\`providers\` maps names to providers. A name is the first part of model ids: \`vendorA\` serves \`vendorA/gen-2.0\`.
The \`driver\` of a provider says which API it speaks.

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

const TABLE_HEAD = '| Name | Default (values) | Meaning |\n|---|---|---|'

function fieldTable(rows: [string, ConfigField][]): string {
  return [TABLE_HEAD, ...fieldRows(rows)].join('\n')
}

function fieldRows(rows: [string, ConfigField][]): string[] {
  return rows.map(
    ([name, field]) => `| \`${name}\` | ${defaultOf(field)} (${takesOf(field)}) | ${field.meaning} |`,
  )
}

/** The words of an error message, in the short forms that the top of the page explains. */
function takesOf({ kind }: ConfigField): string {
  return kind.takes
    .replace(/^a whole number from |^one of /, '')
    .replace('an http:// or https:// address without credentials, query and fragment', 'URL')
    .replace('a secret text of plain ASCII without spaces', 'key')
}

function defaultOf({ default: given, required }: ConfigField): string {
  if (given !== undefined) return `\`${given}\``
  return required ? 'required' : 'unset'
}

function lossesPage(): string {
  const rows = Object.entries(LOSSES).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`)
  return `${NOTE}

# Losses

For developers who see a name in the \`x-sluice-losses\` header: look it up below, then change the request or the model.
Where client and provider speak the same dialect, the bytes pass, and at most a \`foreign_seal\` is lost. Otherwise
request and reply are converted, and what the other dialect cannot carry is left out, adapted, or refused with a 400:

- \`x-sluice-losses\` names what the request lost, separated by commas, and what a whole reply lost. The usage row has the same names.
- With \`x-sluice-strict: true\` a request that would lose something is refused, before it costs anything.

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

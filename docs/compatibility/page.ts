import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Origin } from '../../reliability/page.ts'
import {
  CLIENT_ROWS,
  type ClientRow,
  type Column,
  rowId,
  VENDOR_DIALECTS,
  VIDEO_FAMILIES,
} from './client-rows.ts'

export interface CellRecord {
  passed: number
  failed: number
}

export interface ClientRecord extends Origin {
  /** By package, as they were installed for the run. */
  versions: Record<string, string>
  cells: Partial<Record<Column, CellRecord>>
}

/** Records that the page is written from, by `rowId`. */
export type CompatibilityRecords = Record<string, ClientRecord>

const FILE = fileURLToPath(new URL('./records.json', import.meta.url))
export const RECORDS_FILE = FILE

export function readCompatibilityRecords(): CompatibilityRecords {
  return JSON.parse(readFileSync(FILE, 'utf8'))
}

const NOTE =
  '<!-- Written by "npm run compatibility -- --report" from docs/compatibility/records.json. Do not change it by hand. -->'

/** A cell without a record says so: nothing is on the page that was not run. */
export function compatibilityPage(records: CompatibilityRecords): string {
  const text = tableOf(VENDOR_DIALECTS, (dialect) => `${dialect} vendor`, records)
  const video = tableOf(VIDEO_FAMILIES, (family) => family, records)
  return `${NOTE}

# Compatibility

For developers who ask whether their client works: look up its row, then copy its settings from [clients.md](clients.md).
A cell counts the tests that passed on models whose vendors speak that dialect, all of them unless it says otherwise. Where client and vendor speak the same dialect the bytes pass; otherwise requests and replies are converted ([losses.md](losses.md)). Vendors are the sandbox and recorded streams.

${text}

Clients of video, on models of both families; a cell without a number does not apply:

${video}

For models of messages vendors on \`/v1/responses\`, a catalog row said \`endpoints: [messages, responses, chat]\`. The suite of Open Responses (version 2026-04-24) is in no package registry: its rows are our own tests under its ids.

A commit with \`+\` had uncommitted changes. \`npm run compatibility -- --report\` installs the clients from npm and runs it again; \`--only sdks\` needs no install, and without \`--report\` nothing is written.
`
}

function tableOf(
  columns: readonly Column[],
  titleOf: (column: Column) => string,
  records: CompatibilityRecords,
): string {
  const rows = CLIENT_ROWS.filter(({ titles }) => columns.some((column) => titles[column] !== undefined))
  return [
    `| Client | Version | Endpoint | ${columns.map(titleOf).join(' | ')} | Commit, date |`,
    `|---|---|---|${columns.map(() => '---|').join('')}---|`,
    ...rows.map((row) => lineOf(row, columns, records[rowId(row)])),
  ].join('\n')
}

function lineOf(row: ClientRow, columns: readonly Column[], record: ClientRecord | undefined): string {
  const cells = columns.map((column) => (row.titles[column] === undefined ? '' : cellText(column, record)))
  const versions = row.packages.map((name) => `\`${name}\` ${record?.versions[name] ?? ''}`.trim())
  const origin = record === undefined ? '' : `\`${record.commit}\`, ${record.date}`
  return `| ${row.client} | ${versions.join(', ')} | \`${row.endpoint.replace(', ', '`, ')}${row.endpoint.includes(', ') ? '' : '`'} | ${cells.join(' | ')} | ${origin} |`
}

function cellText(column: Column, record: ClientRecord | undefined): string {
  const cell = record?.cells[column]
  if (cell === undefined || cell.passed + cell.failed === 0) return 'not run yet'
  if (cell.failed > 0) return `**${cell.failed} of ${cell.passed + cell.failed} failed**`
  return String(cell.passed)
}

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { type Figures, spell } from './figures.ts'
import { plotOf } from './plot.ts'
import { IS_QUICK, ROUNDS } from './rounds.ts'

/** Figures of one benchmark, or the reason why there are none. */
export interface Section {
  name: string
  figures: readonly Figures[]
  failed?: string
  /** Date, machine, commit and load of the run. */
  measured: string
}

const DOCS = join(import.meta.dirname, '../docs')
const RESULTS = join(import.meta.dirname, 'results')

/** Keeps the figures with the sources, so that each benchmark can be run again by name, on another machine too. */
export function keepSection(section: Omit<Section, 'measured'>): void {
  mkdirSync(RESULTS, { recursive: true })
  const commit = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { encoding: 'utf8' }).trim()
  const load = loadavg().map((value) => value.toFixed(1))
  const moment = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const measured = `${moment} UTC, ${machine()}, commit ${commit}, load of the last 1, 5 and 15 minutes ${load.join(', ')}${IS_QUICK ? ', `--quick`: the figures mean nothing' : ''}`
  writeFileSync(
    join(RESULTS, `${section.name}.json`),
    `${JSON.stringify({ ...section, measured }, null, 1)}\n`,
  )
}

/** Writes docs/performance.md and its plots from the kept results. */
export function writePerformancePage(names: readonly string[]): void {
  const sections = names.flatMap(readSection)
  const plots = join(DOCS, 'performance')
  rmSync(plots, { recursive: true, force: true })
  mkdirSync(plots)
  for (const { name, figures } of sections) {
    const [first] = figures
    if (first !== undefined && (PLOTTED as readonly string[]).includes(name))
      writeFileSync(join(plots, `${name}.svg`), plotOf(first))
  }
  writeFileSync(join(DOCS, 'performance.md'), pageOf(sections))
}

function readSection(name: string): Section[] {
  const path = join(RESULTS, `${name}.json`)
  return existsSync(path) ? [JSON.parse(readFileSync(path, 'utf8'))] : []
}

function pageOf(sections: readonly Section[]): string {
  const rows = SHOWN.map(({ work, section: name, figure = 0, column, sides }) => {
    const found = sections.find((section) => section.name === name)
    const cells = found?.figures[figure]?.rows ?? {}
    const cellOf = (side: string | undefined) =>
      side === undefined ? '' : spell(cells[side]?.[column] ?? '')
    return [work, ...Array.from({ length: 4 }, (_, index) => cellOf(sides[index]))]
  })
  const measured = sections.find(({ name }) => name === 'text-whole')?.measured ?? 'not measured'
  return `<!-- Written by "npm run bench". -->

# Performance

For engineers who compare gateways: read the table, then [run it](#how-to-run-it) on your own machine. Each row was measured in one run, with the bare thing, Sluice and the peers in alternating rounds; figures are medians of ${ROUNDS} rounds.
Clients, vendor and gateway share the cores. Sluice runs as \`npm start\` runs it: with a key, a rate, a daily limit, prices, and a usage row for each request on SQLite.

Text rows: ${measured}.

${tableOf(['Work', 'Bare Node', 'Sluice', '@musistudio/llms', 'Portkey'], rows)}

*Bare Node* is \`node:http\` with undici's \`dispatch\`, which copies bytes, or the bare statements of the store: no keys, limits, prices or usage.
CPU is the time of the whole process with all its threads.

${PLOTTED.map((name) => `![${titleOf(sections, name)}](performance/${name}.svg)`).join('\n\n')}

${startsOf(sections)}## How to run it

- \`npm run bench\` runs everything and writes this page; it takes about 90 minutes on 2 cores.
- \`npm run bench NAME\` runs one benchmark and prints it. A wrong name lists the names.
- All tables, goals and misses are in [bench/results](../bench/results): one JSON file for each benchmark, with its date, machine and commit.
`
}

/** Each side started five times: its cost while it is cold, when it is warm, and how much starts differ. */
function startsOf(sections: readonly Section[]): string {
  const found = sections.find(({ name }) => name === 'text-starts')
  if (found === undefined) return ''
  const tables = found.figures.filter(isWhole).map(({ title, rows }) => {
    const columns = Object.keys(Object.values(rows)[0] ?? {})
    const lines = Object.entries(rows).map(([side, row]) => [
      side,
      ...columns.map((column) => spell(row[column] ?? '')),
    ])
    return `${title}:\n\n${tableOf(['CPU us a request', ...columns], lines)}`
  })
  return `## From the start

Each side was started five times and measured in one piece after the same number of requests, so that none rests between rounds: ${found.measured.slice(0, 20)}, the same machine.

${tables.join('\n\n')}

`
}

function isWhole({ title }: Figures): boolean {
  return title.startsWith('Whole replies')
}

interface ShownRow {
  work: string
  section: string
  /** Index of the table in its section. */
  figure?: number
  column: string
  /** Rows of the table for bare Node, Sluice, @musistudio/llms and Portkey. */
  sides: readonly (string | undefined)[]
}

const CPU = 'CPU us/request'

const SHOWN: readonly ShownRow[] = [
  {
    work: 'Whole reply, CPU us',
    section: 'text-whole',
    column: CPU,
    sides: ['bare dispatch, messages', 'Sluice, messages', '@musistudio/llms, messages', 'Portkey, chat'],
  },
  {
    work: 'Whole reply, requests/s',
    section: 'text-whole',
    column: 'requests/s',
    sides: ['bare dispatch, messages', 'Sluice, messages', '@musistudio/llms, messages', 'Portkey, chat'],
  },
  {
    work: 'Whole reply with conversion, CPU us',
    section: 'text-whole',
    column: CPU,
    sides: [
      undefined,
      'Sluice, messages -> chat',
      '@musistudio/llms, messages -> chat',
      'Portkey, chat -> messages',
    ],
  },
  {
    work: 'Stream of 100 events, CPU us',
    section: 'text-stream',
    column: CPU,
    sides: ['bare dispatch, messages', 'Sluice, messages', '@musistudio/llms, messages', 'Portkey, chat'],
  },
  {
    work: 'Stream with conversion, CPU us',
    section: 'text-stream',
    column: CPU,
    sides: [
      undefined,
      'Sluice, messages -> chat',
      '@musistudio/llms, messages -> chat',
      'Portkey, chat -> messages',
    ],
  },
  {
    work: '500 slow streams, resident MB',
    section: 'text-many-streams',
    column: 'resident MB',
    sides: [
      'bare dispatch: messages, responses',
      'Sluice: both dialects, passed and converted',
      undefined,
      'Portkey: chat, passed and converted',
    ],
  },
  {
    work: '`GET /v1/models`, CPU us',
    section: 'small-route',
    column: CPU,
    sides: ['bare node:http', 'Sluice GET /v1/models'],
  },
  {
    work: 'Video create, CPU us',
    section: 'video-create',
    column: CPU,
    sides: ['bare create: two transactions and one call', 'Sluice, create'],
  },
  {
    work: 'Hold and settle on SQLite, pairs/s',
    section: 'hold-and-settle',
    column: 'hold + settle pairs/s',
    sides: ['bare node:sqlite, 64 to a commit', 'Sluice on SQLite'],
  },
  {
    work: 'Start of the embedded default, ms',
    section: 'cold-start',
    column: 'ready in ms',
    sides: [undefined, 'later starts, median'],
  },
]

/** Benchmarks whose first table is drawn. */
const PLOTTED = ['text-whole', 'text-stream'] as const

function titleOf(sections: readonly Section[], name: string): string {
  return sections.find((section) => section.name === name)?.figures[0]?.title ?? name
}

function machine(): string {
  const [first] = cpus()
  const model = first?.model && first.model !== 'unknown' ? ` (${first.model})` : ''
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  return `${process.platform} ${process.arch}, ${cpus().length} cores${model}, ${memory}, Node ${process.versions.node}`
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

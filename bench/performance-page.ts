import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { type Figures, type Goal, outcomeOf, spell } from './figures.ts'
import { plotOf } from './plot.ts'
import { IS_QUICK, ROUNDS } from './rounds.ts'

/** What one benchmark found, or why it found nothing. */
export interface Section {
  name: string
  figures: readonly Figures[]
  failed?: string
  /** When, on which machine, at which commit, and how busy it was. */
  measured: string
}

const DOCS = join(import.meta.dirname, '../docs')
const RESULTS = join(import.meta.dirname, 'results')

/** Kept from run to run, and with the sources, so that each can be run again by name, on another machine too. */
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

/** docs/performance.md and its plots, all of them written anew. */
export function writePerformancePage(names: readonly string[]): void {
  const sections = names.flatMap(readSection)
  const plots = join(DOCS, 'performance')
  rmSync(plots, { recursive: true, force: true })
  mkdirSync(plots)
  for (const { name, figures } of sections) {
    for (const [index, found] of figures.entries()) {
      if (found.plotted !== undefined) writeFileSync(join(plots, plotName(name, index)), plotOf(found))
    }
  }
  writeFileSync(join(DOCS, 'performance.md'), pageOf(sections, names))
}

function readSection(name: string): Section[] {
  const path = join(RESULTS, `${name}.json`)
  return existsSync(path) ? [JSON.parse(readFileSync(path, 'utf8'))] : []
}

function plotName(name: string, index: number): string {
  return index === 0 ? `${name}.svg` : `${name}-${index + 1}.svg`
}

function pageOf(sections: readonly Section[], names: readonly string[]): string {
  const left = names.filter((name) => sections.every((section) => section.name !== name))
  const goals = sections.flatMap(({ figures }) => figures.flatMap((found) => found.goals ?? []))
  return `<!-- Written by "npm run bench". -->

# Performance

- Each heading says when, on which machine and at which commit its tables were measured. Everything in a table was run in the same minutes, in alternating rounds; figures
  are medians of ${ROUNDS} rounds.
- CPU is the time of the whole process with all its threads, as the scheduler counts it. It tells what a request costs, whatever else runs on the
  machine; requests a second and times by the clock do depend on it. Vendor, clients and gateway share the cores.
- *bare dispatch* is node:http with undici's \`dispatch\`, the least that Node needs to pass a request on: no keys, limits, prices or usage. *bare pipe* is the
  same with \`request\` and \`stream.pipeline\`, as most programs do it. The goals speak of the bare pipe; the share of the cheaper dispatch stands beside each.
- In a table with many sides each one rests while the others run. After a rest V8 collects more often, which makes the others dearer; Sluice switches that off (decision
  10). *least* is the round that cost least: by it the share of the bare pipe is lower than by the medians.
- From one start to the next the same code costs up to 10 % more or less, probably because V8 decides anew what it compiles and when: a share near its goal can be met in
  one run and missed in the next.
- Sluice runs as \`npm start\` runs it, with a key, a rate, a daily limit, prices, and a usage row for each request on SQLite.
- \`npm run bench NAME\` runs one of them and prints it; the names are in the headings.${left.length > 0 ? `\n- Not measured: ${left.join(', ')}.` : ''}

## Goals

${goalTable(goals)}

${sections.map(sectionOf).join('\n\n')}
`
}

function machine(): string {
  const [first] = cpus()
  const model = first?.model && first.model !== 'unknown' ? ` (${first.model})` : ''
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  return `${process.platform} ${process.arch}, ${cpus().length} cores${model}, ${memory}, Node ${process.versions.node}`
}

function goalTable(goals: readonly Goal[]): string {
  const rows = goals.map((goal) => {
    const { goal: wanted, figure, outcome } = outcomeOf(goal)
    return [goal.work, wanted, figure, outcome]
  })
  return tableOf(['Work', 'Goal', 'Figure', 'Outcome'], rows)
}

function sectionOf({ name, figures, failed, measured }: Section): string {
  const parts = figures.map((found, index) => {
    const image =
      found.plotted === undefined ? [] : [`![${found.title}](performance/${plotName(name, index)})`]
    const note = found.note === undefined ? [] : [found.note]
    return [`### ${found.title}`, ...note, figureTable(found), ...image].join('\n\n')
  })
  const missing = failed === undefined ? [] : [`It failed: \`${failed}\``]
  return [`## ${name}`, `${measured}.`, ...missing, ...parts].join('\n\n')
}

function figureTable({ rows }: Figures): string {
  const columns = [...new Set(Object.values(rows).flatMap((row) => Object.keys(row)))]
  const lines = Object.entries(rows).map(([name, row]) => [
    name,
    ...columns.map((column) => spell(row[column] ?? '')),
  ])
  return tableOf(['', ...columns], lines)
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

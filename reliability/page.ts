import { FAULT_ROWS, type FaultRow, MISSING } from './fault-rows.ts'

/** When and of what something was measured, and how it is measured again. */
export interface Origin {
  /** Ends with `+` where files differed from the commit. */
  commit: string
  date: string
  command: string
}

/** Seeds in a row that were run together. */
export interface SimulatorRun extends Origin {
  firstSeed: number
  seeds: number
  /** A run that was stopped has so many seeds before it. */
  seedsLeft?: number
  /** Seeds that broke a rule, and the commit since which they break none. */
  broken: { seed: number; rule: string; holdsSince?: string }[]
  events: number
  requests: number
  virtualSeconds: number
  /** Of the run itself. */
  realSeconds: number
  processes: number
  faults: Record<string, number>
}

/** undefined: not found within the seeds that were tried. */
export interface PlantRecord extends Origin {
  foundAtSeed: number | undefined
  seedsTried: number
  rule: string | undefined
}

export interface FaultRecord extends Origin {
  seconds: number
  /** In the words of the tests, which say how often they try. */
  passed: string[]
  failed: string[]
  skipped: string[]
  /** What the tests counted, one line each. */
  figures?: string[]
}

/** What the page is written from. */
export interface Records {
  /** Sorted by their seeds. */
  simulator: SimulatorRun[]
  plants: Record<string, PlantRecord>
  rows: Record<string, FaultRecord>
}

const NOTE =
  '<!-- Written by "npm run simulate -- --report" and "npm run faults" from reliability/records.json. Do not change it by hand. -->'

/** The whole page. A row without a record says so: nothing is on it that was not run. */
export function writePage({ simulator, plants, rows }: Records): string {
  return `${NOTE}

# Reliability

What was tried to break the gateway, and what came of it. Each row names the command that runs it again, and the commit it ran on;
a commit with \`+\` had changes that were not committed.

## The simulator

The application in virtual time with faults by seed, against books of its own: [simulator/README.md](../simulator/README.md).

${simulator.length === 0 ? 'Not run yet.' : simulatorPart(simulator)}

### Planted bugs

Bugs that are put in on purpose, to show that the simulator finds what it is for. Each is to be found within 200 seeds.

| Bug | Found at seed | Broken rule | Commit, date | Command |
|---|---|---|---|---|
${Object.entries(plants)
  .toSorted(([a], [b]) => a.localeCompare(b))
  .map(plantRow)
  .join('\n')}

## The suite on real parts

Processes, SQLite files, PostgreSQL, Redis and sockets. The tests say in their titles what they try and how often.

\`npm run faults\` runs all rows that have no result of this commit, \`npm run faults -- --list\` shows them. Minutes are what a row takes on 2 idle cores, roughly.
Two rows run at a time, and rows that measure run alone; the seconds are each row's own.

| What is tried | Minutes | Result | Tests passed | Failed | Skipped | Seconds | Commit, date | Command |
|---|---|---|---|---|---|---|---|---|
${FAULT_ROWS.map((row) => faultRow(row, rows[row.id])).join('\n')}

${FAULT_ROWS.flatMap(({ id, what }) => detailsOf(what, rows[id])).join('\n\n')}

## What is missing

${MISSING.map((line) => `- ${line}`).join('\n')}
`
}

function simulatorPart(runs: readonly SimulatorRun[]): string {
  const times = new Map<string, number>()
  for (const { faults } of runs)
    for (const [kind, more] of Object.entries(faults)) times.set(kind, (times.get(kind) ?? 0) + more)
  const kinds = [...times].toSorted(([, a], [, b]) => b - a)
  const seeds = sumOf(runs.map((run) => run.seeds))
  const broken = sumOf(runs.map((run) => run.broken.length))
  return `${count(seeds)} seeds were run; ${broken} of them broke a rule.
\`npm run simulate -- --new 2000 --report\` adds seeds that are in no row.

| Seeds | Events | Text requests | Faults | Hours of virtual time | Seconds, processes | Result | Commit, date | Command |
|---|---|---|---|---|---|---|---|---|
${runs.map(runRow).join('\n')}

| Kind of fault | Times |
|---|---|
${kinds.map(([kind, total]) => `| ${kind} | ${count(total)} |`).join('\n')}`
}

function runRow(run: SimulatorRun): string {
  const { firstSeed, seeds, broken, events, requests, faults, virtualSeconds, realSeconds, processes } = run
  const result = broken.map(
    ({ seed, rule, holdsSince }) =>
      `**${seed} broke ${rule}**${holdsSince === undefined ? '' : `, holds since \`${holdsSince}\``}`,
  )
  return `| ${[
    `${firstSeed} to ${firstSeed + seeds - 1}`,
    ...[events, requests, sumOf(Object.values(faults))].map(count),
    (virtualSeconds / 3_600).toFixed(1),
    `${realSeconds}, ${processes}`,
    result.join('; ') || 'no rule broken',
    whenOf(run),
    `\`${run.command}\``,
  ].join(' | ')} |`
}

function plantRow([name, record]: [string, PlantRecord]): string {
  const found = record.foundAtSeed ?? `**not found** in ${record.seedsTried}`
  return `| ${name} | ${found} | ${record.rule ?? ''} | ${whenOf(record)} | \`${record.command}\` |`
}

function faultRow({ id, what, minutes }: FaultRow, record: FaultRecord | undefined): string {
  const command = `npm run faults -- --only ${id}`
  if (record === undefined) return `| ${what} | ${minutes} | not run yet | | | | | | \`${command}\` |`
  const { passed, failed, skipped, seconds } = record
  const result = failed.length === 0 && passed.length > 0 ? 'met' : '**missed**'
  return `| ${what} | ${minutes} | ${result} | ${passed.length} | ${failed.length} | ${skipped.length} | ${Math.round(seconds)} | ${whenOf(record)} | \`${record.command}\` |`
}

function detailsOf(what: string, record: FaultRecord | undefined): string[] {
  if (record === undefined) return []
  const lines = [
    ...(record.figures ?? []).map((line) => `- counted: ${line}`),
    ...record.failed.map((title) => `- failed: ${title}`),
    ...record.skipped.map((title) => `- skipped: ${title}`),
    ...record.passed.map((title) => `- ${title}`),
  ]
  const shown = lines.slice(0, TITLES_MAX)
  const rest = lines.length - shown.length
  return [[`### ${what}`, '', ...shown, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n')]
}

/** A table of inputs has hundreds of tests. */
const TITLES_MAX = 20

function whenOf({ commit, date }: { commit: string; date: string }): string {
  return `\`${commit}\`, ${date}`
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}

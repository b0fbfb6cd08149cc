import { FAULT_ROWS, type FaultRow, MISSING } from './fault-rows.ts'

/** Commit and date of a measurement, and the command that repeats it. */
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
  /** Number of seeds that a stopped run did not reach. */
  seedsLeft?: number
  /** Seeds that broke a rule, and the commit since which they break none. */
  broken: { seed: number; rule: string; holdsSince?: string }[]
  events: number
  requests: number
  virtualSeconds: number
  /** Duration of the run by the clock. */
  realSeconds: number
  processes: number
  faults: Record<string, number>
}

/** Search for a planted bug. undefined: it was not found within the tried seeds. */
export interface PlantRecord extends Origin {
  foundAtSeed: number | undefined
  seedsTried: number
  rule: string | undefined
}

export interface FaultRecord extends Origin {
  seconds: number
  /** Number of tests that passed. */
  passed: number
  /** Titles of tests that failed. */
  failed: string[]
  skipped: number
}

/** Contents of `reliability/records.json`. */
export interface Records {
  /** Sorted by their seeds. */
  simulator: SimulatorRun[]
  plants: Record<string, PlantRecord>
  rows: Record<string, FaultRecord>
}

const NOTE =
  '<!-- Written by "npm run simulate -- --report" and "npm run faults" from reliability/records.json. Do not change it by hand. -->'

/** Writes the whole page. A row without a record says so: the page claims nothing that was not run. */
export function writePage({ simulator, plants, rows }: Records): string {
  return `${NOTE}

# Reliability

For operators who want to know what was tried to break the gateway, how often, and what came of it.
Each row can be run again. A commit with \`+\` had changes that were not committed.

## The simulator

The [simulator](../simulator/README.md) runs the application in virtual time with faults that a seed decides, and checks it against books of its own.

${simulator.length === 0 ? 'Not run yet.' : simulatorPart(simulator)}

${plantsPart(Object.entries(plants))}

## The suite on real parts

Processes, SQLite files, PostgreSQL, Redis and sockets. \`npm run faults -- --only NAME\` runs a row, \`npm run faults\` runs all rows that have no result of this commit.

| Name | What is tried | Tests | Result | Seconds | Commit, date |
|---|---|---|---|---|---|
${FAULT_ROWS.map((row) => faultRow(row, rows[row.id])).join('\n')}

## Not tried

${MISSING.map((line) => `- ${line}`).join('\n')}
`
}

function simulatorPart(runs: readonly SimulatorRun[]): string {
  const seeds = sumOf(runs.map((run) => run.seeds))
  const broken = sumOf(runs.map((run) => run.broken.length))
  const kinds = new Set(runs.flatMap(({ faults }) => Object.keys(faults)))
  return `${count(seeds)} seeds were run with ${kinds.size} kinds of faults; ${broken} of them broke a rule.
\`npm run simulate -- --new 2000 --report\` adds seeds that are in no row.

| Seeds | Text requests | Faults | Hours of virtual time | Result | Commit, date |
|---|---|---|---|---|---|
${runs.map(runRow).join('\n')}`
}

function runRow(run: SimulatorRun): string {
  const { firstSeed, seeds, broken, requests, faults, virtualSeconds } = run
  const result = broken.map(
    ({ seed, rule, holdsSince }) =>
      `**${seed} broke ${rule}**${holdsSince === undefined ? '' : `, holds since \`${holdsSince}\``}`,
  )
  return `| ${[
    `${firstSeed} to ${firstSeed + seeds - 1}`,
    ...[requests, sumOf(Object.values(faults))].map(count),
    (virtualSeconds / 3_600).toFixed(1),
    result.join('; ') || 'no rule broken',
    whenOf(run),
  ].join(' | ')} |`
}

/** Plants are bugs that are put in on purpose, to show that the simulator can find one. */
function plantsPart(plants: readonly [name: string, record: PlantRecord][]): string {
  const missed = plants.flatMap(([name, { foundAtSeed }]) => (foundAtSeed === undefined ? [name] : []))
  const latest = Math.max(...plants.map(([, { foundAtSeed = 0 }]) => foundAtSeed))
  const outcome = missed.length === 0 ? `the last at seed ${latest}` : `**not found: ${missed.join(', ')}**`
  return `${plants.length} bugs were put in on purpose; the simulator found ${plants.length - missed.length} of them within 200 seeds, ${outcome}.
\`npm run simulate -- --seeds 200 --plant NAME\` tries one again.`
}

function faultRow({ id, what }: FaultRow, record: FaultRecord | undefined): string {
  if (record === undefined) return `| \`${id}\` | ${what} | | not run yet | | |`
  const { passed, failed, skipped, seconds } = record
  const result = failed.length === 0 && passed > 0 ? 'met' : `**missed: ${failed.join('; ')}**`
  return `| \`${id}\` | ${what} | ${passed + failed.length + skipped} | ${result} | ${Math.round(seconds)} | ${whenOf(record)} |`
}

function whenOf({ commit, date }: { commit: string; date: string }): string {
  return `\`${commit}\`, ${date}`
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}

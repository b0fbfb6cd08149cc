import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { LOGS_VARIABLE, searchLogs } from '../test/random/canary.ts'
import { LANES, lanesOf, minutesOf, runInLanes } from './fault-lanes.ts'
import { FAULT_ROWS, type FaultRow } from './fault-rows.ts'
import type { FaultRecord, Origin } from './page.ts'
import { keepRecords, originOf, readRecords } from './record.ts'

/**
 * `npm run faults`: the tests of faults, in rows: two at a time, and those that measure alone. Each row is written down when
 * it ends, so a run that was stopped goes on where it was: rows that passed on this commit are left out, unless `--again`
 * asks for them. `--list` shows the rows with the minutes that they take; `--up-to 5` runs rows of at most five minutes.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    again: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    'up-to': { type: 'string', default: '' },
    rounds: { type: 'string', default: '' },
    'soak-minutes': { type: 'string', default: '' },
  },
})

const PROGRESS_MS = 30_000

const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface Report {
  startTime: number
  testResults: {
    name: string
    endTime: number
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
  }[]
}

process.exitCode = values.list ? listRows(chosenRows()) : await runRows(chosenRows())

function chosenRows(): FaultRow[] {
  const wanted = values.only === '' ? FAULT_ROWS.map(({ id }) => id) : values.only.split(',')
  const unknown = wanted.filter((id) => !FAULT_ROWS.some((row) => row.id === id))
  if (unknown.length > 0)
    throw new Error(
      `there is no row ${unknown.join(', ')}; there are ${FAULT_ROWS.map(({ id }) => id).join(', ')}`,
    )
  const minutesMax = values['up-to'] === '' ? Number.POSITIVE_INFINITY : Number(values['up-to'])
  return FAULT_ROWS.filter(({ id, minutes }) => wanted.includes(id) && minutes <= minutesMax)
}

function listRows(rows: readonly FaultRow[]): number {
  const known = readRecords().rows
  for (const [lane, planned] of lanesOf(rows).entries())
    for (const { row, beginsAtMinute } of planned) {
      const when = row.measures === true ? 'alone ' : `lane ${lane + 1}`
      const times = `${String(row.minutes).padStart(4)} min  ${when} from ${String(beginsAtMinute).padStart(3)}`
      write(`${times}  ${row.id.padEnd(18)} ${row.what} (${stateOf(known[row.id])})`)
    }
  write(`${String(minutesOf(rows)).padStart(4)} min  in all, ${LANES} rows at a time`)
  return 0
}

/** A run with fewer rounds or minutes says so, and does not count as a whole run. */
function shortened(): string {
  const { rounds, 'soak-minutes': minutes } = values
  return `${rounds === '' ? '' : ` --rounds ${rounds}`}${minutes === '' ? '' : ` --soak-minutes ${minutes}`}`
}

function stateOf(record: FaultRecord | undefined): string {
  if (record === undefined) return 'not run yet'
  return `${record.failed.length === 0 ? 'met' : 'missed'} on ${record.commit}`
}

async function runRows(rows: readonly FaultRow[]): Promise<number> {
  let failed = 0
  const done = values.again ? [] : rows.filter(isDone)
  for (const { id } of done) write(`${id}: done on this commit`)
  const asked = rows.filter((row) => !done.includes(row))
  await runInLanes(asked, async (row, left) => {
    const origin = originFor(row)
    const place = `${asked.length - left.length + 1} of ${asked.length}`
    const rest = `about ${row.minutes} min, ${minutesOf(left)} min to the end`
    write(`${row.id}: begins, ${place}: ${row.what}; ${rest}`)
    const { figures, ...found } = await runRow(row)
    const record: FaultRecord = { ...origin, ...found }
    keepRecords((records) => {
      records.rows[row.id] = record
    })
    failed += record.failed.length
    const { passed, skipped, seconds } = record
    const counts = `${passed} passed, ${record.failed.length} failed, ${skipped} skipped`
    write(`${row.id}: ${counts} in ${Math.round(seconds)} s`)
    for (const line of figures) write(`${row.id}: ${line}`)
    for (const title of record.failed) write(`${row.id}: failed: ${title}`)
  })
  return failed === 0 ? 0 : 1
}

function originFor({ id }: FaultRow): Origin {
  return originOf(`npm run faults -- --only ${id}${shortened()}`)
}

function isDone(row: FaultRow): boolean {
  const { commit, command } = originFor(row)
  const known = readRecords().rows[row.id]
  if (known === undefined || commit.endsWith('+')) return false
  return known.commit === commit && known.command === command && known.failed.length === 0
}

/** Result of a row; the figures are lines that its tests counted. */
type RowResult = Omit<FaultRecord, keyof Origin> & { figures: string[] }

async function runRow(row: FaultRow): Promise<RowResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-faults-'))
  const output = join(folder, 'report.json')
  const figures = join(folder, 'figures.txt')
  const logs = join(folder, 'logs')
  mkdirSync(logs)
  const beganMs = performance.now()
  const progress = setInterval(() => {
    write(`${row.id}: ${Math.round((performance.now() - beganMs) / 1_000)} s of about ${row.minutes * 60} s`)
  }, PROGRESS_MS)
  try {
    // The mode in which every test tries all of its values.
    const code = await runVitest(
      ['run', '--mode', 'faults', '--reporter=json', `--outputFile=${output}`, ...row.files],
      { figures, logs },
    )
    const titles = titlesIn(output, row, code)
    const { files, bytes, found } = searchLogs(logs)
    const search = `${bytes.toLocaleString('en-US')} bytes of logs of ${files} processes searched for planted secrets: ${found.length} found`
    return {
      ...titles,
      failed: [...titles.failed, ...found.map((line) => `secret in a log: ${line}`)],
      figures: [...linesOf(figures), ...(files > 0 ? [search] : [])],
    }
  } finally {
    clearInterval(progress)
    rmSync(folder, { recursive: true })
  }
}

function runVitest(
  args: readonly string[],
  { figures, logs }: { figures: string; logs: string },
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const child = spawn(join(ROOT, 'node_modules/.bin/vitest'), args, {
    cwd: ROOT,
    env: {
      ...process.env,
      TEST_FIGURES_FILE: figures,
      [LOGS_VARIABLE]: logs,
      TEST_FAULT_ROUNDS: values.rounds,
      TEST_SOAK_MINUTES: values['soak-minutes'],
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  child.on('error', reject)
  child.on('exit', (code) => resolve(code ?? 1))
  return promise
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

/** A file that did not run at all is a failure too: a missing result must not count as a success. */
function titlesIn(output: string, { id, files }: FaultRow, code: number) {
  const { startTime, testResults } = readReport(output)
  // Without the time that a run waits for its turn on a shared machine.
  const seconds = Math.max(0, ...testResults.map(({ endTime }) => endTime - startTime)) / 1_000
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  const titled = (...statuses: string[]) =>
    all.filter(({ status }) => statuses.includes(status)).map(({ fullName }) => fullName.trim())
  const unrun = files.filter(
    (file) =>
      !testResults.some(({ name, assertionResults }) => name.endsWith(file) && assertionResults.length > 0),
  )
  for (const { fullName, failureMessages = [] } of all)
    for (const message of failureMessages) write(`${id}: why ${fullName.trim()} failed: ${message}`)
  const failed = [...titled('failed'), ...unrun.map((file) => `${file} did not run`)]
  if (code !== 0 && failed.length === 0) failed.push(`vitest ended with ${code}`)
  const skipped = titled('skipped', 'pending', 'todo').length
  return { seconds, passed: titled('passed').length, failed, skipped }
}

function readReport(output: string): Report {
  try {
    return JSON.parse(readFileSync(output, 'utf8'))
  } catch {
    return { startTime: 0, testResults: [] }
  }
}

function write(line: string): void {
  process.stdout.write(`${line}\n`)
}

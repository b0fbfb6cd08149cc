import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { FAULT_ROWS, type FaultRow } from './fault-rows.ts'
import { type FaultRecord, keepRecords, originOf, readRecords } from './record.ts'

/**
 * `npm run faults`: the tests of faults, row by row. Each row is written down when it ends, so a run that was stopped goes
 * on where it was: rows with a record of this commit are left out, unless `--again` asks for them.
 */
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, again: { type: 'boolean', default: false } },
})

const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface Report {
  startTime: number
  testResults: {
    name: string
    endTime: number
    assertionResults: { fullName: string; status: string }[]
  }[]
}

process.exitCode = await runRows(chosenRows())

function chosenRows(): FaultRow[] {
  const wanted = values.only === '' ? FAULT_ROWS.map(({ id }) => id) : values.only.split(',')
  const unknown = wanted.filter((id) => !FAULT_ROWS.some((row) => row.id === id))
  if (unknown.length > 0)
    throw new Error(
      `there is no row ${unknown.join(', ')}; there are ${FAULT_ROWS.map(({ id }) => id).join(', ')}`,
    )
  return FAULT_ROWS.filter(({ id }) => wanted.includes(id))
}

async function runRows(rows: readonly FaultRow[]): Promise<number> {
  let failed = 0
  for (const [place, row] of rows.entries()) {
    const origin = originOf(`npm run faults -- --only ${row.id}`)
    const known = readRecords().rows[row.id]
    const isDone =
      known?.commit === origin.commit && !origin.commit.endsWith('+') && known.failed.length === 0
    const head = `${place + 1} of ${rows.length}  ${row.id}`
    if (isDone && !values.again) {
      write(`${head}: done on ${origin.commit}`)
      continue
    }
    write(`${head}: ${row.what}`)
    const record: FaultRecord = { ...origin, ...(await runRow(row)) }
    keepRecords((records) => {
      records.rows[row.id] = record
    })
    failed += record.failed.length
    write(
      `  ${record.passed.length} passed, ${record.failed.length} failed, ${record.skipped.length} skipped`,
    )
    for (const title of record.failed) write(`  failed: ${title}`)
  }
  return failed === 0 ? 0 : 1
}

async function runRow({ files }: FaultRow): Promise<Omit<FaultRecord, 'commit' | 'date' | 'command'>> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-faults-'))
  const output = join(folder, 'report.json')
  try {
    // The mode in which every test tries all of its values.
    const code = await runVitest([
      'run',
      '--mode',
      'all',
      '--reporter=json',
      `--outputFile=${output}`,
      ...files,
    ])
    return titlesIn(output, files, code)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function runVitest(args: readonly string[]): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const child = spawn(join(ROOT, 'node_modules/.bin/vitest'), args, {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  child.on('error', reject)
  child.on('exit', (code) => resolve(code ?? 1))
  return promise
}

/** A file that did not run at all is a failure too: silence must not look like success. */
function titlesIn(output: string, files: readonly string[], code: number) {
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
  const failed = [...titled('failed'), ...unrun.map((file) => `${file} did not run`)]
  if (code !== 0 && failed.length === 0) failed.push(`vitest ended with ${code}`)
  return { seconds, passed: titled('passed'), failed, skipped: titled('skipped', 'pending', 'todo') }
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

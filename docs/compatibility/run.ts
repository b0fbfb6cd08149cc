import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { originOf } from '../../reliability/record.ts'
import { CLIENTS } from '../../test/sdk-compat/agents/clients.ts'
import {
  CLIENT_ROWS,
  type ClientRow,
  type CompatibilityRun,
  rowId,
  VENDOR_DIALECTS,
  VIDEO_FAMILIES,
} from './client-rows.ts'
import {
  type ClientRecord,
  type CompatibilityRecords,
  compatibilityPage,
  RECORDS_FILE,
  readCompatibilityRecords,
} from './page.ts'

/**
 * `npm run compatibility`: every client on every kind of vendor, and how many tests passed for each. Only `--report`
 * writes it down, for `docs/compatibility.md`. `--only agents`, `sdks` or `videos` runs a part.
 */
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, report: { type: 'boolean', default: false } },
})

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const VIDEO_TESTS = 'test/sdk-compat/video'
const ARGUMENTS: Readonly<Record<CompatibilityRun, readonly string[]>> = {
  agents: ['--config', 'test/sdk-compat/agents/vitest-config.ts'],
  sdks: ['--project', 'sdk-compat', '--exclude', `${VIDEO_TESTS}/**`],
  videos: ['--project', 'sdk-compat', VIDEO_TESTS],
}

interface Test {
  fullName: string
  status: string
}

process.exitCode = await main()

async function main(): Promise<number> {
  let failed = 0
  for (const run of ['agents', 'sdks', 'videos'] as const) {
    if (values.only !== '' && values.only !== run) continue
    const origin = originOf(`npm run compatibility -- --only ${run} --report`)
    const tests = await testsOf(run)
    failed += tests.filter(({ status }) => status === 'failed').length + (tests.length === 0 ? 1 : 0)
    const made: CompatibilityRecords = {}
    for (const row of CLIENT_ROWS) {
      if (row.run === run)
        made[rowId(row)] = { ...origin, versions: versionsOf(row), cells: cellsOf(row, tests) }
    }
    for (const [id, { cells }] of Object.entries(made))
      process.stdout.write(`${id}: ${JSON.stringify(cells)}\n`)
    if (values.report) keep(made)
  }
  return failed === 0 ? 0 : 1
}

/** Writes both files, so that the page always shows what the records say. */
function keep(made: CompatibilityRecords): void {
  const known = { ...readCompatibilityRecords(), ...made }
  const rows = CLIENT_ROWS.map(rowId).filter((id) => known[id] !== undefined)
  const records = Object.fromEntries(rows.map((id) => [id, known[id]])) as CompatibilityRecords
  writeFileSync(RECORDS_FILE, `${JSON.stringify(records, null, 2)}\n`)
  writeFileSync(join(ROOT, 'docs/compatibility.md'), compatibilityPage(records))
}

async function testsOf(run: CompatibilityRun): Promise<Test[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-compatibility-'))
  const output = join(folder, 'report.json')
  try {
    await runVitest([
      'run',
      ...ARGUMENTS[run],
      '--reporter=json',
      '--reporter=dot',
      `--outputFile.json=${output}`,
    ])
    const { testResults }: { testResults: { assertionResults: Test[] }[] } = JSON.parse(
      readFileSync(output, 'utf8'),
    )
    return testResults.flatMap(({ assertionResults }) => assertionResults)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function runVitest(args: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(join(ROOT, 'node_modules/.bin/vitest'), args, { cwd: ROOT, stdio: 'inherit' })
  child.on('error', reject)
  child.on('exit', () => resolve())
  return promise
}

function cellsOf({ titles }: ClientRow, tests: readonly Test[]): ClientRecord['cells'] {
  const cells: ClientRecord['cells'] = {}
  for (const column of [...VENDOR_DIALECTS, ...VIDEO_FAMILIES]) {
    const title = titles[column]
    if (title === undefined) continue
    const found = tests.filter(({ fullName }) => title.test(fullName.trim()))
    const passed = found.filter(({ status }) => status === 'passed').length
    cells[column] = { passed, failed: found.length - passed }
  }
  return cells
}

function versionsOf({ packages }: ClientRow): Record<string, string> {
  const { version, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const own = { '@sluice/client': version }
  const installed: Record<string, string> = Object.assign(own, devDependencies, ...Object.values(CLIENTS))
  return Object.fromEntries(
    packages.map((name) => [name, (installed[name] ?? '').replace(/^npm:.*@/, '')] as const),
  )
}

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Origin, type Records, writePage } from './page.ts'

const FILE = fileURLToPath(new URL('./records.json', import.meta.url))
const PAGE = fileURLToPath(new URL('../docs/reliability.md', import.meta.url))
const ROOT = fileURLToPath(new URL('..', import.meta.url))

export function readRecords(): Records {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { plants: {}, rows: {}, simulator: [] }
    throw error
  }
}

/** Writes both files, so that the page always shows what the records say. */
export function keepRecords(change: (records: Records) => void): void {
  const records = readRecords()
  change(records)
  writeFileSync(FILE, `${JSON.stringify(records, null, 2)}\n`)
  writeFileSync(PAGE, writePage(records))
}

export function originOf(command: string): Origin {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const changed = git(
    'status',
    '--porcelain',
    '--',
    '.',
    ':!reliability/records.json',
    ':!docs/reliability.md',
    ':!docs/compatibility.md',
    ':!docs/compatibility/records.json',
  )
  return {
    commit: git('rev-parse', '--short=10', 'HEAD') + (changed === '' ? '' : '+'),
    date: new Date().toISOString().slice(0, 10),
    command,
  }
}

import { accessSync, constants, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first of `names` that can be run here, searched in PATH and in the places packages use; undefined when none can. */
export function findBinary(names: readonly string[]): string | undefined {
  const folders = [...pathFolders(), ...packageFolders()]
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

/** PostgreSQL's packages keep the server out of PATH: Debian, Red Hat, Homebrew on both processors, Postgres.app. */
const PACKAGE_FOLDERS = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql*/bin',
  '/usr/local/opt/postgresql*/bin',
  '/opt/homebrew/bin',
  '/usr/local/bin',
  '/Applications/Postgres.app/Contents/Versions/*/bin',
]

function pathFolders(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
}

/** Newest version first: `17` before `9.6`, which plain sorting would turn round. */
function packageFolders(): string[] {
  return PACKAGE_FOLDERS.flatMap((pattern) =>
    globSync(pattern).sort((left, right) => right.localeCompare(left, 'en', { numeric: true })),
  )
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { CatalogEntry } from '../../domain/catalog/catalog-entry.ts'
import type { Fault } from '../config-error.ts'
import { CatalogError } from './catalog-error.ts'
import { readCatalogFile } from './read-catalog-file.ts'

/** The models of a file, or a `CatalogError` with all that is wrong with it. */
export function loadCatalog(path: string): CatalogEntry[] {
  const faults: Fault[] = []
  const fileName = basename(path)
  const source = readSource(path)
  const entries = readCatalogFile({ fileName, source, report: (fault) => faults.push(fault) })
  if (faults.length > 0) throw new CatalogError(fileName, faults)
  return entries
}

function readSource(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new CatalogError(basename(path), [
      {
        setting: path,
        wrong: REASONS[reason] ?? `it cannot be read (${reason})`,
        fix: 'Give the path of a catalog file in YAML. "sluice apply --help" shows how.',
      },
    ])
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}

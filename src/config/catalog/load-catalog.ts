import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { CatalogEntry } from '../../domain/catalog/model.ts'
import { ConfigError, type ConfigProblem, whyUnreadable } from '../config-error.ts'
import { type FileReading, readMapping, refuseUnknownKeys, reportAt } from '../yaml/mapping.ts'
import { readList } from '../yaml/read-list.ts'
import { reportRepeats } from '../yaml/report-repeats.ts'
import { parseYaml } from '../yaml/yaml-tree.ts'
import { readModel } from './read-model.ts'

/** Reads a catalog file, or standard input for `-`. Throws a `CatalogError` with all of its faults. */
export function loadCatalog(path: string): CatalogEntry[] {
  const faults: ConfigProblem[] = []
  const fileName = path === '-' ? 'standard input' : basename(path)
  const source = readSource(path)
  const entries = readCatalogFile({ fileName, source, report: (fault) => faults.push(fault) })
  if (faults.length > 0) throw new CatalogError(fileName, faults)
  return entries
}

function readSource(path: string): string {
  try {
    return readFileSync(path === '-' ? process.stdin.fd : path, 'utf8')
  } catch (error) {
    throw new CatalogError(basename(path), [
      {
        setting: path,
        wrong: whyUnreadable(error),
        fix: 'Give the path of a catalog file in YAML, or - for standard input. "sluice apply --help" shows how.',
      },
    ])
  }
}

/** Lists all faults of a catalog file. A file with a fault changes nothing. */
class CatalogError extends ConfigError {
  constructor(fileName: string, faults: readonly ConfigProblem[]) {
    super(faults)
    this.name = 'CatalogError'
    this.message = describe(fileName, faults)
  }
}

function describe(fileName: string, faults: readonly ConfigProblem[]): string {
  const title = `${fileName} has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}; nothing was changed:`
  return [title, ...faults.map(({ setting, wrong, fix }) => `  ${setting}: ${wrong}.\n    ${fix}`)].join('\n')
}

/** Reads the models and reports every fault. Models with a fault are left out. */
export function readCatalogFile(input: {
  fileName: string
  source: string
  report(fault: ConfigProblem): void
}): CatalogEntry[] {
  const { fileName, source, report } = input
  const parsed = parseYaml(source, fileName)
  if ('faults' in parsed) {
    parsed.faults.forEach(report)
    return []
  }
  const reading: FileReading = { tree: parsed.tree, environment: undefined, report }
  const file = readMapping(parsed.tree.root, [], reading)
  if (file === undefined) return []
  refuseUnknownKeys(file, { path: [], known: ['models'], reading })
  const path = ['models']
  const models = readList(file.get('models') ?? [], path, reading)
  if (models?.length === 0) {
    reportAt(path, reading, {
      wrong: 'no model is listed',
      fix: 'List at least one under models: "- model_id: 1", with its name and prices below.',
    })
  }
  const read = (models ?? []).map((value, index) => readModel(value, [...path, `${index}`], reading))
  reportRepeats(read, { what: 'model_id', keyOf: ({ modelId }) => `${modelId}`, path, reading })
  reportRepeats(read, { what: 'name', keyOf: ({ name }) => name, path, reading })
  return read.filter((entry) => entry !== undefined)
}

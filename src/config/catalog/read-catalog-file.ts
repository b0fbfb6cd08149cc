import type { CatalogEntry } from '../../domain/catalog/catalog-entry.ts'
import type { Fault } from '../config-error.ts'
import { type FileReading, readMapping, refuseUnknownKeys } from '../providers/mapping.ts'
import { readList } from '../providers/read-list.ts'
import { parseYaml } from '../providers/yaml-tree.ts'
import { readModel } from './read-model.ts'
import { reportRepeats } from './report-repeats.ts'

/** Reads the models and reports every fault; models with one are left out. */
export function readCatalogFile({
  fileName,
  source,
  report,
}: {
  /** For messages. */
  fileName: string
  source: string
  report(fault: Fault): void
}): CatalogEntry[] {
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
    report({
      setting: reading.tree.place(path),
      wrong: 'no model is listed',
      fix: 'List at least one under models: "- model_id: 1", with its name and prices below.',
    })
  }
  const read = (models ?? []).map((value, index) => readModel(value, [...path, `${index}`], reading))
  reportRepeats(read, { what: 'model_id', keyOf: ({ modelId }) => `${modelId}`, path, reading })
  reportRepeats(read, { what: 'name', keyOf: ({ name }) => name, path, reading })
  return read.filter((entry) => entry !== undefined)
}

import { ApiError } from '../../domain/api-error.ts'
import { type CatalogEntry, NEW_MODEL_ID } from '../../domain/catalog/model.ts'
import type { ConfigProblem } from '../config-error.ts'
import { type FileReading, type Mapping, readMapping } from '../yaml/mapping.ts'
import { parseYaml } from '../yaml/yaml-tree.ts'
import { readModel } from './read-model.ts'

/** A change of one model, with the names of the members that the text contains. */
export interface ModelChangeText {
  entry: CatalogEntry
  given: ReadonlySet<string>
}

/**
 * Reads one model from YAML or JSON in the form of a catalog file, but without `model_id`, which the store
 * assigns. `name` is the model to change; undefined creates a model, which the text must name. Throws an
 * `ApiError` that lists every fault.
 */
export function readOneModel(text: string, name: string | undefined): ModelChangeText {
  const faults: ConfigProblem[] = []
  const report = (fault: ConfigProblem) => void faults.push(fault)
  const parsed = parseYaml(text, 'text')
  if ('faults' in parsed) throw refusal(parsed.faults)
  const tree = { ...parsed.tree, place: (path: readonly string[]) => path.join('.') || 'the model' }
  const reading: FileReading = { tree, environment: undefined, report }
  const mapping = readMapping(tree.root, [], reading) ?? new Map()
  refuseFixed(mapping, name, report)
  const value = { ...Object.fromEntries(mapping), ...(name && { name }), model_id: PLACEHOLDER }
  const entry = readModel(value, [], reading)
  if (entry === undefined || faults.length > 0) throw refusal(faults)
  return { entry: { ...entry, modelId: NEW_MODEL_ID }, given: new Set(mapping.keys()) }
}

/** Satisfies `readModel`, which requires a number. */
const PLACEHOLDER = '1'

function refuseFixed(
  mapping: Mapping,
  name: string | undefined,
  report: (fault: ConfigProblem) => void,
): void {
  if (mapping.has('model_id'))
    report({ setting: 'model_id', wrong: 'the store gives it', fix: 'Leave it out.' })
  if (name !== undefined && mapping.has('name') && mapping.get('name') !== name)
    report({ setting: 'name', wrong: 'a model keeps its name', fix: 'Leave it out, or add an alias.' })
}

function refusal(faults: readonly ConfigProblem[]): ApiError {
  return new ApiError('invalid_parameter', {
    param: faults[0]?.setting ?? 'name',
    message: faults.map(({ setting, wrong, fix }) => `${setting}: ${wrong}. ${fix}`).join(' '),
  })
}

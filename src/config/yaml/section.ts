import { readMapping, refuseUnknownKeys, reportAt, type YamlSection } from './mapping.ts'

/** The mapping of one provider, from which its driver reads its settings. */
export type ProviderSection = YamlSection & { name: string }

export interface ModelEntry {
  model: string
  value: unknown
  /** Mapping that contains the entry. */
  models: YamlSection
}

/** Reads the models of a provider. An empty list is a fault, because the provider would serve nothing. */
export function readModels<Model>(
  section: YamlSection,
  readModel: (entry: ModelEntry) => Model | undefined,
): ReadonlyMap<string, Model> | undefined {
  const models = below(section, 'models')
  if (models === undefined) return undefined
  if (models.mapping.size === 0) {
    return reportAt(models.path, section.reading, {
      wrong: 'no model is listed',
      fix: 'List at least one model under models.',
    })
  }
  const read = new Map<string, Model>()
  for (const [model, value] of models.mapping) {
    const result = readModel({ model, value, models })
    if (result !== undefined) read.set(model, result)
  }
  return read.size === models.mapping.size ? read : undefined
}

/** Returns the mapping under a key. Returns undefined when it reported another value there. */
export function below({ mapping, path, reading }: YamlSection, key: string): YamlSection | undefined {
  const inner = readMapping(mapping.get(key), [...path, key], reading)
  return inner === undefined ? undefined : { mapping: inner, path: [...path, key], reading }
}

/** Reports each key that is neither a field nor among the others. Returns false when there was one. */
export function refuseKeysBeside(fields: object, others: readonly string[], section: YamlSection): boolean {
  const isProvider = section.path.length === 2
  const known = [...(isProvider ? ['driver'] : []), ...Object.keys(fields), ...others]
  return refuseUnknownKeys(section.mapping, { ...section, known })
}

import { isVideoModel } from '../../domain/catalog/endpoints-of.ts'
import type { Model } from '../../domain/catalog/model.ts'
import { readMappingFields, type Section } from '../providers/mapping.ts'
import { readList } from '../providers/read-list.ts'
import { modelName } from './model-name.ts'
import { reportRepeats } from './report-repeats.ts'

/** A client waits for one after another: more would keep it waiting longer than it cares. */
const FALLBACKS_MAX = 4

interface ModelSection extends Section {
  /** The model they stand in for. */
  row: Pick<Model, 'name' | 'likeModel'>
}

/** The models to try in a model's place; undefined when there was a fault, which is reported. */
export function readFallbacks(section: ModelSection): { list: string[] | undefined } | undefined {
  const { mapping, path, reading } = section
  const value = mapping.get('fallbacks') ?? null
  if (value === null) return { list: undefined }
  const items = readList(value, path, reading)
  if (items === undefined) return undefined
  if (items.length > FALLBACKS_MAX) {
    reading.report({
      setting: reading.tree.place(path),
      wrong: `there are more than ${FALLBACKS_MAX}`,
      fix: 'Keep the best: they are tried one after another, while the client waits.',
    })
    return undefined
  }
  const read = items.map((item, index) => readFallback(item, `${index}`, section))
  reportRepeats(read, { what: undefined, keyOf: (name) => name, path, reading })
  const list = read.filter((name) => name !== undefined)
  return list.length === items.length ? { list } : undefined
}

function readFallback(item: unknown, key: string, { row, path, reading }: ModelSection): string | undefined {
  const field = { kind: modelName, required: true, meaning: '' } as const
  const mapping = new Map([[key, item]])
  const fallback = readMappingFields({ [key]: field }, { mapping, path, reading })?.[key]
  const misfit = fallback === undefined ? undefined : misfitOf(fallback, row)
  if (misfit === undefined) return fallback
  reading.report({ setting: reading.tree.place([...path, key]), ...misfit })
  return undefined
}

function misfitOf(fallback: string, row: ModelSection['row']): { wrong: string; fix: string } | undefined {
  if (fallback === row.name) return { wrong: 'it is the model itself', fix: 'Name another model.' }
  const video = [row, { name: fallback }].find(isVideoModel)?.name
  return video === undefined
    ? undefined
    : { wrong: `${video} makes videos`, fix: 'Leave it out: only text models stand in for each other.' }
}

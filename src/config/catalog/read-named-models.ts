import { isVideoModel } from '../../domain/catalog/endpoints-of.ts'
import { type Model, ROUTE_TARGETS_MAX, type RouteTarget } from '../../domain/catalog/model.ts'
import type { ConfigFields } from '../read-fields.ts'
import { integer } from '../settings/kinds/integer.ts'
import type { Kind } from '../settings/kinds/kind.ts'
import {
  readMapping,
  readMappingFields,
  refuseUnknownKeys,
  reportAt,
  type YamlSection,
} from '../yaml/mapping.ts'
import { readList } from '../yaml/read-list.ts'
import { reportRepeats } from '../yaml/report-repeats.ts'

const NAME_CHARACTERS_MAX = 200

export const modelName: Kind<string> = {
  takes: 'a name of the form provider/model, such as vendorC/model-4.1',
  parse(text) {
    if (!text.includes('/')) return { wrong: 'has no slash' }
    if (text.length > NAME_CHARACTERS_MAX) return { wrong: `has more than ${NAME_CHARACTERS_MAX} characters` }
    return /^[A-Za-z][\w.-]*\/[\w.:@/-]+$/.test(text)
      ? { value: text }
      : { wrong: 'is not a name of a model' }
  },
}

/** Clients wait while fallbacks or stand-ins are tried in turn, so their number is bounded. */
const OTHERS_MAX = 4

interface ModelSection extends YamlSection {
  row: Pick<Model, 'name' | 'likeModel'>
}

export function readFallbacks(section: ModelSection): { list: string[] | undefined } | undefined {
  return readOthers('fallbacks', section, misfitOf)
}

/** Reads the stand-ins of a video model. `apply` checks later whether both models make videos. */
export function readStandIns(section: ModelSection): { list: string[] | undefined } | undefined {
  return readOthers('stand_ins', section, (standIn, { name }) => (standIn === name ? ITSELF : undefined))
}

type FindMisfit = (name: string, row: ModelSection['row']) => { wrong: string; fix: string } | undefined

function readOthers(
  key: 'fallbacks' | 'stand_ins',
  section: ModelSection,
  findMisfit: FindMisfit,
): { list: string[] | undefined } | undefined {
  const { mapping, path, reading } = section
  const value = mapping.get(key) ?? null
  if (value === null) return { list: undefined }
  const items = readList(value, path, reading)
  if (items === undefined) return undefined
  if (items.length > OTHERS_MAX) {
    return reportAt(path, reading, {
      wrong: `there are more than ${OTHERS_MAX}`,
      fix: 'Keep the best: they are tried one after another, while the client waits.',
    })
  }
  const read = items.map((item, index) => readOther(item, `${index}`, section, findMisfit))
  reportRepeats(read, { what: undefined, keyOf: (name) => name, path, reading })
  const list = read.filter((name) => name !== undefined)
  return list.length === items.length ? { list } : undefined
}

function readOther(
  item: unknown,
  key: string,
  { row, path, reading }: ModelSection,
  findMisfit: FindMisfit,
): string | undefined {
  const field = { kind: modelName, required: true, meaning: '' } as const
  const mapping = new Map([[key, item]])
  const other = readMappingFields({ [key]: field }, { mapping, path, reading })?.[key]
  const misfit = other === undefined ? undefined : findMisfit(other, row)
  if (misfit === undefined) return other
  return reportAt([...path, key], reading, misfit)
}

const ITSELF = { wrong: 'it is the model itself', fix: 'Name another model.' }

function misfitOf(fallback: string, row: ModelSection['row']): { wrong: string; fix: string } | undefined {
  if (fallback === row.name) return ITSELF
  const video = [row, { name: fallback }].find(isVideoModel)?.name
  return video === undefined
    ? undefined
    : { wrong: `${video} makes videos`, fix: 'Leave it out: only text models can replace each other.' }
}

const TARGET_FIELDS = {
  model: { kind: modelName, required: true, meaning: '' },
  weight: { kind: integer({ min: 0, max: 1_000_000 }), meaning: '' },
} satisfies ConfigFields

export function readRoute(section: ModelSection): { list: RouteTarget[] | undefined } | undefined {
  const { mapping, path, reading } = section
  const value = mapping.get('route') ?? null
  if (value === null) return { list: undefined }
  const items = readList(value, path, reading)
  if (items === undefined) return undefined
  if (items.length > ROUTE_TARGETS_MAX) {
    return reportAt(path, reading, {
      wrong: `there are more than ${ROUTE_TARGETS_MAX}`,
      fix: 'Keep the best: while they fail they are tried one after another, and the client waits.',
    })
  }
  const read = items.map((item, index) => readTarget(item, `${index}`, section))
  reportRepeats(read, { what: undefined, keyOf: ({ model }) => model, path, reading })
  const list = read.filter((target) => target !== undefined)
  if (list.length < items.length) return undefined
  if (list.length > 0 && list.every(({ weight }) => weight === 0)) {
    return reportAt(path, reading, {
      wrong: 'every weight is 0',
      fix: 'Give at least one target a weight of 1 or more; a target of weight 0 serves only while the others fail.',
    })
  }
  return { list }
}

/** `a/m` is short for `{ model: a/m, weight: 1 }`. */
function readTarget(item: unknown, key: string, section: ModelSection): RouteTarget | undefined {
  const { row, reading } = section
  const path = [...section.path, key]
  const mapping = typeof item === 'string' ? new Map([['model', item]]) : readMapping(item, path, reading)
  if (mapping === undefined) return undefined
  const known = refuseUnknownKeys(mapping, { path, known: Object.keys(TARGET_FIELDS), reading })
  const fields = readMappingFields(TARGET_FIELDS, { mapping, path, reading })
  if (!known || fields === undefined) return undefined
  const misfit = misfitOf(fields.model, row)
  if (misfit === undefined) return { model: fields.model, weight: fields.weight ?? 1 }
  return reportAt(typeof item === 'string' ? path : [...path, 'model'], reading, misfit)
}

import type { Model } from '../../domain/catalog/model.ts'
import { plainResolution } from '../../domain/catalog/price-row.ts'
import { LIST_NAMES, type ModelBounds, RANGE_NAMES, type VideoBounds } from '../../domain/video/bounds.ts'
import { FAMILIES, videoModelOf } from '../../domain/video/families/families.ts'
import { RATIOS } from '../../domain/video/request.ts'
import { integer } from '../settings/kinds/integer.ts'
import { oneOf } from '../settings/kinds/text.ts'
import { readMapping, refuseUnknownKeys, reportAt, type YamlSection } from '../yaml/mapping.ts'
import { readListOf } from '../yaml/read-list.ts'
import { resolution } from './read-price.ts'

const NAMES = [...RANGE_NAMES, ...LIST_NAMES]

/** The contract's minimum duration is 4 seconds; the other limits only reject implausible numbers. */
const RANGE_KINDS = { duration: integer({ min: 4, max: 86_400 }), other: integer({ min: 1, max: 1_000 }) }

const LIST_KINDS = { resolution, ratio: oneOf(RATIOS) }

/** Reads the bounds of a video model. Returns undefined when it reported a fault. */
export function readBounds({
  row,
  mapping: ofModel,
  path,
  reading,
}: YamlSection & { row: Pick<Model, 'name' | 'likeModel'> }):
  | { bounds: ModelBounds | undefined }
  | undefined {
  if (!ofModel.has('bounds')) return { bounds: undefined }
  const mapping = readMapping(ofModel.get('bounds'), path, reading)
  if (mapping === undefined) return undefined
  const known = refuseUnknownKeys(mapping, { path, known: [...NAMES, 'modes'], reading })
  const bounds = readOwnBounds({ mapping, path, reading })
  const modes = readModes(row, {
    ...{ path: [...path, 'modes'], reading },
    mapping: readMapping(mapping.get('modes'), [...path, 'modes'], reading) ?? new Map(),
  })
  if (!known || bounds === undefined || modes === undefined) return undefined
  return { bounds: { ...bounds, ...(Object.keys(modes).length > 0 && { modes }) } }
}

/** A stored row may have a `like` that this file lacks, so an unknown name accepts the modes of all families. */
function readModes(
  row: Pick<Model, 'name' | 'likeModel'>,
  { mapping, path, reading }: YamlSection,
): Record<string, VideoBounds> | undefined {
  const family = videoModelOf(row)?.family
  const families = family === undefined ? Object.values(FAMILIES) : [family]
  const known = [...new Set(families.flatMap(({ modes = [] }) => modes))]
  if (!refuseUnknownKeys(mapping, { path, known, reading })) return undefined
  const read = [...mapping].map(([mode, value]) => {
    const ofMode = readMapping(value, [...path, mode], reading)
    const section = ofMode && { mapping: ofMode, path: [...path, mode], reading }
    const isKnown = section !== undefined && refuseUnknownKeys(section.mapping, { ...section, known: NAMES })
    return [mode, isKnown ? readOwnBounds(section) : undefined] as const
  })
  const modes = read.flatMap(([mode, bounds]) => (bounds === undefined ? [] : [[mode, bounds] as const]))
  return modes.length === read.length ? Object.fromEntries(modes) : undefined
}

function readOwnBounds(section: YamlSection): VideoBounds | undefined {
  const { mapping, path, reading } = section
  const bounds: { -readonly [Name in keyof VideoBounds]: VideoBounds[Name] } = {}
  let isWhole = true
  for (const name of RANGE_NAMES.filter((one) => mapping.has(one))) {
    const kind = name === 'duration' ? RANGE_KINDS.duration : RANGE_KINDS.other
    const range = readListOf(kind, mapping.get(name), [...path, name], reading)
    const [min, max] = range ?? []
    if (range?.length === 2 && min !== undefined && max !== undefined && min <= max) bounds[name] = [min, max]
    else isWhole = false
    if (range !== undefined && bounds[name] === undefined)
      reportAt([...path, name], reading, {
        wrong: 'it is not the least and the most',
        fix: `Write two numbers, the smaller one first, such as ${name}: [4, 15].`,
      })
  }
  for (const name of LIST_NAMES.filter((one) => mapping.has(one))) {
    const list = readListOf<string>(LIST_KINDS[name], mapping.get(name), [...path, name], reading)
    if (list !== undefined && list.length > 0) bounds[name] = list.map(plainResolution)
    else isWhole = false
    if (list?.length === 0)
      reportAt([...path, name], reading, {
        wrong: 'it is empty',
        fix: 'List the values that the model takes, or leave it out.',
      })
  }
  return isWhole ? bounds : undefined
}

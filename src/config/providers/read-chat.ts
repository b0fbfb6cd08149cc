import { DISPENSABLE_FIELDS, type DispensableField } from '../../domain/catalog/chat-variant.ts'
import { oneOf } from '../kinds/one-of.ts'
import { TEXT_CHAT_FIELDS } from './driver-fields.ts'
import { type FileReading, type Mapping, readMappingFields, refuseUnknownKeys } from './mapping.ts'
import type { ChatSettings } from './provider.ts'
import { readList } from './read-list.ts'

interface Section {
  mapping: Mapping
  path: readonly string[]
  reading: FileReading
}

/** What stands under `chat` of a text provider; undefined when there was a fault, which is reported. */
export function readChat(section: Section | undefined): ChatSettings | undefined {
  if (section === undefined) return undefined
  const known = [...Object.keys(TEXT_CHAT_FIELDS), 'leaves_out']
  const isKnown = refuseUnknownKeys(section.mapping, { ...section, known })
  const fields = readMappingFields(TEXT_CHAT_FIELDS, section)
  const leavesOut = readLeftOut(section)
  if (!isKnown || fields === undefined || leavesOut === undefined) return undefined
  return {
    path: fields.path,
    instructions: fields.instructions,
    outputBound: fields.output_bound,
    replaysReasoning: fields.replays_reasoning === 'true',
    leavesOut,
  }
}

function readLeftOut({ mapping, path: above, reading }: Section): DispensableField[] | undefined {
  const path = [...above, 'leaves_out']
  const items = mapping.has('leaves_out') ? readList(mapping.get('leaves_out'), path, reading) : []
  if (items === undefined) return undefined
  const read = items.map((item, place) => {
    const entry = { mapping: new Map([[String(place), item]]), path, reading }
    return readMappingFields({ [place]: FIELD }, entry)?.[place]
  })
  const names = read.filter((name) => name !== undefined)
  return names.length === items.length ? names : undefined
}

const FIELD = { kind: oneOf(DISPENSABLE_FIELDS), required: true, meaning: '' } as const

import { oneOf } from '../../../config/kinds/one-of.ts'
import { readMappingFields, refuseUnknownKeys, type Section } from '../../../config/providers/mapping.ts'
import { readListOf } from '../../../config/providers/read-list.ts'
import { DISPENSABLE_FIELDS, type DispensableField } from '../../../domain/catalog/chat-variant.ts'
import type { ChatSettings } from './settings.ts'
import { TEXT_CHAT_FIELDS } from './settings.ts'

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
    checksSignatures: fields.checks_signatures === 'true',
    bridgesResults: fields.bridges_results === 'true',
    leavesOut,
  }
}

function readLeftOut({ mapping, path, reading }: Section): DispensableField[] | undefined {
  if (!mapping.has('leaves_out')) return []
  return readListOf(FIELD, mapping.get('leaves_out'), [...path, 'leaves_out'], reading)
}

const FIELD = oneOf(DISPENSABLE_FIELDS)

import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { LossName } from '../hub/losses.ts'
import type { ResultPart, ToolResultPart } from '../hub/text-request.ts'
import { declareMarks } from './declare-marks.ts'
import type { Place } from './place.ts'
import { readDocument, readImage, readSearchResult } from './read-media.ts'

export function readToolResult(block: JsonObject, losses: Set<LossName>, at: Place): ToolResultPart {
  return {
    kind: 'tool-result',
    callId: String(block.tool_use_id),
    isCustom: false,
    isError: block.is_error === true,
    parts: readResult(block.content, { up: at, key: 'content' }, losses),
  }
}

function readResult(content: unknown, at: Place, losses: Set<LossName>): ResultPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) return []
  const parts: ResultPart[] = []
  for (const [place, block] of content.entries()) {
    const part = isJsonObject(block) ? readResultPart(block, { up: at, key: place }, losses) : undefined
    if (part === undefined) losses.add('unknown_block')
    else parts.push(part)
  }
  return parts
}

function readResultPart(block: JsonObject, at: Place, losses: Set<LossName>): ResultPart | undefined {
  declareMarks(block, losses)
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: String(block.text) }
    case 'image':
      return readImage(block, losses, at)
    case 'document':
      return readDocument(block, losses, at)
    case 'search_result':
      return readSearchResult(block, losses)
    case 'tool_reference':
      losses.add('tool_reference')
      return { kind: 'text', text: `Tool found: ${String(block.tool_name)}` }
    default:
      return undefined
  }
}

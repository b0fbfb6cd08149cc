import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { isAbsent } from '../hub/is-absent.ts'
import type { LossName } from '../hub/losses.ts'
import type { ResultPart, ToolResultPart } from '../hub/text-request.ts'
import { readDocument, readImage, readSearchResult } from './read-media.ts'

export function readToolResult(block: JsonObject, losses: Set<LossName>): ToolResultPart {
  return {
    kind: 'tool-result',
    callId: String(block.tool_use_id),
    isCustom: false,
    isError: block.is_error === true,
    parts: readResult(block.content, losses),
  }
}

function readResult(content: unknown, losses: Set<LossName>): ResultPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) return []
  const parts: ResultPart[] = []
  for (const block of content) {
    const part = isJsonObject(block) ? readResultPart(block, losses) : undefined
    if (part === undefined) losses.add('unknown_block')
    else parts.push(part)
  }
  return parts
}

function readResultPart(block: JsonObject, losses: Set<LossName>): ResultPart | undefined {
  if (!isAbsent(block.cache_control)) losses.add('cache_control')
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: String(block.text) }
    case 'image':
      return readImage(block)
    case 'document':
      return readDocument(block, losses)
    case 'search_result':
      return readSearchResult(block)
    case 'tool_reference':
      losses.add('tool_reference')
      return { kind: 'text', text: `Tool found: ${String(block.tool_name)}` }
    default:
      return undefined
  }
}

import type { LossName } from '../canonical/losses.ts'
import type { Part, ResultPart, ToolCallPart, ToolResultPart } from '../canonical/request.ts'
import { readSeal, UNSEALED } from '../canonical/seal.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { calledDirectly } from '../tools/tool-naming.ts'
import type { Unchecked } from '../values/values.ts'
import type { BodyPath } from './body-path.ts'
import { readCompaction } from './read-compaction.ts'
import { readDocument, readImage, readSearchResult } from './read-media.ts'
import {
  declareMarks,
  type RedactedThinkingBlock,
  type TextBlock,
  type ThinkingBlock,
  type ToolResultBlock,
  type ToolUseBlock,
} from './wire.ts'

/** Reads one content block; undefined: it is a compaction without a summary. An unknown kind is kept unchanged. */
export function readPart(block: JsonObject, at: BodyPath, losses: Set<LossName>): Part | undefined {
  declareMarks(block, losses)
  if (block.type === 'compaction') return readCompaction(block, losses, at)
  const read = READERS.get(String(block.type))
  return read?.(block, losses, at) ?? { kind: 'opaque', origin: 'messages', raw: block }
}

type ReadBlock = (block: JsonObject, losses: Set<LossName>, at: BodyPath) => Part | undefined

const READERS: ReadonlyMap<string, ReadBlock> = new Map<string, ReadBlock>([
  ['text', readText],
  ['image', readImage],
  ['document', readDocument],
  ['search_result', readSearchResult],
  ['tool_use', readToolCall],
  ['tool_result', readToolResult],
  ['thinking', readThinking],
  ['redacted_thinking', readRedactedThinking],
])

function readText(block: Unchecked<TextBlock>): Part {
  return { kind: 'text', text: String(block.text) }
}

function readToolCall(block: Unchecked<ToolUseBlock>, losses: Set<LossName>): ToolCallPart {
  if (!calledDirectly(block.caller)) losses.add('unknown_field')
  return {
    kind: 'tool-call',
    callId: String(block.id),
    name: String(block.name),
    namespace: undefined,
    input: { kind: 'json', text: JSON.stringify(block.input) },
  }
}

function readThinking({ thinking, signature }: Unchecked<ThinkingBlock>, losses: Set<LossName>): Part {
  return { kind: 'reasoning', text: String(thinking), seal: sealOf(signature, losses), hidden: false }
}

function readRedactedThinking({ data }: Unchecked<RedactedThinkingBlock>, losses: Set<LossName>): Part {
  return { kind: 'reasoning', text: '', seal: sealOf(data, losses), hidden: true }
}

/** A proof without our mark was made for this client directly, and no vendor of ours can check it. */
function sealOf(proof: unknown, losses: Set<LossName>) {
  if (typeof proof !== 'string' || proof === '' || proof === UNSEALED) return undefined
  const seal = readSeal(proof)
  if (seal === undefined) losses.add('foreign_seal')
  return seal
}

function readToolResult(
  block: Unchecked<ToolResultBlock>,
  losses: Set<LossName>,
  at: BodyPath,
): ToolResultPart {
  return {
    kind: 'tool-result',
    callId: String(block.tool_use_id),
    isCustom: false,
    isError: block.is_error === true,
    parts: readResult(block.content, { up: at, key: 'content' }, losses),
  }
}

function readResult(content: unknown, at: BodyPath, losses: Set<LossName>): ResultPart[] {
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

function readResultPart(block: JsonObject, at: BodyPath, losses: Set<LossName>): ResultPart | undefined {
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

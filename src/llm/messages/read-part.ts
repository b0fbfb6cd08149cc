import type { JsonObject } from '../../domain/json-object.ts'
import { calledDirectly } from '../hub/called-directly.ts'
import type { LossName } from '../hub/losses.ts'
import { readSeal, UNSEALED } from '../hub/seal.ts'
import type { Part, ToolCallPart } from '../hub/text-request.ts'
import { declareMarks } from './declare-marks.ts'
import type { Place } from './place.ts'
import { readCompaction } from './read-compaction.ts'
import { readDocument, readImage, readSearchResult } from './read-media.ts'
import { readToolResult } from './read-tool-result.ts'

/** One content block; undefined: it says nothing. A kind nobody told us of is kept as it came. */
export function readPart(block: JsonObject, at: Place, losses: Set<LossName>): Part | undefined {
  declareMarks(block, losses)
  if (block.type === 'compaction') return readCompaction(block, losses, at)
  const read = READERS.get(String(block.type))
  return read?.(block, losses, at) ?? { kind: 'opaque', origin: 'messages', raw: block }
}

type ReadBlock = (block: JsonObject, losses: Set<LossName>, at: Place) => Part | undefined

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

function readText(block: JsonObject): Part {
  return { kind: 'text', text: String(block.text) }
}

function readToolCall(block: JsonObject, losses: Set<LossName>): ToolCallPart {
  if (!calledDirectly(block.caller)) losses.add('unknown_field')
  return {
    kind: 'tool-call',
    callId: String(block.id),
    name: String(block.name),
    namespace: undefined,
    input: { kind: 'json', text: JSON.stringify(block.input) },
  }
}

function readThinking({ thinking, signature }: JsonObject, losses: Set<LossName>): Part {
  return { kind: 'reasoning', text: String(thinking), seal: sealOf(signature, losses), hidden: false }
}

function readRedactedThinking({ data }: JsonObject, losses: Set<LossName>): Part {
  return { kind: 'reasoning', text: '', seal: sealOf(data, losses), hidden: true }
}

/** A proof that does not bear our mark was made for this client directly, and nobody else can check it. */
function sealOf(proof: unknown, losses: Set<LossName>) {
  if (typeof proof !== 'string' || proof === '' || proof === UNSEALED) return undefined
  const seal = readSeal(proof)
  if (seal === undefined) losses.add('foreign_seal')
  return seal
}

import { invalidParameter } from '../canonical/bad-parameter.ts'
import type { LossName } from '../canonical/losses.ts'
import type { Part, ResultPart, ToolResultPart, Turn } from '../canonical/request.ts'
import { readSeal, UNSEALED } from '../canonical/seal.ts'
import { turnsBySpeaker } from '../canonical/turns-by-speaker.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { RequestError } from '../request-error.ts'
import { calledDirectly } from '../tools/tool-naming.ts'
import { isNil, isNonEmptyArray, textOf, type Unchecked } from '../values/values.ts'
import { readFile, readImage } from './read-sources.ts'
import type { Toolbox } from './read-tools.ts'
import { type CallOutput, type FunctionCall, isPackedKind, kindOfItem, type ReasoningItem } from './wire.ts'

/**
 * Reads items into turns. Consecutive items of the assistant (messages, reasoning, calls) form one turn, and so do
 * consecutive results, because other dialects need them together.
 */
export function readItems(
  items: readonly unknown[],
  { turns, losses, toolbox }: { turns: Turn[]; losses: Set<LossName>; toolbox: Toolbox },
): void {
  const add = turnsBySpeaker(turns)
  for (const [index, item] of items.entries()) {
    if (!isJsonObject(item)) continue
    const at = `input.${index}`
    if (hasOriginMarks(item)) losses.add('unknown_field')
    switch (kindOfItem(item)) {
      case 'message':
        add(roleOf(item.role), readMessageParts(item.content, `${at}.content`, losses))
        break
      case 'function_call':
        add('assistant', [readCall(item, { kind: 'json', text: textOf(item.arguments) })])
        break
      case 'custom_tool_call':
        add('assistant', [readCall(item, { kind: 'text', text: textOf(item.input) })])
        break
      case 'reasoning':
        add('assistant', readReasoningItem(item, losses))
        break
      case 'function_call_output':
      case 'custom_tool_call_output':
        add('results', [readResult(item, at, losses)])
        break
      case 'additional_tools':
        toolbox.add(listOf(item.tools))
        break
      case 'item_reference':
        throw unknownReference(item, at)
      case 'compaction_trigger':
        throw invalidParameter(at, TRIGGER_PROBLEM)
      default:
        if (isPacked(item)) throw invalidParameter(at, PACKED_PROBLEM)
        if (item.type === 'tool_search_output') toolbox.add(listOf(item.tools))
        add('assistant', [{ kind: 'opaque', origin: 'responses', raw: item }])
    }
  }
}

/** Whether an item has a phase, or names a program as the caller of a tool: no other dialect can express these. */
function hasOriginMarks({ role, phase, caller }: JsonObject): boolean {
  return (role === 'assistant' && textOf(phase) !== '') || !calledDirectly(caller)
}

function roleOf(role: unknown): Turn['role'] {
  return role === 'assistant' || role === 'system' || role === 'developer' ? role : 'user'
}

function readCall(item: Unchecked<FunctionCall>, input: { kind: 'json' | 'text'; text: string }): Part {
  return {
    kind: 'tool-call',
    callId: textOf(item.call_id),
    name: textOf(item.name),
    namespace: textOf(item.namespace) || undefined,
    input,
  }
}

function readResult(item: Unchecked<CallOutput>, at: string, losses: Set<LossName>): ToolResultPart {
  return {
    kind: 'tool-result',
    callId: textOf(item.call_id),
    isCustom: item.type === 'custom_tool_call_output',
    isError: false,
    parts: readResultParts(item.output, `${at}.output`, losses),
  }
}

/** A proof without our mark has an unknown origin: no vendor can check it any longer. */
function readReasoningItem(item: Unchecked<ReasoningItem>, losses: Set<LossName>): Part[] {
  const text = [...listOf(item.summary), ...listOf(item.content)]
    .map((part) => (isJsonObject(part) ? textOf(part.text) : ''))
    .filter((one) => one !== '')
    .join('\n\n')
  const given = textOf(item.encrypted_content)
  const proof = given === UNSEALED ? '' : given
  const seal = readSeal(proof)
  if (proof !== '' && seal === undefined) losses.add('foreign_seal')
  if (text === '' && seal === undefined) return []
  return [{ kind: 'reasoning', text, seal, hidden: text === '' }]
}

function isPacked({ type, encrypted_content: content }: JsonObject): boolean {
  return isPackedKind(type) && textOf(content) !== ''
}

const PACKED_PROBLEM =
  'is an earlier part of the conversation that only the vendor who packed it can read: send its messages instead, or stay with a model of that vendor'

/** Problem of a `compaction_trigger`: its client would replace the conversation by a reply that is no compaction. */
const TRIGGER_PROBLEM =
  'asks for a compaction, which only native models of its own vendor can make: ask for a summary in words instead'

function unknownReference(item: JsonObject, at: string): RequestError {
  return new RequestError('invalid_parameter', {
    param: at,
    message: `${at} refers to ${textOf(item.id)}, which is not kept here any longer: send the item itself, or set store to false in your client.`,
  })
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Reads the content of a message. An unknown kind of part is kept, so that a writer declares it. */
function readMessageParts(content: unknown, at: string, losses: Set<LossName>): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return members(content).map(
    (raw, index): Part =>
      readPart(raw, `${at}.${index}`, losses) ?? { kind: 'opaque', origin: 'responses', raw },
  )
}

/** Reads the output of a tool: text, images and files only. */
function readResultParts(output: unknown, at: string, losses: Set<LossName>): ResultPart[] {
  if (typeof output === 'string') return [{ kind: 'text', text: output }]
  const parts: ResultPart[] = []
  members(output).forEach((raw, index) => {
    const part = readPart(raw, `${at}.${index}`, losses)
    if (part === undefined) losses.add('unknown_block')
    else parts.push(part.kind === 'refusal' ? { kind: 'text', text: part.text } : part)
  })
  return parts
}

function readPart(
  part: JsonObject,
  at: string,
  losses: Set<LossName>,
): ResultPart | { kind: 'refusal'; text: string } | undefined {
  if (!isNil(part.prompt_cache_breakpoint)) losses.add('cache_control')
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      if (isNonEmptyArray(part.annotations)) losses.add('citations')
      return { kind: 'text', text: textOf(part.text) }
    case 'refusal':
      return { kind: 'refusal', text: textOf(part.refusal) }
    case 'input_image':
      return readImage(part, at, losses)
    case 'input_file':
      return readFile(part, at, losses)
    default:
      return undefined
  }
}

function members(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

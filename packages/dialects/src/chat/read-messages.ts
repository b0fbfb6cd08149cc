import { invalidParameter } from '../canonical/bad-parameter.ts'
import type { LossName } from '../canonical/losses.ts'
import { readFileData, readMediaUrl } from '../canonical/media-source.ts'
import type { Part, ReasoningPart, ResultPart, ToolCallPart, Turn } from '../canonical/request.ts'
import { readSeal, UNSEALED } from '../canonical/seal.ts'
import { turnsBySpeaker } from '../canonical/turns-by-speaker.ts'
import { isLongMark } from '../count/cache-marks.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { hasUnknownFields, isNil, objectsIn, textOf } from '../values/values.ts'

/**
 * Reads messages into turns. Consecutive results of tools are one turn, and so are consecutive messages of the assistant:
 * other dialects need them together.
 */
export function readMessages(messages: readonly unknown[], losses: Set<LossName>): Turn[] {
  const turns: Turn[] = []
  const add = turnsBySpeaker(turns)
  /** Ids of the calls of custom tools, because a result does not tell the kind of its tool. */
  const customCalls = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (!isJsonObject(message)) continue
    const at = `messages.${index}`
    if (hasUnknownFields(message, MESSAGE_FIELDS)) losses.add('unknown_field')
    switch (message.role) {
      case 'assistant': {
        const calls = readCalls(message, at)
        for (const { input, callId } of calls) if (input.kind === 'text') customCalls.add(callId)
        add('assistant', [...readReasoning(message, losses), ...readAnswer(message, at, losses), ...calls])
        break
      }
      case 'tool': {
        const callId = textOf(message.tool_call_id)
        const parts = readParts(message.content, `${at}.content`, losses).flatMap(asResult(losses))
        const isCustom = customCalls.has(callId)
        add('results', [{ kind: 'tool-result', callId, isCustom, isError: false, parts }])
        break
      }
      case 'function':
        throw invalidParameter(
          `${at}.role`,
          'is the older form of tool: send tool_calls and role tool instead',
        )
      default:
        add(roleOf(message.role), readParts(message.content, `${at}.content`, losses))
    }
  }
  return turns
}

/** Other dialects have no member for a participant's `name`, so `name` counts as an unknown field. */
const MESSAGE_FIELDS: ReadonlySet<string> = new Set([
  ...['role', 'content', 'refusal', 'tool_calls', 'tool_call_id', 'annotations', 'audio', 'function_call'],
  ...['reasoning_content', 'reasoning', 'reasoning_details'],
])

function roleOf(role: unknown): Turn['role'] {
  return role === 'system' || role === 'developer' ? role : 'user'
}

function readAnswer(message: JsonObject, at: string, losses: Set<LossName>): Part[] {
  if (!isNil(message.audio)) throw onlyNative(`${at}.audio`)
  if (!isNil(message.function_call)) {
    throw invalidParameter(`${at}.function_call`, 'is the older form of tool_calls: send tool_calls instead')
  }
  // Clients write an empty text where the assistant only called tools.
  const parts = readParts(message.content, `${at}.content`, losses).filter(
    (part) => part.kind !== 'text' || part.text !== '',
  )
  const refusal = textOf(message.refusal)
  return refusal === '' ? parts : [...parts, { kind: 'refusal', text: refusal }]
}

function readCalls({ tool_calls: calls }: JsonObject, at: string): ToolCallPart[] {
  return objectsIn(calls).map((call, index) => {
    const callId = textOf(call.id)
    const { type, custom, function: called } = call
    if (type === 'custom' && isJsonObject(custom)) {
      const input = { kind: 'text', text: textOf(custom.input) } as const
      return { kind: 'tool-call', callId, name: textOf(custom.name), namespace: undefined, input }
    }
    if (!isJsonObject(called)) throw onlyNative(`${at}.tool_calls.${index}.type`)
    const input = { kind: 'json', text: textOf(called.arguments) } as const
    return { kind: 'tool-call', callId, name: textOf(called.name), namespace: undefined, input }
  })
}

/**
 * Reads the reasoning of an earlier answer. `reasoning_details` has text and proof, as this gateway wrote them; else
 * vendors use one of two members for the text.
 */
function readReasoning(message: JsonObject, losses: Set<LossName>): ReasoningPart[] {
  const sealed = objectsIn(message.reasoning_details).flatMap((detail) => readDetail(detail, losses))
  if (sealed.length > 0) return sealed
  const text = textOf(message.reasoning_content) || textOf(message.reasoning)
  return text === '' ? [] : [{ kind: 'reasoning', text, seal: undefined, hidden: false }]
}

/** A proof without our mark does not tell which provider made it, so it cannot be sent back to that provider. */
function readDetail(detail: JsonObject, losses: Set<LossName>): ReasoningPart[] {
  const text = textOf(detail.text) || textOf(detail.summary)
  const given = textOf(detail.signature) || textOf(detail.data)
  const proof = given === UNSEALED ? '' : given
  const seal = readSeal(proof)
  if (proof !== '' && seal === undefined) losses.add('foreign_seal')
  return text === '' && seal === undefined ? [] : [{ kind: 'reasoning', text, seal, hidden: text === '' }]
}

/** Keeps an unknown kind of part, so that a writer declares it. */
function readParts(content: unknown, at: string, losses: Set<LossName>): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return objectsIn(content).map((part, index) => readPart(part, `${at}.${index}`, losses))
}

function readPart(part: JsonObject, at: string, losses: Set<LossName>): Part {
  const read = readContent(part, at)
  const { cache_control: mark } = part
  if (isNil(mark)) return read
  const canCarry = read.kind === 'text' || read.kind === 'image' || read.kind === 'document'
  // A longer lifetime costs more, and the gateway holds no money for it.
  if (!canCarry || !isJsonObject(mark) || isLongMark(mark)) losses.add('cache_control')
  return canCarry ? { ...read, isCacheEnd: true } : read
}

function readContent(part: JsonObject, at: string): Part {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: textOf(part.text) }
    case 'refusal':
      return { kind: 'refusal', text: textOf(part.refusal) }
    case 'image_url':
      return readImage(Object(part.image_url), at)
    case 'file':
      return readFile(Object(part.file), at)
    case 'input_audio':
      throw onlyNative(`${at}.type`)
    default:
      return { kind: 'opaque', origin: 'chat', raw: part }
  }
}

function readImage({ url, detail }: JsonObject, at: string): ResultPart {
  const wanted = textOf(detail)
  return {
    kind: 'image',
    source: readMediaUrl(textOf(url), `${at}.image_url.url`),
    detail: wanted === '' || wanted === 'auto' ? undefined : wanted,
  }
}

function readFile({ file_data: data, filename }: JsonObject, at: string): ResultPart {
  const name = textOf(filename) || undefined
  if (textOf(data) === '') {
    throw invalidParameter(
      `${at}.file.file_id`,
      'names a file that only its own vendor keeps: send its content in file_data instead',
    )
  }
  return { kind: 'document', source: readFileData(textOf(data), name, `${at}.file.file_data`), name }
}

/** A tool answers with text, images and files and nothing else. */
function asResult(losses: Set<LossName>): (part: Part) => ResultPart[] {
  return (part) => {
    if (part.kind === 'text' || part.kind === 'image' || part.kind === 'document') return [part]
    if (part.kind === 'refusal') return [{ kind: 'text', text: part.text }]
    losses.add('unknown_block')
    return []
  }
}

function onlyNative(at: string) {
  return invalidParameter(at, 'works only with models whose provider speaks chat completions')
}

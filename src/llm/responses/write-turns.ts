import type { LossName } from '../canonical/losses.ts'
import type {
  DocumentSource,
  ImageSource,
  Part,
  ReasoningPart,
  ResultPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from '../canonical/request.ts'
import { isProofOf } from '../canonical/seal.ts'
import type { ToolNaming } from '../tools/tool-naming.ts'
import { digestOf, shortCallId } from '../values/names.ts'
import { readReasoningProof } from './reasoning-proof.ts'

export interface TurnsContext {
  provider: string
  naming: ToolNaming
  losses: Set<LossName>
}

/**
 * Turns become items: this wire takes a turn apart into messages, calls, results and reasoning, in their order. The
 * system's turns at the beginning are not among them, they are the instructions.
 */
export function writeTurns(turns: readonly Turn[], context: TurnsContext): object[] {
  const items: object[] = []
  for (const turn of turns) writeTurn(turn, items, context)
  return items
}

function writeTurn(turn: Turn, items: object[], context: TurnsContext): void {
  const role = turn.role === 'system' ? 'developer' : turn.role
  let content: object[] = []
  const endMessage = () => {
    if (content.length > 0 && role !== 'assistant') items.push({ type: 'message', role, content })
    else if (content.length > 0) items.push(writeAnswer(content, items.length))
    content = []
  }
  for (const part of turn.parts) {
    const said = role === 'assistant' ? writeOutputPart(part) : saidByOthers(part)
    if (said !== undefined) {
      content.push(said)
      continue
    }
    const item = writeItem(part, context)
    if (item === undefined) continue
    endMessage()
    items.push(item)
  }
  endMessage()
}

/**
 * What the assistant said is an item of the vendor's own making, and strict readers want it whole. Its id is the same in
 * every request of a conversation, so that the vendor's prompt cache still fits.
 */
function writeAnswer(content: readonly object[], place: number): object {
  const id = `msg_${place}_${digestOf(JSON.stringify(content))}`
  return { type: 'message', id, role: 'assistant', status: 'completed', content }
}

function saidByOthers(part: Part): object | undefined {
  switch (part.kind) {
    case 'text':
    case 'image':
    case 'document':
      return writeInputPart(part)
    case 'refusal':
      return writeInputPart({ kind: 'text', text: part.text })
    default:
      return undefined
  }
}

/** What stands between messages; undefined: it is lost, and declared. */
function writeItem(part: Part, context: TurnsContext): object | undefined {
  switch (part.kind) {
    case 'tool-call':
      return writeCall(part, context.naming)
    case 'tool-result':
      return writeToolResult(part)
    case 'reasoning':
      return writeReasoning(part, context)
    case 'opaque':
      if (part.origin === 'responses') return part.raw
      break
    default:
  }
  context.losses.add('unknown_block')
  return undefined
}

/** Vendors of this wire refuse longer ids. */
const ID_LENGTH_MAX = 64

function writeCall({ callId, name, namespace, input }: ToolCallPart, naming: ToolNaming): object {
  const named = {
    call_id: shortCallId(callId, ID_LENGTH_MAX),
    name: namespace === undefined ? naming.nameOf({ name, namespace }, input.kind) : name,
    ...(namespace === undefined ? {} : { namespace }),
  }
  return input.kind === 'text'
    ? { type: 'custom_tool_call', ...named, input: input.text }
    : { type: 'function_call', ...named, arguments: input.text === '' ? '{}' : input.text }
}

function writeToolResult({ callId, isCustom, isError, parts }: ToolResultPart): object {
  return {
    type: isCustom ? 'custom_tool_call_output' : 'function_call_output',
    call_id: shortCallId(callId, ID_LENGTH_MAX),
    output: writeResult(parts, isError),
  }
}

/** Reasoning goes back only to the vendor that can check it: another vendor would take it for words of its own model. */
function writeReasoning(
  { text, seal }: ReasoningPart,
  { provider, losses }: TurnsContext,
): object | undefined {
  if (seal === undefined || !isProofOf(provider, seal)) {
    losses.add(seal === undefined ? 'reasoning_replay' : 'foreign_seal')
    return undefined
  }
  const { id, encryptedContent } = readReasoningProof(seal.proof)
  // Without its content the vendor would look the id up in the account that all organizations share.
  if (encryptedContent.trim() === '') {
    losses.add('foreign_seal')
    return undefined
  }
  return {
    type: 'reasoning',
    id,
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    encrypted_content: encryptedContent,
  }
}

/** A part of what a user, a developer or a tool says. */
function writeInputPart(part: ResultPart): object {
  switch (part.kind) {
    case 'text':
      return { type: 'input_text', text: part.text }
    case 'image':
      return { type: 'input_image', image_url: urlOf(part.source), detail: part.detail ?? 'auto' }
    case 'document':
      return writeDocument(part.source, part.name)
  }
}

/** A plain text needs no file: it is said, with its name above it. */
function writeDocument(source: DocumentSource, name: string | undefined): object {
  switch (source.kind) {
    case 'text':
      return { type: 'input_text', text: name === undefined ? source.text : `${name}\n\n${source.text}` }
    case 'url':
      return { type: 'input_file', file_url: source.url }
    case 'base64':
      return { type: 'input_file', filename: name ?? fileName(source.mediaType), file_data: urlOf(source) }
  }
}

function urlOf(source: ImageSource): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`
}

function fileName(mediaType: string): string {
  return mediaType === 'application/pdf' ? 'document.pdf' : 'document.txt'
}

/** A part of what the assistant said; undefined: it has no place among its words. */
function writeOutputPart(part: Part): object | undefined {
  if (part.kind === 'text') return { type: 'output_text', text: part.text, annotations: [] }
  return part.kind === 'refusal' ? { type: 'refusal', refusal: part.text } : undefined
}

/** Text alone is a plain string, which every vendor of this wire takes. */
function writeResult(parts: readonly ResultPart[], isError: boolean): string | object[] {
  if (parts.every((part) => part.kind === 'text')) {
    const text = parts.map((part) => part.text).join('\n')
    return isError ? `${ERROR_MARK}\n${text}` : text
  }
  const written = parts.map(writeInputPart)
  return isError ? [{ type: 'input_text', text: ERROR_MARK }, ...written] : written
}

/** This wire cannot mark a result as failed, so it is said in words. */
const ERROR_MARK = '[The tool failed.]'

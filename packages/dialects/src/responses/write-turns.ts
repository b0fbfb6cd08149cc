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
import type {
  CallOutput,
  CustomToolCall,
  FunctionCall,
  InputItem,
  InputMessage,
  InputPart,
  OutputMessage,
  OutputPart,
  ReasoningItem,
} from './wire.ts'

export interface ResponsesTurnsContext {
  provider: string
  naming: ToolNaming
  losses: Set<LossName>
}

/**
 * Writes turns as items: this dialect splits a turn into messages, calls, results and reasoning, in order. The caller
 * keeps back the system turns at the beginning, which become the instructions.
 */
export function writeTurns(turns: readonly Turn[], context: ResponsesTurnsContext): InputItem[] {
  const items: InputItem[] = []
  for (const turn of turns) writeTurn(turn, items, context)
  return items
}

function writeTurn({ role, parts }: Turn, items: InputItem[], context: ResponsesTurnsContext): void {
  if (role === 'assistant') {
    const writeMessage = (content: OutputPart[]) => writeAnswer(content, items.length)
    addItems(parts, items, { context, writeContent: writeOutputPart, writeMessage })
    return
  }
  const sender = role === 'system' ? 'developer' : role
  const writeMessage = (content: InputPart[]): InputMessage => ({ type: 'message', role: sender, content })
  addItems(parts, items, { context, writeContent: writeInputContent, writeMessage })
}

interface MessageRules<Content> {
  context: ResponsesTurnsContext
  /** undefined: the part is not a part of a message. */
  writeContent(part: Part): Content | undefined
  writeMessage(content: Content[]): InputItem
}
function addItems<Content>(
  parts: readonly Part[],
  items: InputItem[],
  { context, writeContent, writeMessage }: MessageRules<Content>,
): void {
  let content: Content[] = []
  const endMessage = () => {
    if (content.length > 0) items.push(writeMessage(content))
    content = []
  }
  for (const part of parts) {
    const written = writeContent(part)
    if (written !== undefined) {
      content.push(written)
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
 * Writes a message of the assistant with an id, as strict readers need it. The id is the same in every request of a
 * conversation, so that the vendor's prompt cache still matches.
 */
function writeAnswer(content: OutputPart[], place: number): OutputMessage {
  const id = `msg_${place}_${digestOf(JSON.stringify(content))}`
  return { type: 'message', id, role: 'assistant', status: 'completed', content }
}

function writeInputContent(part: Part): InputPart | undefined {
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

/** Writes an item between messages; undefined: the part is lost, and declared. */
function writeItem(part: Part, context: ResponsesTurnsContext): InputItem | undefined {
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

/** Maximum length of ids for vendors of this dialect. */
const ID_LENGTH_MAX = 64

function writeCall(
  { callId, name, namespace, input }: ToolCallPart,
  naming: ToolNaming,
): FunctionCall | CustomToolCall {
  const named = {
    call_id: shortCallId(callId, ID_LENGTH_MAX),
    name: namespace === undefined ? naming.nameOf({ name, namespace }, input.kind) : name,
    ...(namespace === undefined ? {} : { namespace }),
  }
  return input.kind === 'text'
    ? { type: 'custom_tool_call', ...named, input: input.text }
    : { type: 'function_call', ...named, arguments: input.text === '' ? '{}' : input.text }
}

function writeToolResult({ callId, isCustom, isError, parts }: ToolResultPart): CallOutput {
  return {
    type: isCustom ? 'custom_tool_call_output' : 'function_call_output',
    call_id: shortCallId(callId, ID_LENGTH_MAX),
    output: writeResult(parts, isError),
  }
}

/** Reasoning goes back only to the vendor that can check it: others would take it for text of their own model. */
function writeReasoning(
  { text, seal }: ReasoningPart,
  { provider, losses }: ResponsesTurnsContext,
): ReasoningItem | undefined {
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

function writeInputPart(part: ResultPart): InputPart {
  switch (part.kind) {
    case 'text':
      return { type: 'input_text', text: part.text }
    case 'image':
      return { type: 'input_image', image_url: urlOf(part.source), detail: part.detail ?? 'auto' }
    case 'document':
      return writeDocument(part.source, part.name)
  }
}

/** Plain text needs no file: its name stands above it. */
function writeDocument(source: DocumentSource, name: string | undefined): InputPart {
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

/** Writes a part of the assistant's message; undefined: the part is an item of its own. */
function writeOutputPart(part: Part): OutputPart | undefined {
  if (part.kind === 'text') return { type: 'output_text', text: part.text, annotations: [], logprobs: [] }
  return part.kind === 'refusal' ? { type: 'refusal', refusal: part.text } : undefined
}

/** Text alone is a string, which every vendor of this dialect takes. */
function writeResult(parts: readonly ResultPart[], isError: boolean): string | InputPart[] {
  if (parts.every((part) => part.kind === 'text')) {
    const text = parts.map((part) => part.text).join('\n')
    return isError ? `${ERROR_MARK}\n${text}` : text
  }
  const written = parts.map(writeInputPart)
  return isError ? [{ type: 'input_text', text: ERROR_MARK }, ...written] : written
}

/** This dialect cannot mark a result as failed, so the text states it. */
const ERROR_MARK = '[The tool failed.]'

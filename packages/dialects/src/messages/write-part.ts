import type { LossName } from '../canonical/losses.ts'
import type {
  DocumentSource,
  Part,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
} from '../canonical/request.ts'
import { isProofOf } from '../canonical/seal.ts'
import { isJsonObject } from '../json/json-object.ts'
import { parseExact } from '../json/parse-exact.ts'
import { RequestError } from '../request-error.ts'
import type { ToolNaming } from '../tools/tool-naming.ts'
import { readRedactedProof } from './shown-reasoning.ts'
import type { Block, CacheControl, DocumentBlock, MediaSource, ToolResultBlock } from './wire.ts'

export interface WritePartContext {
  provider: string
  naming: ToolNaming
  losses: Set<LossName>
}

/** undefined: the part has no place in this dialect. */
export function writePart(part: Part, context: WritePartContext): Block | undefined {
  const block = writeBlock(part, context)
  if (block === undefined || !('isCacheEnd' in part) || part.isCacheEnd !== true) return block
  return { ...block, cache_control: CACHE_MARK }
}

export const CACHE_MARK: CacheControl = { type: 'ephemeral' }

function writeBlock(part: Part, context: WritePartContext): Block | undefined {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return writeText(part.text)
    case 'image':
      return writeImage(part, context.losses)
    case 'document':
      return writeDocument(part)
    case 'tool-call':
      return writeCall(part, context.naming)
    case 'tool-result':
      return writeResult(part, context)
    case 'reasoning':
      return writeReasoning(part, context)
    case 'opaque':
      return writeOpaque(part, context)
  }
}

/** This dialect refuses a text that has only blanks. */
function writeText(text: string): Block | undefined {
  return text.trim() === '' ? undefined : { type: 'text', text }
}

function writeCall({ callId, name, namespace, input }: ToolCallPart, naming: ToolNaming): Block {
  return {
    type: 'tool_use',
    id: writeCallId(callId),
    name: naming.nameOf({ name, namespace }, input.kind),
    input: input.kind === 'text' ? { input: input.text } : readArguments(input.text),
  }
}

/** Arguments that are not a JSON object become the member `input` of an object. */
function readArguments(json: string): object {
  if (json.trim() === '') return {}
  const value = parseExact(json)
  return isJsonObject(value) ? value : { input: json }
}

/** Ids of other dialects may have characters that this dialect refuses. */
function writeCallId(callId: string): string {
  return callId.replace(/[^a-zA-Z0-9_-]/g, (character) => `_${character.charCodeAt(0).toString(16)}`)
}

function writeResult({ callId, isError, parts }: ToolResultPart, context: WritePartContext): Block {
  const content = parts.map((part) => writePart(part, context)).filter((block) => block !== undefined)
  const block: ToolResultBlock = { type: 'tool_result', tool_use_id: writeCallId(callId) }
  if (content.length > 0) block.content = content
  if (isError) block.is_error = true
  return block
}

function writeReasoning(
  { text, seal }: ReasoningPart,
  { provider, losses }: WritePartContext,
): Block | undefined {
  if (seal === undefined || !isProofOf(provider, seal)) {
    losses.add(seal === undefined ? 'reasoning_replay' : 'foreign_seal')
    return undefined
  }
  const data = readRedactedProof(seal.proof)
  if (data !== undefined) return { type: 'redacted_thinking', data }
  return { type: 'thinking', thinking: text, signature: seal.proof }
}

function writeOpaque(
  { origin, raw }: Extract<Part, { kind: 'opaque' }>,
  { losses }: WritePartContext,
): Block | undefined {
  if (origin === 'messages' && 'type' in raw && typeof raw.type === 'string') {
    return { ...raw, type: raw.type }
  }
  losses.add('unknown_block')
  return undefined
}

function writeImage({ source, detail }: Extract<Part, { kind: 'image' }>, losses: Set<LossName>): Block {
  if (detail !== undefined && detail !== 'auto') losses.add('image_detail')
  if (source.kind === 'url') return { type: 'image', source: writeUrl(source.url, 'image') }
  return { type: 'image', source: { type: 'base64', media_type: source.mediaType, data: source.data } }
}

function writeDocument({ source, name }: Extract<Part, { kind: 'document' }>): Block {
  const block: DocumentBlock = { type: 'document', source: writeSource(source) }
  if (name !== undefined && name !== '') block.title = name
  return block
}

function writeSource(source: DocumentSource): DocumentBlock['source'] {
  if (source.kind === 'url') return writeUrl(source.url, 'document')
  if (source.kind === 'text') return writePlain(source.text)
  if (source.mediaType === 'application/pdf') {
    return { type: 'base64', media_type: source.mediaType, data: source.data }
  }
  if (source.mediaType.startsWith('text/')) {
    return writePlain(Buffer.from(source.data, 'base64').toString('utf8'))
  }
  throw new RequestError('invalid_parameter', {
    param: 'input',
    message: `This model reads PDF and plain text documents, not ${source.mediaType}.`,
  })
}

function writePlain(data: string): DocumentBlock['source'] {
  return { type: 'text', media_type: 'text/plain', data }
}

function writeUrl(url: string, what: string): MediaSource {
  if (url.slice(0, 8).toLowerCase() === 'https://') return { type: 'url', url }
  throw new RequestError('invalid_parameter', { param: 'input', message: `The ${what} URL must be HTTPS.` })
}

import type { OutputFormat, Part, TextRequest, Tool } from '../canonical/request.ts'
import { countDocument, countImage } from './count-media.ts'
import { countText, PROOF_CHARACTERS_PER_TOKEN } from './count-text.ts'

export { countBody } from './count-body.ts'
export { countText }

/** Estimates the input tokens of a request: its turns, media and tools. */
export function countRequest({ turns, tools, format }: TextRequest): number {
  let tokens = REQUEST_TOKENS
  for (const { parts } of turns) tokens += TURN_TOKENS + countParts(parts)
  for (const tool of tools) tokens += TOOL_TOKENS + countTool(tool)
  return tokens + countFormat(format)
}

/** Tokens that vendors put around a request, each turn, tool, call and result. */
const REQUEST_TOKENS = 3
const TURN_TOKENS = 3
const TOOL_TOKENS = 8
const CALL_TOKENS = 6

function countParts(parts: readonly Part[]): number {
  let tokens = 0
  for (const part of parts) tokens += countPart(part)
  return tokens
}

function countPart(part: Part): number {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return countText(part.text)
    case 'reasoning':
      return part.hidden ? countProof(part.seal?.proof) : countText(part.text)
    case 'image':
      return countImage(part.source)
    case 'document':
      return countDocument(part.source) + countText(part.name ?? '')
    case 'tool-call':
      return CALL_TOKENS + countText(part.name) + countText(part.input.text)
    case 'tool-result':
      return CALL_TOKENS + countParts(part.parts)
    case 'opaque':
      return countText(JSON.stringify(part.raw))
  }
}

function countProof(proof: string | undefined): number {
  return Math.ceil((proof?.length ?? 0) / PROOF_CHARACTERS_PER_TOKEN)
}

function countTool({ name, description, input }: Tool): number {
  const shape = input.kind === 'json' ? input.schema : input.format
  return countText(name) + countText(description ?? '') + countShape(shape)
}

function countFormat(format: OutputFormat | undefined): number {
  if (format?.kind !== 'json-schema') return 0
  return countText(format.name ?? '') + countText(format.description ?? '') + countShape(format.schema)
}

function countShape(shape: object | undefined): number {
  return shape === undefined ? 0 : countText(JSON.stringify(shape))
}

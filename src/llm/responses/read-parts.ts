import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { hasAny } from '../hub/has-any.ts'
import { isAbsent } from '../hub/is-absent.ts'
import type { LossName } from '../hub/losses.ts'
import type { Part, ResultPart } from '../hub/text-request.ts'
import { readFile, readImage } from './read-sources.ts'
import { textOf } from './text-of.ts'

/** The content of a message. A kind of part nobody else knows stays as it is, for its writer to declare. */
export function readMessageParts(content: unknown, at: string, losses: Set<LossName>): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return members(content).map(
    (raw, index): Part =>
      readPart(raw, `${at}.${index}`, losses) ?? { kind: 'opaque', origin: 'responses', raw },
  )
}

/** The output of a tool, which is text, images and files and nothing else. */
export function readResultParts(output: unknown, at: string, losses: Set<LossName>): ResultPart[] {
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
  if (!isAbsent(part.prompt_cache_breakpoint)) losses.add('cache_control')
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      if (hasAny(part.annotations)) losses.add('citations')
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

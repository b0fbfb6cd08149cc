import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { invalidParameter } from '../canonical/bad-parameter.ts'
import type { LossName } from '../canonical/losses.ts'
import { EFFORTS, type Effort, type OutputFormat, type ReasoningOptions } from '../canonical/request.ts'
import { hasUnknownFields } from '../values/values.ts'
import { textOf } from './wire.ts'

/** How to reason, and whether the client wants to send the reasoning back. */
export function readReasoning(body: JsonObject, losses: Set<LossName>): ReasoningOptions | undefined {
  const wantsSeal = readInclude(body.include, losses)
  const reasoning = isJsonObject(body.reasoning) ? body.reasoning : {}
  const effort = readEffort(reasoning.effort)
  const summary = readSummary(reasoning.summary ?? reasoning.generate_summary)
  if (hasUnknownFields(reasoning, REASONING_FIELDS)) losses.add('unknown_field')
  if (effort === undefined && summary === undefined && !wantsSeal) return undefined
  return { effort, budgetTokens: undefined, summary, wantsSeal }
}

function readEffort(effort: unknown): Effort | undefined {
  if (typeof effort !== 'string') return undefined
  const known = EFFORTS.find((one) => one === effort)
  if (known !== undefined) return known
  throw invalidParameter('reasoning.effort', `must be one of ${EFFORTS.join(', ')} for this model`)
}

const SUMMARIES = ['none', 'auto', 'concise', 'detailed'] as const

function readSummary(summary: unknown): ReasoningOptions['summary'] {
  if (typeof summary !== 'string') return undefined
  const known = SUMMARIES.find((one) => one === summary)
  if (known !== undefined) return known
  throw invalidParameter('reasoning.summary', 'must be auto, concise or detailed for this model')
}

const REASONING_FIELDS: ReadonlySet<string> = new Set(['effort', 'summary', 'generate_summary'])

/** Seals are what a converted model can add; whatever else is asked for is lost. */
function readInclude(include: unknown, losses: Set<LossName>): boolean {
  if (!Array.isArray(include)) return false
  let wantsSeal = false
  for (const one of include) {
    if (one === 'reasoning.encrypted_content') wantsSeal = true
    else losses.add(one === 'message.output_text.logprobs' ? 'logprobs' : 'include')
  }
  return wantsSeal
}

export function readFormat(text: unknown, losses: Set<LossName>): OutputFormat | undefined {
  if (!isJsonObject(text)) return undefined
  if (hasUnknownFields(text, TEXT_FIELDS)) losses.add('unknown_field')
  const { format } = text
  if (!isJsonObject(format)) return undefined
  if (hasUnknownFields(format, FORMAT_FIELDS)) losses.add('unknown_field')
  if (format.type === 'text') return undefined
  if (format.type === 'json_object') return { kind: 'json-object' }
  if (format.type !== 'json_schema' || !isJsonObject(format.schema)) {
    throw invalidParameter('text.format.type', 'must be text, json_object or json_schema for this model')
  }
  return {
    kind: 'json-schema',
    name: textOf(format.name) || undefined,
    description: textOf(format.description) || undefined,
    schema: format.schema,
    strict: typeof format.strict === 'boolean' ? format.strict : undefined,
  }
}

const TEXT_FIELDS: ReadonlySet<string> = new Set(['format', 'verbosity'])
const FORMAT_FIELDS: ReadonlySet<string> = new Set(['type', 'name', 'description', 'schema', 'strict'])

export function readVerbosity(text: unknown): string | undefined {
  return isJsonObject(text) ? textOf(text.verbosity) || undefined : undefined
}

/** `user` is the older name of the same thing. */
export function readUserId({ safety_identifier: identifier, user }: JsonObject): string | undefined {
  return textOf(identifier) || textOf(user) || undefined
}

/** "auto" asks for what the vendor does anyway. */
export function readServiceTier(tier: unknown): string | undefined {
  return tier === 'auto' ? undefined : textOf(tier) || undefined
}

export function readMetadata(
  metadata: unknown,
  losses: Set<LossName>,
): Readonly<Record<string, string>> | undefined {
  if (!isJsonObject(metadata)) return undefined
  const entries = Object.entries(metadata)
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  if (texts.length < entries.length) losses.add('metadata')
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
}

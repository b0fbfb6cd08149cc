import { invalidParameter } from '../canonical/bad-parameter.ts'
import type { LossName } from '../canonical/losses.ts'
import { readEffort } from '../canonical/read-settings.ts'
import type { OutputFormat, ReasoningOptions } from '../canonical/request.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { hasUnknownFields, textOf } from '../values/values.ts'

/** Reads the reasoning options, and whether the client wants to send the reasoning back. */
export function readReasoning(body: JsonObject, losses: Set<LossName>): ReasoningOptions | undefined {
  const wantsSeal = readInclude(body.include, losses)
  const reasoning = isJsonObject(body.reasoning) ? body.reasoning : {}
  const effort = readEffort(reasoning.effort, 'reasoning.effort')
  const summary = readSummary(reasoning.summary ?? reasoning.generate_summary)
  if (hasUnknownFields(reasoning, REASONING_FIELDS)) losses.add('unknown_field')
  if (effort === undefined && summary === undefined && !wantsSeal) return undefined
  return { effort, budgetTokens: undefined, summary, wantsSeal }
}

const SUMMARIES = ['none', 'auto', 'concise', 'detailed'] as const

function readSummary(summary: unknown): ReasoningOptions['summary'] {
  if (typeof summary !== 'string') return undefined
  const known = SUMMARIES.find((one) => one === summary)
  if (known !== undefined) return known
  throw invalidParameter('reasoning.summary', 'must be auto, concise or detailed for this model')
}

const REASONING_FIELDS: ReadonlySet<string> = new Set(['effort', 'summary', 'generate_summary'])

/** A converted model can add seals only; other extra output is lost. */
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

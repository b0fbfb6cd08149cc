import type { LossName } from '../canonical/losses.ts'
import {
  EFFORTS,
  type Effort,
  type OutputFormat,
  type ReasoningOptions,
  type TextRequest,
} from '../canonical/request.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { RequestError } from '../request-error.ts'
import { hasUnknownFields, isNil } from '../values/values.ts'
import { invalid } from './body-path.ts'
import { readToolChoice, readTools } from './read-tools.ts'
import { readTurns, refuseThread } from './read-turns.ts'

/** Reads a request of this dialect. The body has passed its check. */
export function readMessagesRequest(body: JsonObject): TextRequest {
  refuseThread(body)
  const losses = new Set<LossName>()
  const tools = readTools(body, losses)
  declareTopLevel(body, losses)
  return {
    stream: body.stream === true,
    turns: readTurns(body, losses),
    maxOutputTokens: numberOrNone(body.max_tokens),
    temperature: numberOrNone(body.temperature),
    topP: numberOrNone(body.top_p),
    stopSequences: readStopSequences(body.stop_sequences),
    tools,
    toolChoice: tools.length === 0 ? undefined : readToolChoice(body.tool_choice),
    parallelToolCalls: tools.length === 0 ? undefined : readParallel(body.tool_choice),
    reasoning: readReasoning(body, losses),
    format: readFormat(body, losses),
    verbosity: undefined,
    userId: readUserId(body.metadata),
    serviceTier: readServiceTier(body.service_tier, losses),
    metadata: undefined,
    cacheKey: undefined,
    losses: [...losses],
  }
}

/** Fields that this reader handles. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'max_tokens', 'system', 'temperature', 'top_p', 'top_k', 'stream'],
  ...['stop_sequences', 'tools', 'tool_choice', 'thinking', 'output_config', 'output_format'],
  ...['metadata', 'service_tier', 'inference_geo', 'cache_control', 'context_management'],
  ...['safeguards', 'mcp_servers', 'thread'],
])

const LOST_FIELDS = ['top_k', 'inference_geo', 'cache_control', 'context_management', 'safeguards'] as const

function declareTopLevel(body: JsonObject, losses: Set<LossName>): void {
  for (const field of LOST_FIELDS) if (!isNil(body[field])) losses.add(field)
  if (hasUnknownFields(body, KNOWN_FIELDS)) losses.add('unknown_field')
  for (const [field, known] of KNOWN_MEMBERS) {
    const setting = body[field]
    if (isJsonObject(setting) && hasUnknownFields(setting, known)) losses.add('unknown_field')
  }
}

/** Members of settings that this reader handles. */
const KNOWN_MEMBERS: readonly (readonly [string, ReadonlySet<string>])[] = [
  ['thinking', new Set(['type', 'budget_tokens', 'display'])],
  ['output_config', new Set(['effort', 'format'])],
  ['metadata', new Set(['user_id'])],
]

function numberOrNone(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function readStopSequences(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  if (value.length > STOPS_MAX) throw badStops(`must have at most ${STOPS_MAX} members for this model`)
  const sequences = value.filter((sequence) => typeof sequence === 'string')
  if (sequences.some(({ length }) => length > STOP_LENGTH_MAX)) {
    throw badStops(`must have members of at most ${STOP_LENGTH_MAX} characters for this model`)
  }
  return sequences
}

/** The gateway searches for sequences that the vendor does not take, and stores every prefix of each. */
const STOPS_MAX = 64
const STOP_LENGTH_MAX = 1_000

function badStops(demand: string): RequestError {
  return invalid(undefined, 'stop_sequences', demand)
}

function readParallel(choice: unknown): boolean | undefined {
  if (!isJsonObject(choice) || typeof choice.disable_parallel_tool_use !== 'boolean') return undefined
  return !choice.disable_parallel_tool_use
}

/** `output_format` is the former name of `output_config.format`. */
function readFormat(
  { output_config: config, output_format: former }: JsonObject,
  losses: Set<LossName>,
): OutputFormat | undefined {
  const format = isJsonObject(config) && !isNil(config.format) ? config.format : former
  if (!isJsonObject(format) || !isJsonObject(format.schema)) return undefined
  if (hasUnknownFields(format, FORMAT_FIELDS)) losses.add('unknown_field')
  return {
    kind: 'json-schema',
    name: typeof format.name === 'string' ? format.name : undefined,
    description: undefined,
    schema: format.schema,
    strict: 'promised',
  }
}

const FORMAT_FIELDS: ReadonlySet<string> = new Set(['type', 'name', 'schema'])

function readUserId(metadata: unknown): string | undefined {
  return isJsonObject(metadata) && typeof metadata.user_id === 'string' ? metadata.user_id : undefined
}

/** `auto` asks for the vendors' default; `standard_only` is `default` elsewhere. */
function readServiceTier(tier: unknown, losses: Set<LossName>): string | undefined {
  if (tier === 'standard_only') return 'default'
  if (!isNil(tier) && tier !== 'auto') losses.add('service_tier')
  return undefined
}

/**
 * Reads the reasoning options: a budget, the model's own choice (adaptive), an effort, or some of them. With options
 * that do not disable thinking, reasoning comes back sealed, because clients send it back. undefined: no options.
 */
function readReasoning(
  { thinking, output_config: config }: JsonObject,
  losses: Set<LossName>,
): ReasoningOptions | undefined {
  const effort = isJsonObject(config) ? readEffort(config.effort) : undefined
  if (!isJsonObject(thinking)) {
    if (effort === undefined) return undefined
    return { effort, budgetTokens: undefined, summary: 'auto', wantsSeal: true }
  }
  if (thinking.type === 'disabled') {
    const value = effort === 'none' ? effort : undefined
    return { effort: value, budgetTokens: 0, summary: undefined, wantsSeal: false }
  }
  if (typeof thinking.type !== 'string' || !KINDS.includes(thinking.type)) {
    throw new RequestError('invalid_parameter', {
      param: 'thinking.type',
      message: `This model takes only these kinds of thinking: ${KINDS.join(', ')}, disabled.`,
    })
  }
  if (!isNil(thinking.display) && !DISPLAYS.includes(thinking.display)) losses.add('reasoning_summary')
  return {
    effort,
    budgetTokens: typeof thinking.budget_tokens === 'number' ? thinking.budget_tokens : undefined,
    summary: thinking.display === 'omitted' ? 'none' : 'auto',
    wantsSeal: true,
  }
}

const KINDS: readonly string[] = ['enabled', 'adaptive', 'between_tools']
const DISPLAYS: readonly unknown[] = ['summarized', 'omitted']

function readEffort(value: unknown): Effort | undefined {
  if (isNil(value)) return undefined
  const effort = EFFORTS.find((known) => known === value)
  if (effort !== undefined) return effort
  throw new RequestError('invalid_parameter', {
    param: 'output_config.effort',
    message: `output_config.effort must be one of ${EFFORTS.join(', ')}.`,
  })
}

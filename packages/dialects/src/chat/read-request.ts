import { invalidParameter } from '../canonical/bad-parameter.ts'
import { applyPolicies } from '../canonical/field-policy.ts'
import type { LossName } from '../canonical/losses.ts'
import { readEffort, readMetadata, readServiceTier, readUserId } from '../canonical/read-settings.ts'
import {
  hasContent,
  type OutputFormat,
  type ReasoningOptions,
  type TextRequest,
  type Turn,
} from '../canonical/request.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { hasUnknownFields, textOf } from '../values/values.ts'
import { asksForNothing, FIELD_POLICIES } from './field-policies.ts'
import { readMessages } from './read-messages.ts'
import { readToolChoice, readTools } from './read-tools.ts'

/** Reads a request of this dialect. The body has passed its check. */
export function readChatRequest(body: JsonObject): TextRequest {
  const losses = new Set<LossName>()
  applyPolicies(body, { policies: FIELD_POLICIES, asksForNothing }, losses)
  const offered = readTools(body.tools, losses)
  applyRules(body, offered.length > 0, losses)
  const { tools, choice } = readToolChoice(body.tool_choice, offered)
  const hasTools = tools.length > 0
  return {
    stream: body.stream === true,
    streamsUsage: asksForUsage(body),
    turns: readTurns(body, losses),
    maxOutputTokens: numberOrNothing(body.max_completion_tokens) ?? numberOrNothing(body.max_tokens),
    temperature: numberOrNothing(body.temperature),
    topP: numberOrNothing(body.top_p),
    stopSequences: readStops(body.stop),
    tools,
    toolChoice: hasTools ? choice : undefined,
    parallelToolCalls:
      hasTools && typeof body.parallel_tool_calls === 'boolean' ? body.parallel_tool_calls : undefined,
    reasoning: readReasoning(body, losses),
    format: readFormat(body.response_format, losses),
    verbosity: textOf(body.verbosity) || undefined,
    userId: readUserId(body),
    serviceTier: readServiceTier(body.service_tier),
    metadata: readMetadata(body.metadata, losses),
    cacheKey: textOf(body.prompt_cache_key) || undefined,
    losses: [...losses],
  }
}

/** Whether the client wants a last chunk with the usage. */
export function asksForUsage({ stream_options: options }: JsonObject): boolean {
  return isJsonObject(options) && options.include_usage === true
}

/** Applies the rules of fields that a conversion can carry in part. */
function applyRules(body: JsonObject, hasTools: boolean, losses: Set<LossName>): void {
  if (typeof body.n === 'number' && body.n > 1) {
    throw invalidParameter('n', 'must be 1 for this model: ask several times instead')
  }
  const { modalities, web_search_options: search } = body
  if (Array.isArray(modalities) && modalities.some((one) => one !== 'text')) {
    throw invalidParameter('modalities', 'must be text alone for this model')
  }
  if (!isJsonObject(search)) return
  // An agent that always offers the search continues with its own tools.
  if (!hasTools)
    throw invalidParameter('web_search_options', 'works only with native models of its own vendor')
  losses.add('web_search')
}

function readTurns(body: JsonObject, losses: Set<LossName>): Turn[] {
  const turns = readMessages(Array.isArray(body.messages) ? body.messages : [], losses)
  if (!turns.some(({ parts }) => parts.some(hasContent))) {
    throw invalidParameter(
      'messages',
      'must have a text, a file, a call or a tool result that this model takes',
    )
  }
  return turns
}

function readStops(stop: unknown): string[] {
  const stops: readonly unknown[] = Array.isArray(stop) ? stop : [stop]
  return stops.filter((one): one is string => typeof one === 'string' && one !== '')
}

/**
 * Reads the reasoning options of the common vendors: `reasoning_effort`, an object `reasoning` with `effort`, `max_tokens`,
 * `enabled` and `exclude`, an object `thinking`, and `enable_thinking`. Only clients that send `reasoning` can send a proof
 * back, so only they get one.
 */
function readReasoning(body: JsonObject, losses: Set<LossName>): ReasoningOptions | undefined {
  const reasoning = isJsonObject(body.reasoning) ? body.reasoning : undefined
  const thinking = isJsonObject(body.thinking) ? body.thinking : {}
  if (reasoning !== undefined && hasUnknownFields(reasoning, REASONING_FIELDS)) losses.add('unknown_field')
  if (hasUnknownFields(thinking, THINKING_FIELDS)) losses.add('unknown_field')
  const effort =
    readEffort(body.reasoning_effort, 'reasoning_effort') ?? readEffort(reasoning?.effort, 'reasoning.effort')
  const isOff = thinking.type === 'disabled' || body.enable_thinking === false || reasoning?.enabled === false
  const budgetTokens = isOff
    ? 0
    : (numberOrNothing(reasoning?.max_tokens) ?? numberOrNothing(thinking.budget_tokens))
  if (effort === undefined && budgetTokens === undefined && reasoning === undefined) return undefined
  return { effort, budgetTokens, summary: summaryOf(reasoning), wantsSeal: reasoning !== undefined && !isOff }
}

const REASONING_FIELDS: ReadonlySet<string> = new Set([
  'effort',
  'max_tokens',
  'enabled',
  'exclude',
  'summary',
])
const THINKING_FIELDS: ReadonlySet<string> = new Set(['type', 'budget_tokens'])

function summaryOf(reasoning: JsonObject | undefined): ReasoningOptions['summary'] {
  if (reasoning === undefined) return undefined
  if (reasoning.exclude === true) return 'none'
  return reasoning.summary === 'concise' || reasoning.summary === 'detailed' ? reasoning.summary : 'auto'
}

function readFormat(format: unknown, losses: Set<LossName>): OutputFormat | undefined {
  if (!isJsonObject(format) || format.type === 'text') return undefined
  if (format.type === 'json_object') return { kind: 'json-object' }
  const shape = Object(format.json_schema)
  if (format.type !== 'json_schema')
    throw invalidParameter('response_format.type', 'must be text, json_object or json_schema for this model')
  if (!isJsonObject(shape.schema))
    throw invalidParameter('response_format.json_schema.schema', 'must be a JSON schema for this model')
  if (hasUnknownFields(shape, SHAPE_FIELDS)) losses.add('unknown_field')
  return {
    kind: 'json-schema',
    name: textOf(shape.name) || undefined,
    description: textOf(shape.description) || undefined,
    schema: shape.schema,
    strict: typeof shape.strict === 'boolean' ? shape.strict : undefined,
  }
}

const SHAPE_FIELDS: ReadonlySet<string> = new Set(['name', 'description', 'schema', 'strict'])

function numberOrNothing(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

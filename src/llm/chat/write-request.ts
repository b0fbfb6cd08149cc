import { type ChatVariant, type DispensableField, USUAL_CHAT } from '../../domain/catalog/chat-variant.ts'
import { isJsonObject } from '../../domain/json-object.ts'
import type { RequestTarget, WriteRequest } from '../canonical/codec.ts'
import { effortOf, reasoningFor, serviceTier } from '../canonical/effort-of.ts'
import type { LossName } from '../canonical/losses.ts'
import {
  hasCacheMarks,
  type OutputFormat,
  type Part,
  type ReasoningOptions,
  type TextRequest,
  type Tool,
  type Turn,
  type ToolChoice as WantedTool,
} from '../canonical/request.ts'
import { strictnessOf } from '../tools/strictness-of.ts'
import { ToolNaming } from '../tools/tool-naming.ts'
import { formatName } from '../values/names.ts'
import { shortUserId } from '../values/short-user-id.ts'
import { unlessDefault } from '../values/values.ts'
import type { ChatRequest, ResponseFormat, ToolChoice, ToolDefinition } from './wire.ts'
import { writeTurns } from './write-turns.ts'

/** A request for a vendor of chat completions. Members that are undefined do not reach the wire. */
export const writeChatRequest: WriteRequest = (request, target) => {
  const losses = new Set<LossName>()
  if (hasCacheMarks(request.turns)) losses.add('cache_control')
  const naming = new ToolNaming(request.tools)
  const hasTools = request.tools.length > 0
  const { toolChoice } = request
  const { chat = USUAL_CHAT } = target
  const turns = arrangeInstructions(request.turns, chat.instructions, losses)
  const sentStops = request.stopSequences.slice(0, STOP_SEQUENCES_MAX)
  const body: ChatRequest = {
    model: target.model,
    messages: writeTurns(turns, { naming, losses, provider: target.provider, chat }),
    stream: request.stream ? true : undefined,
    stream_options: request.stream ? { include_usage: true } : undefined,
    ...writeOutputBound(request, target, chat),
    temperature: unlessDefault(request.temperature),
    top_p: unlessDefault(request.topP),
    stop: sentStops.length === 0 ? undefined : sentStops,
    tools: hasTools ? writeTools(request.tools, { naming, losses }) : undefined,
    tool_choice: hasTools && toolChoice !== undefined ? writeToolChoice(toolChoice, naming) : undefined,
    parallel_tool_calls: hasTools ? request.parallelToolCalls : undefined,
    response_format: request.format && writeFormat(request.format, losses),
    reasoning_effort: writeEffort(reasoningFor(target, request.reasoning, losses), chat, losses),
    verbosity: request.verbosity,
    user: shortUserId(request.userId),
    prompt_cache_key: request.cacheKey,
    service_tier: serviceTier(request.serviceTier, TIERS, losses),
  }
  leaveOut(body, chat.leavesOut, losses)
  // Vendors of this wire keep them only with the replies that they store, and they are asked to store none.
  if (request.metadata !== undefined && Object.keys(request.metadata).length > 0) losses.add('metadata')
  return {
    body,
    losses: [...losses],
    toolNames: naming.restored,
    unsentStops: request.stopSequences.slice(STOP_SEQUENCES_MAX),
  }
}

/**
 * A client's bound is brought into what the model can do; where it gave none, none is invented. The older `max_tokens`
 * is only for those who know no other: the first vendor's models that reason refuse it.
 */
function writeOutputBound(
  { maxOutputTokens: wanted }: TextRequest,
  { maxOutputTokens: possible }: RequestTarget,
  { outputBound }: ChatVariant,
): Pick<ChatRequest, ChatVariant['outputBound']> {
  if (wanted === undefined) return {}
  return { [outputBound]: possible === undefined ? wanted : Math.min(wanted, possible) }
}

/** Vendors of this wire take no more. */
const STOP_SEQUENCES_MAX = 4

/**
 * All seven words are words of this wire too. A summary is whatever the vendor shows; nothing of it is sealed, unless it
 * is wanted back.
 */
function writeEffort(
  wish: ReasoningOptions | undefined,
  { replaysReasoning, checksSignatures }: ChatVariant,
  losses: Set<LossName>,
): string | undefined {
  if (wish === undefined) return undefined
  if (wish.wantsSeal && !replaysReasoning && !checksSignatures) losses.add('reasoning_seal')
  if (wish.summary === 'concise' || wish.summary === 'detailed') losses.add('reasoning_summary')
  return effortOf(wish)
}

const TIERS: readonly string[] = ['auto', 'default', 'flex', 'scale', 'priority', 'fast']

/** The shape the text is held to. */
function writeFormat(format: OutputFormat, losses: Set<LossName>): ResponseFormat {
  if (format.kind === 'json-object') return { type: 'json_object' }
  const { name, description, schema } = format
  return {
    type: 'json_schema',
    json_schema: {
      name: formatName(name),
      description,
      schema,
      strict: strictnessOf(format, losses),
    },
  }
}

/** Takes what this vendor refuses out of a request, and says what the client loses by it. */
function leaveOut(
  body: Partial<Record<DispensableField, unknown>>,
  fields: readonly DispensableField[],
  losses: Set<LossName>,
): void {
  for (const field of fields) {
    const wish = body[field]
    body[field] = undefined
    const loss = LOST[field]
    if (loss !== undefined && wish !== undefined && wish !== DEFAULTS[field]) losses.add(loss)
  }
}

/** What every vendor does anyway: a client that asks for it loses nothing. */
const DEFAULTS: Partial<Record<DispensableField, unknown>> = {
  parallel_tool_calls: true,
  verbosity: 'medium',
}

/** Without `stream_options` a vendor may tell no usage: the gateway then counts itself. */
const LOST: Readonly<Record<DispensableField, LossName | undefined>> = {
  parallel_tool_calls: 'parallel_tool_calls',
  prompt_cache_key: 'cache_key',
  service_tier: 'service_tier',
  stream_options: undefined,
  user: 'metadata',
  verbosity: 'verbosity',
}

/** The turns as this vendor takes instructions. Most take them as they are. */
export function arrangeInstructions(
  turns: readonly Turn[],
  wanted: ChatVariant['instructions'],
  losses: Set<LossName>,
): readonly Turn[] {
  if (wanted === 'as-sent') return turns
  if (wanted === 'system') return turns.map((turn) => (isInstruction(turn) ? asSystem(turn.parts) : turn))
  const spoken = turns.findIndex((turn) => !isInstruction(turn))
  const first = spoken === -1 ? turns : turns.slice(0, spoken)
  const later = spoken === -1 ? [] : turns.slice(spoken)
  if (later.some(isInstruction)) losses.add('instructions')
  const opening = first.length === 0 ? [] : [asSystem(first.flatMap(({ parts }) => parts))]
  return [...opening, ...later.map((turn) => (isInstruction(turn) ? asUser(turn.parts) : turn))]
}

function isInstruction({ role }: Turn): boolean {
  return role === 'system' || role === 'developer'
}

function asSystem(parts: readonly Part[]): Turn {
  return { role: 'system', parts }
}

/** Marked, so that the model can tell whose words they are. */
function asUser(parts: readonly Part[]): Turn {
  return {
    role: 'user',
    parts: parts.map((part) =>
      part.kind === 'text' && part.text !== ''
        ? { ...part, text: `<system>\n${part.text}\n</system>` }
        : part,
    ),
  }
}

interface ToolsContext {
  naming: ToolNaming
  losses: Set<LossName>
}

function writeTools(tools: readonly Tool[], { naming, losses }: ToolsContext): ToolDefinition[] {
  return tools.map(({ name, namespace, description, input }) => {
    const called = { name: naming.nameOf({ name, namespace }, input.kind) }
    if (input.kind === 'json') {
      const { schema = { type: 'object', properties: {} }, strict } = input
      return { type: 'function', function: { ...called, description, parameters: schema, strict } }
    }
    if (input.format !== undefined) losses.add('tool_grammar')
    const words = [description, FREE_TEXT, input.format && describeGrammar(input.format)]
    return {
      type: 'function',
      function: {
        ...called,
        description: words.filter((word) => word !== undefined && word !== '').join('\n\n'),
        parameters: FREE_TEXT_SCHEMA,
      },
    }
  })
}

const FREE_TEXT = 'Give the whole input of this tool as plain text in `input`.'

const FREE_TEXT_SCHEMA = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The input, as plain text.' } },
  required: ['input'],
  additionalProperties: false,
}

function describeGrammar(format: object): string | undefined {
  if (!isJsonObject(format)) return undefined
  const { syntax, definition } = isJsonObject(format.grammar) ? format.grammar : format
  if (typeof definition !== 'string') return undefined
  const kind = typeof syntax === 'string' ? `${syntax} grammar` : 'grammar'
  return `The input must keep to this ${kind}:\n${definition}`
}

function writeToolChoice(choice: WantedTool, naming: ToolNaming): ToolChoice {
  if (choice.kind !== 'tool') return choice.kind
  return { type: 'function', function: { name: naming.nameOf(choice, 'json') } }
}

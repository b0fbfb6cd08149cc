import { type ChatVariant, type DispensableField, USUAL_CHAT } from '../canonical/chat-variant.ts'
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
  type ToolChoice,
  type Turn,
} from '../canonical/request.ts'
import { isJsonObject } from '../json/json-object.ts'
import { strictnessOf } from '../tools/strictness-of.ts'
import { ToolNaming } from '../tools/tool-naming.ts'
import { formatName, nineCharacterId } from '../values/names.ts'
import { shortUserId } from '../values/short-user-id.ts'
import { unlessDefault } from '../values/values.ts'
import type { ChatRequest, ChatToolChoice, ChatToolDefinition, ResponseFormat } from './wire.ts'
import { writeTurns } from './write-turns.ts'

/** A request for a vendor of chat completions. Members that are undefined do not reach the wire. */
export const writeChatRequest: WriteRequest = (request, target) => {
  const losses = new Set<LossName>()
  if (hasCacheMarks(request.turns)) losses.add('cache_control')
  const naming = new ToolNaming(request.tools)
  const hasTools = request.tools.length > 0
  const { toolChoice } = request
  const { chat = USUAL_CHAT } = target
  const arranged = arrangeInstructions(request.turns, chat.instructions, losses)
  const turns = chat.callIds === 'nine' ? arranged.map(withShortIds) : arranged
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
  // Vendors of this dialect keep metadata only with stored replies, and the gateway never asks them to store one.
  if (request.metadata !== undefined && Object.keys(request.metadata).length > 0) losses.add('metadata')
  return {
    body,
    losses: [...losses],
    toolNames: naming.restored,
    unsentStops: request.stopSequences.slice(STOP_SEQUENCES_MAX),
  }
}

function withShortIds(turn: Turn): Turn {
  const parts = turn.parts.map((part) =>
    'callId' in part ? { ...part, callId: nineCharacterId(part.callId) } : part,
  )
  return { ...turn, parts }
}

/**
 * Limits a client's bound to the model's; where the client gave none, none is sent. The older `max_tokens` is only for
 * vendors that know no other: the first vendor's reasoning models refuse it.
 */
function writeOutputBound(
  { maxOutputTokens: wanted }: TextRequest,
  { maxOutputTokens: possible }: RequestTarget,
  { outputBound }: ChatVariant,
): Pick<ChatRequest, ChatVariant['outputBound']> {
  if (wanted === undefined) return {}
  return { [outputBound]: possible === undefined ? wanted : Math.min(wanted, possible) }
}

/** Maximum number of stop sequences that vendors of this dialect take. */
const STOP_SEQUENCES_MAX = 4

/**
 * Writes the effort; this dialect has all seven values. The vendor decides which summary it shows, and the reply has a
 * seal only if the vendor wants reasoning back or signs its calls.
 */
function writeEffort(
  options: ReasoningOptions | undefined,
  { replaysReasoning, checksSignatures }: ChatVariant,
  losses: Set<LossName>,
): string | undefined {
  if (options === undefined) return undefined
  if (options.wantsSeal && !replaysReasoning && !checksSignatures) losses.add('reasoning_seal')
  if (options.summary === 'concise' || options.summary === 'detailed') losses.add('reasoning_summary')
  return effortOf(options)
}

const TIERS: readonly string[] = ['auto', 'default', 'flex', 'scale', 'priority', 'fast']

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

/** Removes from a request the fields that this vendor refuses, and declares the losses. */
function leaveOut(
  body: Partial<Record<DispensableField, unknown>>,
  fields: readonly DispensableField[],
  losses: Set<LossName>,
): void {
  for (const field of fields) {
    const value = body[field]
    body[field] = undefined
    const loss = LOST[field]
    if (loss !== undefined && value !== undefined && value !== DEFAULTS[field]) losses.add(loss)
  }
}

/** Defaults of every vendor: a client that asks for them loses nothing. */
const DEFAULTS: Partial<Record<DispensableField, unknown>> = {
  parallel_tool_calls: true,
  verbosity: 'medium',
}

/** Losses by field. `stream_options` is no loss: if the vendor reports no usage, the gateway counts the tokens. */
const LOST: Readonly<Record<DispensableField, LossName | undefined>> = {
  parallel_tool_calls: 'parallel_tool_calls',
  prompt_cache_key: 'cache_key',
  service_tier: 'service_tier',
  stream_options: undefined,
  user: 'metadata',
  verbosity: 'verbosity',
}

/** Arranges the turns by the way this vendor takes instructions. Most take them unchanged. */
export function arrangeInstructions(
  turns: readonly Turn[],
  wanted: ChatVariant['instructions'],
  losses: Set<LossName>,
): readonly Turn[] {
  if (wanted === 'as-sent') return turns
  if (wanted === 'system') return turns.map((turn) => (isInstruction(turn) ? asSystem(turn.parts) : turn))
  const conversation = turns.findIndex((turn) => !isInstruction(turn))
  const first = conversation === -1 ? turns : turns.slice(0, conversation)
  const later = conversation === -1 ? [] : turns.slice(conversation)
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

/** Marks the text, so that the model can tell that the system wrote it. */
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

function writeTools(
  tools: readonly Tool[],
  { naming, losses }: { naming: ToolNaming; losses: Set<LossName> },
): ChatToolDefinition[] {
  return tools.map(({ name, namespace, description, input }) => {
    const called = { name: naming.nameOf({ name, namespace }, input.kind) }
    if (input.kind === 'json') {
      const { schema = { type: 'object', properties: {} }, strict } = input
      return { type: 'function', function: { ...called, description, parameters: schema, strict } }
    }
    if (input.format !== undefined) losses.add('tool_grammar')
    const lines = [description, FREE_TEXT, input.format && describeGrammar(input.format)]
    return {
      type: 'function',
      function: {
        ...called,
        description: lines.filter((line) => line !== undefined && line !== '').join('\n\n'),
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

function writeToolChoice(choice: ToolChoice, naming: ToolNaming): ChatToolChoice {
  if (choice.kind !== 'tool') return choice.kind
  return { type: 'function', function: { name: naming.nameOf(choice, 'json') } }
}

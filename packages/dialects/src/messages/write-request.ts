import type { RequestTarget, WriteRequest } from '../canonical/codec.ts'
import { reasoningFor } from '../canonical/effort-of.ts'
import type { LossName } from '../canonical/losses.ts'
import { hasCacheMarks, type TextRequest } from '../canonical/request.ts'
import { isClosedSchema } from '../tools/strictness-of.ts'
import { ToolNaming } from '../tools/tool-naming.ts'
import type { Block, MessagesRequest, MessagesToolDefinition, MessageTurn } from './wire.ts'
import { CACHE_MARK } from './write-part.ts'
import { isForced, type WrittenThinking, writeThinking } from './write-thinking.ts'
import { writeToolChoice, writeTools, writeToolsOfHistory } from './write-tools.ts'
import { GOES_ON, writeTurns } from './write-turns.ts'

export const writeMessagesRequest: WriteRequest = (request, target) => {
  const losses = new Set<LossName>()
  const naming = new ToolNaming(request.tools)
  const tools = writeTools(request.tools, naming, losses)
  const { system, messages } = writeTurns(request.turns, { provider: target.provider, naming, losses })
  const format = writeFormat(request, system, losses)
  const maxTokens = maxTokensOf(request, target)
  const reasoning = reasoningFor(target, request.reasoning, losses)
  const { thinking: mode = 'budget' } = target
  // A model that thinks by effort does not continue a message that was begun for it.
  if (mode !== 'budget' && messages.at(-1)?.role === 'assistant') messages.push(GOES_ON)
  const { thinking, effort } = writeThinking({ ...request, reasoning }, { mode, maxTokens, messages }, losses)
  declareLosses(request, losses)
  const toolFields = writeToolFields(mode === 'always' ? unforced(request, losses) : request, tools, naming)
  const unsentStops = request.stopSequences.filter((stop) => stop.trim() === '')
  const stops = request.stopSequences.filter((stop) => stop.trim() !== '')
  if (hasCacheMarks(request.turns)) keepLastMarks({ system, messages }, losses)
  else markForCache({ tools: toolFields.tools, system, messages })
  const body: MessagesRequest = {
    model: target.model,
    max_tokens: maxTokens,
    messages,
    system: system.length > 0 ? system : undefined,
    ...(mode === 'budget' ? writeSampling(request, thinking, losses) : loseSampling(request, losses)),
    stop_sequences: stops.length > 0 ? stops : undefined,
    ...toolFields,
    thinking,
    output_config: effort === undefined && format === undefined ? undefined : { effort, format },
    metadata: request.userId === undefined ? undefined : { user_id: request.userId },
    service_tier: writeServiceTier(request.serviceTier, losses),
    stream: request.stream,
  }
  return { body, losses: [...losses], toolNames: naming.restored, unsentStops }
}

/**
 * Chooses the bound, which this dialect requires. Without a client's bound it is the model's, since a smaller one
 * would cut answers; a client's bound is limited to the model's.
 */
function maxTokensOf(
  { maxOutputTokens: wanted }: TextRequest,
  { maxOutputTokens: possible }: RequestTarget,
): number {
  if (possible === undefined) return wanted ?? MAX_TOKENS_UNKNOWN
  return wanted === undefined ? possible : Math.min(wanted, possible)
}

/** Bound for a model without one in the catalog: every model of this dialect can write as much. */
const MAX_TOKENS_UNKNOWN = 4_096

const ASK_FOR_JSON: Block = {
  type: 'text',
  text: 'Answer with one JSON object and nothing else: no words around it, no code fence.',
}

const ASK_FOR_SHAPE =
  'Answer with one JSON value and nothing else: no words around it, no code fence. It has to fit this JSON schema:'

/**
 * The highest temperature is 1 here. While a model of this dialect thinks, it takes no temperature and only a high
 * `top_p`. Otherwise it takes one of the two; 1 is the default of both.
 */
function writeSampling(
  { temperature, topP }: TextRequest,
  thinking: WrittenThinking['thinking'],
  losses: Set<LossName>,
): { temperature?: number; top_p?: number } {
  if (thinking?.type === 'enabled') {
    if (temperature !== undefined && temperature !== 1) losses.add('temperature')
    if (topP === undefined || topP >= TOP_P_MIN_THINKING) return topP === undefined ? {} : { top_p: topP }
    losses.add('top_p')
    return {}
  }
  if (temperature === undefined || (temperature === 1 && topP !== undefined))
    return topP === undefined ? {} : { top_p: topP }
  if (temperature > 1) losses.add('temperature')
  if (topP !== undefined && topP !== 1) losses.add('top_p')
  return { temperature: Math.min(temperature, 1) }
}

function loseSampling({ temperature = 1, topP = 1 }: TextRequest, losses: Set<LossName>): object {
  if (temperature !== 1) losses.add('temperature')
  if (topP !== 1) losses.add('top_p')
  return {}
}

const TOP_P_MIN_THINKING = 0.95

/** The request with a choice of tools that leaves the decision to the model. */
function unforced(request: TextRequest, losses: Set<LossName>): TextRequest {
  if (!isForced(request)) return request
  losses.add('tool_choice')
  return { ...request, toolChoice: { kind: 'auto' } }
}

function writeToolFields(
  request: TextRequest,
  tools: MessagesToolDefinition[],
  naming: ToolNaming,
): Pick<MessagesRequest, 'tools' | 'tool_choice'> {
  if (tools.length > 0) return { tools, tool_choice: writeToolChoice(request, naming) }
  const former = writeToolsOfHistory(naming)
  return former.length > 0 ? { tools: former, tool_choice: { type: 'none' } } : {}
}

/** Vendors of this dialect refuse a schema that allows other properties: it goes into the system prompt instead. */
function writeFormat({ format }: TextRequest, system: Block[], losses: Set<LossName>) {
  if (format === undefined) return undefined
  if (format.kind === 'json-object') system.push(ASK_FOR_JSON)
  else if (isClosedSchema(format.schema)) return { type: 'json_schema' as const, schema: format.schema }
  else {
    if (format.strict === true || format.strict === 'promised') losses.add('strict')
    system.push({ type: 'text', text: `${ASK_FOR_SHAPE}\n${JSON.stringify(format.schema)}` })
  }
  return undefined
}

function writeServiceTier(tier: string | undefined, losses: Set<LossName>): string | undefined {
  if (tier === undefined || tier === 'auto') return tier
  if (tier === 'default') return 'standard_only'
  losses.add('service_tier')
  return undefined
}

function declareLosses({ format, verbosity, metadata, cacheKey }: TextRequest, losses: Set<LossName>): void {
  if (format?.kind === 'json-schema' && format.description !== undefined) losses.add('format_description')
  if (verbosity !== undefined) losses.add('verbosity')
  if (metadata !== undefined && Object.keys(metadata).length > 0) losses.add('metadata')
  if (cacheKey !== undefined) losses.add('cache_key')
}

/**
 * Marks the prompt for the cache. Vendors of this dialect cache a prompt only up to marks, of which a request may have
 * four; clients of other dialects are used to vendors that cache by themselves. Marks follow the parts that the next
 * request probably repeats: the tools, the system prompt and the conversation so far. Writing to the cache costs more
 * than reading the prompt, so a lone question without tools is not marked.
 */
function markForCache(input: {
  tools: MessagesToolDefinition[] | undefined
  system: Block[]
  messages: MessageTurn[]
}): void {
  const { tools, system, messages } = input
  const lastTool = tools?.at(-1)
  if (lastTool !== undefined) lastTool.cache_control = CACHE_MARK
  markLast(system)
  if (lastTool === undefined && messages.length < 2) return
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const user = messages[at]
  if (user === undefined) return
  // A copy, because requests may share a message.
  const content = [...user.content]
  markLast(content)
  messages[at] = { ...user, content }
}

/** Keeps the client's last four marks, since a request with more would be refused. */
function keepLastMarks(
  { system, messages }: { system: Block[]; messages: MessageTurn[] },
  losses: Set<LossName>,
): void {
  let left = MARKS_MAX
  const keepIn = (blocks: Block[]) => {
    for (let at = blocks.length - 1; at >= 0; at -= 1) {
      const block = blocks[at]
      if (block?.type === 'tool_result' && Array.isArray(block.content)) keepIn(block.content)
      if (block?.cache_control === undefined) continue
      left -= 1
      if (left >= 0) continue
      const { cache_control: _mark, ...rest } = block
      blocks[at] = rest as Block
      losses.add('cache_control')
    }
  }
  for (const { content } of messages.toReversed()) keepIn(content)
  keepIn(system)
}

const MARKS_MAX = 4

function markLast(blocks: Block[]): void {
  const at = blocks.length - 1
  const block = blocks[at]
  // An opaque block stays unchanged.
  if (block !== undefined && MARKABLE.has(block.type) && !('cache_control' in block))
    blocks[at] = { ...block, cache_control: CACHE_MARK }
}

const MARKABLE: ReadonlySet<string> = new Set(['text', 'image', 'document', 'tool_result'])

import type { RequestTarget, WriteRequest } from '../canonical/codec.ts'
import { isSwitchedOff, reasoningFor } from '../canonical/effort-of.ts'
import type { LossName } from '../canonical/losses.ts'
import { type Effort, hasCacheMarks, type TextRequest } from '../canonical/request.ts'
import { ToolNaming } from '../tools/tool-naming.ts'
import type { Block, MessagesRequest, MessagesToolDefinition, MessageTurn, Thinking } from './wire.ts'
import { CACHE_MARK } from './write-part.ts'
import { writeToolChoice, writeTools, writeToolsOfHistory } from './write-tools.ts'
import { writeTurns } from './write-turns.ts'

/** Writes a request for a vendor of this dialect. */
export const writeMessagesRequest: WriteRequest = (request, target) => {
  const losses = new Set<LossName>()
  const naming = new ToolNaming(request.tools)
  const tools = writeTools(request.tools, naming, losses)
  const { system, messages } = writeTurns(request.turns, { provider: target.provider, naming, losses })
  if (request.format?.kind === 'json-object') system.push(ASK_FOR_JSON)
  const maxTokens = maxTokensOf(request, target)
  const reasoning = reasoningFor(target, request.reasoning, losses)
  const thinking = writeThinking({ ...request, reasoning }, { maxTokens, messages }, losses)
  const isThinking = thinking?.type === 'enabled'
  declareLosses(request, losses)
  const toolFields = writeToolFields(request, tools, naming)
  if (hasCacheMarks(request.turns)) keepLastMarks({ system, messages }, losses)
  else markForCache({ tools: toolFields.tools, system, messages })
  const body: MessagesRequest = {
    model: target.model,
    max_tokens: maxTokens,
    messages,
    system: system.length > 0 ? system : undefined,
    ...writeSampling(request, isThinking, losses),
    stop_sequences: request.stopSequences.length > 0 ? request.stopSequences : undefined,
    ...toolFields,
    thinking,
    output_config: writeOutputConfig(request),
    metadata: request.userId === undefined ? undefined : { user_id: request.userId },
    service_tier: writeServiceTier(request.serviceTier, losses),
    stream: request.stream,
  }
  return { body, losses: [...losses], toolNames: naming.restored, unsentStops: [] }
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

/** The highest temperature is 1 here. While it thinks, a model of this dialect takes none, and hardly any `top_p`. */
function writeSampling(
  { temperature, topP }: TextRequest,
  isThinking: boolean,
  losses: Set<LossName>,
): { temperature?: number; top_p?: number } {
  const sampling: { temperature?: number; top_p?: number } = {}
  if (temperature !== undefined && isThinking && temperature !== 1) losses.add('temperature')
  if (temperature !== undefined && !isThinking) {
    if (temperature > 1) losses.add('temperature')
    sampling.temperature = Math.min(temperature, 1)
  }
  if (topP !== undefined && isThinking && topP < TOP_P_MIN_THINKING) losses.add('top_p')
  else if (topP !== undefined) sampling.top_p = topP
  return sampling
}

const TOP_P_MIN_THINKING = 0.95

function writeToolFields(
  request: TextRequest,
  tools: MessagesToolDefinition[],
  naming: ToolNaming,
): Pick<MessagesRequest, 'tools' | 'tool_choice'> {
  if (tools.length > 0) return { tools, tool_choice: writeToolChoice(request, naming) }
  const former = writeToolsOfHistory(naming)
  return former.length > 0 ? { tools: former, tool_choice: { type: 'none' } } : {}
}

function writeOutputConfig({ format }: TextRequest): MessagesRequest['output_config'] {
  if (format?.kind !== 'json-schema') return undefined
  return { format: { type: 'json_schema', schema: format.schema } }
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
 * than reading the prompt, so a lone question is not marked.
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

/** Tokens of thinking by effort. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 4_096,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
}

const BUDGET_MIN = 1_024

/** Thinking counts towards the bound on output, so a part of it is kept for the answer. */
const SHARE_MAX = 0.8

/** undefined: the client set no effort and no budget, or this request allows no thinking, which is a loss. */
function writeThinking(
  { reasoning, toolChoice, tools }: TextRequest,
  { maxTokens, messages }: { maxTokens: number; messages: readonly MessageTurn[] },
  losses: Set<LossName>,
): Thinking | undefined {
  if (reasoning === undefined) return undefined
  const { effort, budgetTokens, summary } = reasoning
  if (isSwitchedOff(reasoning)) return { type: 'disabled' }
  if (summary === 'concise' || summary === 'detailed') losses.add('reasoning_summary')
  const wanted = budgetTokens ?? (effort === undefined ? undefined : BUDGETS[effort])
  if (wanted === undefined) return undefined
  const budget = Math.min(Math.max(wanted, BUDGET_MIN), Math.floor(maxTokens * SHARE_MAX))
  const isForced = tools.length > 0 && (toolChoice?.kind === 'required' || toolChoice?.kind === 'tool')
  if (budget < BUDGET_MIN || isForced || isAmidCalls(messages)) {
    losses.add('reasoning_effort')
    return undefined
  }
  return { type: 'enabled', budget_tokens: budget }
}

/**
 * Whether the last calls were made without thinking that could be sent again, and the request has their results: this
 * dialect refuses to begin thinking before the turn is over.
 */
function isAmidCalls(messages: readonly MessageTurn[]): boolean {
  const [assistant, user] = messages.slice(-2)
  if (user?.content[0]?.type !== 'tool_result' || assistant?.role !== 'assistant') return false
  const first = assistant.content[0]?.type
  return first !== 'thinking' && first !== 'redacted_thinking'
}

import { wishFor } from '../hub/effort-of.ts'
import type { LossName } from '../hub/losses.ts'
import type { TextRequest } from '../hub/text-request.ts'
import { ToolNaming } from '../hub/tool-naming.ts'
import type { RequestTarget, WriteRequest } from '../hub/wire.ts'
import { type CacheableTool, markForCache } from './mark-for-cache.ts'
import type { WireBlock } from './wire-block.ts'
import { writeThinking } from './write-thinking.ts'
import { writeToolChoice, writeTools, writeToolsOfHistory } from './write-tools.ts'
import { writeTurns } from './write-turns.ts'

/** A request as a vendor of this dialect takes it. */
export const writeMessagesRequest: WriteRequest = (request, target) => {
  const losses = new Set<LossName>()
  const naming = new ToolNaming(request.tools)
  const tools = writeTools(request.tools, naming, losses)
  const { system, messages } = writeTurns(request.turns, { provider: target.provider, naming, losses })
  if (request.format?.kind === 'json-object') system.push(ASK_FOR_JSON)
  const maxTokens = maxTokensOf(request, target)
  const reasoning = wishFor(target, request.reasoning, losses)
  const thinking = writeThinking({ ...request, reasoning }, { maxTokens, messages }, losses)
  const isThinking = thinking?.type === 'enabled'
  declareLosses(request, losses)
  const toolFields = writeToolFields(request, tools, naming)
  markForCache({ tools: toolFields.tools, system, messages })
  const body = {
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
 * This wire cannot do without a bound. A small one of our own would cut answers short, so the model's own is taken; and
 * a client's is brought into what the model can do.
 */
function maxTokensOf(
  { maxOutputTokens: wanted }: TextRequest,
  { maxOutputTokens: possible }: RequestTarget,
): number {
  if (possible === undefined) return wanted ?? MAX_TOKENS_UNKNOWN
  return wanted === undefined ? possible : Math.min(wanted, possible)
}

/** For a model whose catalog row says nothing: what every model of this dialect can write. */
const MAX_TOKENS_UNKNOWN = 4_096

const ASK_FOR_JSON: WireBlock = {
  type: 'text',
  text: 'Answer with one JSON object and nothing else: no words around it, no code fence.',
}

/** The range ends at 1 here. While it thinks, a model of this dialect takes no temperature and hardly any `top_p`. */
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
  tools: CacheableTool[],
  naming: ToolNaming,
): { tools?: CacheableTool[]; tool_choice?: object | undefined } {
  if (tools.length > 0) return { tools, tool_choice: writeToolChoice(request, naming) }
  const former = writeToolsOfHistory(naming)
  return former.length > 0 ? { tools: former, tool_choice: { type: 'none' } } : {}
}

function writeOutputConfig({ format }: TextRequest): object | undefined {
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

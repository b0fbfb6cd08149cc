import { type ChatVariant, USUAL_CHAT } from '../../domain/catalog/chat-variant.ts'
import { effortOf, wishFor } from '../hub/effort-of.ts'
import type { LossName } from '../hub/losses.ts'
import { serviceTier } from '../hub/service-tier.ts'
import { shortUserId } from '../hub/short-user-id.ts'
import type { ReasoningWish, TextRequest } from '../hub/text-request.ts'
import { ToolNaming } from '../hub/tool-naming.ts'
import { unlessDefault } from '../hub/unless-default.ts'
import type { RequestTarget, WriteRequest } from '../hub/wire.ts'
import { arrangeInstructions } from './arrange-instructions.ts'
import { leaveOut } from './leave-out.ts'
import { writeFormat } from './write-format.ts'
import { writeToolChoice, writeTools } from './write-tools.ts'
import { writeTurns } from './write-turns.ts'

/** A request for a vendor of chat completions. Members that are undefined do not reach the wire. */
export const writeChatRequest: WriteRequest = (request, target) => {
  const losses = new Set<LossName>()
  const naming = new ToolNaming(request.tools)
  const hasTools = request.tools.length > 0
  const { toolChoice } = request
  const { chat = USUAL_CHAT } = target
  const turns = arrangeInstructions(request.turns, chat.instructions, losses)
  const sentStops = request.stopSequences.slice(0, STOP_SEQUENCES_MAX)
  const body = {
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
    reasoning_effort: writeEffort(wishFor(target, request.reasoning, losses), chat, losses),
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
): object {
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
  wish: ReasoningWish | undefined,
  { replaysReasoning, checksSignatures }: ChatVariant,
  losses: Set<LossName>,
): string | undefined {
  if (wish === undefined) return undefined
  if (wish.wantsSeal && !replaysReasoning && !checksSignatures) losses.add('reasoning_seal')
  if (wish.summary === 'concise' || wish.summary === 'detailed') losses.add('reasoning_summary')
  return effortOf(wish)
}

const TIERS: readonly string[] = ['auto', 'default', 'flex', 'scale', 'priority', 'fast']
